// SPDX-License-Identifier: MIT
// The exceptions that xgrad throws, and what happens where there are none.
#pragma once

#include <xgrad/config/config.hpp>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

XGRAD_NAMESPACE_BEGIN

/// Base of all exceptions of xgrad: what was asked, what was found, and the name of the variable or input.
struct error : std::runtime_error {
    using std::runtime_error::runtime_error;
};
/// An array has other extents than its input or variable, or two inputs disagree about a named dimension.
struct shape_error : error {
    using error::error;
};
/// An array has another element type than its input or variable.
struct dtype_error : error {
    using error::error;
};
/// An input is missing, given twice, or cannot be taken as it lies in memory.
struct binding_error : error {
    using error::error;
};
/// A value lies outside what is allowed: an index, a hyper-parameter.
struct value_error : error {
    using error::error;
};
/// A file cannot be read or written, or does not hold what it should.
struct io_error : error {
    using error::error;
};
/// A checkpoint does not fit what it is restored into.
struct checkpoint_error : io_error {
    using io_error::io_error;
};

/// Called with the message where exceptions are off, before std::abort. Replace it to log elsewhere.
inline void (*error_handler)(char const* message) = [](char const* message) { std::fprintf(stderr, "xgrad: %s\n", message); };

/// Throws Error(message); without exceptions calls error_handler and aborts.
template<class Error>
[[noreturn]] XGRAD_NOINLINE void raise(std::string const& message) {
#if XGRAD_EXCEPTIONS
    throw Error(message);
#else
    error_handler(message.c_str());
    std::abort();
#endif
}

XGRAD_NAMESPACE_END
