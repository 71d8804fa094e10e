// SPDX-License-Identifier: MIT
// The contents of messages between the centre and a worker in another rank. A method lists them once, for writing and for reading.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/sync/dense_updates.hpp>
#include <xgrad/replicas/ranks/rank_message.hpp>
#include <xgrad/replicas/replica_state.hpp>

#include <charconv>
#include <span>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// Writes: adds memory to a message. The memory must stay unchanged until the message has been sent.
struct message_writer {
    outgoing& message;
    static constexpr bool reads = false;

    void operator()(void const* data, std::size_t bytes) const {
        if (bytes > 0) message.add(data, bytes);
    }
    template<class T>
    void operator()(T& number) const {
        message.add(number);
    }
};
/// Reads: copies the contents of a message into the same memory.
struct message_reader {
    incoming& message;
    static constexpr bool reads = true;

    void operator()(void* data, std::size_t bytes) const { message.read(data, bytes); }
    template<class T>
    void operator()(T& number) const {
        number = message.read<T>();
    }
};

template<class Pass>
void pass_variables(Pass const& pass, plan_updates const& updates) {
    for (int k = 0; k < updates.steps().count(); ++k) {
        state_piece const p = piece_of(updates.variable(k));
        pass(p.data, p.bytes);
    }
}
/// The optimizer scalars, such as Adam's beta powers.
template<class Pass, class P>
void pass_powers(Pass const& pass, trainer<P>& train) {
    auto& powers = step_driver::state(train).slots.powers;
    pass(powers.at, static_cast<std::size_t>(powers.count) * sizeof(double));
}
/// The centre: the variables that it moves, and its global step.
template<class Pass, class P>
void pass_centre(Pass const& pass, trainer<P>& centre, plan_updates const& updates) {
    pass_variables(pass, updates);
    pass(step_driver::state(centre).slots.global_step);
}
/// Rows of `length` elements, without their counters.
template<class Pass, class T>
void pass_rows(Pass const& pass, counted_rows<T>& rows, std::int64_t length) {
    std::int64_t count = rows.count;
    if constexpr (Pass::reads) {
        pass(count);
        rows.reserve(count, length);
        rows.count = count;
    } else pass(rows.count);
    auto const n = static_cast<std::size_t>(count);
    pass(rows.indices.data(), n * sizeof(std::int64_t));
    pass(rows.values.data(), n * static_cast<std::size_t>(length) * sizeof(T));
}

/// Appends "name: x", one line of the text in which ranks must agree.
inline void describe(std::string& text, std::string_view name, double x) {
    char digits[32];
    auto const end = std::to_chars(digits, digits + sizeof digits, x).ptr;
    append(text, {name, ": ", std::string_view(digits, static_cast<std::size_t>(end - digits)), "\n"});
}
/// Identifies a compression: its name, and its numbers by the bytes that it produces. The bytes alone are not enough:
/// bfloat16_compression and top_k_compression{.fraction = .25} produce equally many.
template<class Compression>
void describe_compression(std::string& text, Compression const& c) {
    append(text, {"the compression: ", Compression::name,
                     "\nbytes of a million compressed elements: ", static_cast<std::int64_t>(c.bytes(1000000, 4)), "\n"});
}

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
