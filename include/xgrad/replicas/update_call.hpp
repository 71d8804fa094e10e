// SPDX-License-Identifier: MIT
// The call of on_update after each update.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/train/step_driver.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// Calls on_update, if there is one. It may read the trainer meanwhile.
template<class P, class F>
void call_on_update(F const& on_update, trainer<P>& train, std::int64_t step, store_access most = store_access::read) {
    if (!on_update) return;
    store_visit const mine(train.store(), most);
    on_update(step);
}

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
