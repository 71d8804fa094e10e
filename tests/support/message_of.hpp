// SPDX-License-Identifier: MIT
// What an exception says.
#pragma once

#include <exception>
#include <string>

namespace test {
inline constexpr char const* nothing_thrown = "nothing was thrown";
/// The message of the Error that `f` throws; another exception and none are said to be that.
template<class Error, class F>
std::string message_of(F const& f) {
    try {
        f();
    } catch (Error const& e) { return e.what(); } catch (std::exception const& e) {
        return std::string("another type: ") + e.what();
    }
    return nothing_thrown;
}
}   // namespace test
