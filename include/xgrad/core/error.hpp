// SPDX-License-Identifier: MIT
// The exceptions that xgrad throws, and what happens where there are none.
#pragma once

#include <xgrad/config/config.hpp>

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

/// A piece of a message: text or a whole number. Two words, because each place that has a message writes them for each piece.
class message_part {
    static constexpr char negative[1] = {}, number[1] = {};   // in place of a text
    char const* text_;
    std::uint64_t size_;   // or the number without its sign

    XGRAD_INLINE message_part(char const* text, std::uint64_t n) : text_(text), size_(n) {}

public:
    XGRAD_INLINE message_part(std::string_view text) : message_part(text.data(), text.size()) {}
    XGRAD_INLINE message_part(char const* text) : message_part(std::string_view(text)) {}
    XGRAD_INLINE message_part(std::string const& text) : message_part(std::string_view(text)) {}
    XGRAD_INLINE message_part(std::uint64_t n) : message_part(number, n) {}
    XGRAD_INLINE message_part(std::int64_t n) : message_part(n < 0 ? negative : number, static_cast<std::uint64_t>(n)) {}
    XGRAD_INLINE message_part(int n) : message_part(std::int64_t{n}) {}
    XGRAD_COLD void append_to(std::string& to) const {
        char digits[20];   // 2^64 - 1 has twenty, -2^63 nineteen and the sign
        char* first = digits + sizeof digits;
        std::uint64_t rest = text_ == negative ? 0 - size_ : size_;
        do {
            *--first = static_cast<char>('0' + rest % 10);
            rest /= 10;
        } while (rest != 0);
        if (text_ == negative) *--first = '-';
        bool const is_text = text_ != negative && text_ != number;
        to.append(is_text ? text_ : first, is_text ? size_ : static_cast<std::size_t>(digits + sizeof digits - first));
    }
};
/// Appends the parts. (Sums of strings are code at each place that has a message, and more of it than all else that is done there.)
XGRAD_COLD inline void append(std::string& text, std::initializer_list<message_part> parts) {
    for (message_part const& part : parts) part.append_to(text);
}
/// The parts one behind the other.
XGRAD_COLD inline std::string message(std::initializer_list<message_part> parts) {
    std::string text;
    append(text, parts);
    return text;
}

/// Throws Error(message); without exceptions calls error_handler and aborts.
template<class Error>
[[noreturn]] XGRAD_COLD void raise(std::string const& message) {
#if XGRAD_EXCEPTIONS
    throw Error(message);
#else
    error_handler(message.c_str());
    std::abort();
#endif
}
/// The same with a message in parts: `raise_parts<value_error>({"xgrad: the dimension \"", name, "\" cannot have ", size, " elements"})`.
template<class Error>
[[noreturn]] XGRAD_COLD void raise_parts(std::initializer_list<message_part> parts) {
    raise<Error>(message(parts));
}

XGRAD_NAMESPACE_END
