// SPDX-License-Identifier: MIT
// The exceptions that xgrad throws, and what happens where there are none.
#pragma once

#include <xgrad/config/config.hpp>
#include <xgrad/meta/sequence.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>

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

/// A piece of a message: text or a whole number.
class message_part {
    std::string_view text_{};
    std::int64_t number_ = 0;
    bool is_number_ = false;
    friend class message_text;

public:
    XGRAD_INLINE message_part(char const* text) : text_(text) {}
    XGRAD_INLINE message_part(std::string_view text) : text_(text) {}
    XGRAD_INLINE message_part(std::string const& text) : text_(text) {}
    XGRAD_INLINE message_part(std::int64_t number) : number_(number), is_number_(true) {}
    XGRAD_INLINE message_part(int number) : number_(number), is_number_(true) {}
};
/// Parts one behind the other, which end with a zero. (In C++20 no function of std::string comes from the standard library's binary: each is compiled
/// again in every program, and sums of strings are more code at each place that has a message than all else that is done there.)
class message_text {
    sequence<char> text_;

    void add(char const* from, std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) text_.push(from[i]);
    }

public:
    XGRAD_COLD void add(std::initializer_list<message_part> parts) {
        for (message_part const& p : parts) {
            char digits[20];
            std::size_t at = sizeof digits;
            std::uint64_t rest = static_cast<std::uint64_t>(p.number_);
            if (p.number_ < 0) rest = 0 - rest;
            do digits[--at] = static_cast<char>('0' + rest % 10);
            while ((rest /= 10) != 0);
            if (p.is_number_ && p.number_ < 0) digits[--at] = '-';
            if (p.is_number_) add(digits + at, sizeof digits - at);
            else add(p.text_.data(), p.text_.size());
        }
        text_.push('\0');
        --text_.count;
    }
    char const* c_str() const { return text_.at; }
    std::string_view view() const { return {text_.at, static_cast<std::size_t>(text_.count)}; }
};
inline std::string message(std::initializer_list<message_part> parts) {
    message_text text;
    text.add(parts);
    return std::string(text.view());
}

/// Throws Error(message); without exceptions calls error_handler and aborts.
template<class Error>
[[noreturn]] XGRAD_COLD void raise(char const* message) {
#if XGRAD_EXCEPTIONS
    throw Error(message);
#else
    error_handler(message);
    std::abort();
#endif
}
template<class Error>
[[noreturn]] void raise(std::string const& message) {
    raise<Error>(message.c_str());
}
/// The same with a message in parts: `raise_parts<value_error>({"xgrad: the dimension \"", name, "\" cannot have ", size, " elements"})`.
template<class Error>
[[noreturn]] XGRAD_COLD void raise_parts(std::initializer_list<message_part> parts) {
    message_text text;
    text.add(parts);
    raise<Error>(text.c_str());
}

XGRAD_NAMESPACE_END
