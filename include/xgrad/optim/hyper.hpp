// SPDX-License-Identifier: MIT
// A hyper-parameter: a number, a schedule, or a function of the step with its own state.
#pragma once

#include <xgrad/core/error.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <type_traits>

XGRAD_NAMESPACE_BEGIN

/// What a hyper-parameter may be made of besides a number: `double f(std::int64_t step) const`, trivially copyable, at most 128 bytes.
template<class F>
concept StepFunction = std::is_class_v<F> && std::is_trivially_copyable_v<F> && requires(F const& f, std::int64_t step) {
    { f(step) } -> std::convertible_to<double>;
};

/// A hyper-parameter of a rule. Converts implicitly from numbers and from step functions (schedules.hpp, or your own).
///
/// It is kept in double and rounded once, to the dtype of the variable, when a rule is applied. TensorFlow rounds Python floats to float32
/// first, so that η = 0.1 means 0.10000000149011612 even for a float64 variable; here it means 0.1 (case A17 of the numbered cases).
/// It is read once per apply, at the step *before* the increment. No allocation and no virtual call: a function lies in place.
class hyper {
public:
    static constexpr std::size_t capacity = 128;

    constexpr hyper() noexcept : number_(0) {}
    template<class N>
        requires std::is_arithmetic_v<N>
    constexpr hyper(N number) noexcept : number_(static_cast<double>(number)) {}

    template<StepFunction F>
        requires(!std::is_same_v<F, hyper>)
    hyper(F const& f) noexcept : number_(0) {
        static_assert(sizeof(F) <= capacity,
            "xgrad: a hyper-parameter takes a function of at most 128 bytes; keep larger state elsewhere and store a pointer");
        static_assert(alignof(F) <= alignof(double), "xgrad: a hyper-parameter takes a function with the alignment of double at most");
        std::memcpy(state_, &f, sizeof(F));
        call_ = &call<F>;
    }

    /// The value at a step (0 is the first step).
    double operator()(std::int64_t step) const { return call_ != nullptr ? call_(state_, step) : number_; }
    /// True where the value does not depend on the step.
    constexpr bool is_number() const noexcept { return call_ == nullptr; }

private:
    template<class F>
    static double call(void const* state, std::int64_t step) {
        return static_cast<double>((*static_cast<F const*>(state))(step));
    }

    double (*call_)(void const*, std::int64_t) = nullptr;
    union {
        double number_;
        alignas(double) unsigned char state_[capacity];
    };
};

namespace detail {
/// The sentence of a failed check: `adagrad: initial_accumulator must be positive, found -1`. Only numbers are checked, functions are not called.
std::string must_be(char const* rule, char const* parameter, char const* expected, double found);
#if XGRAD_COMPILED != 1
XGRAD_COLD XGRAD_HOST std::string must_be(char const* rule, char const* parameter, char const* expected, double found) {
    char number[32];
    std::snprintf(number, sizeof number, "%g", found);
    return message({rule, ": ", parameter, " must be ", expected, ", found ", number});
}
#endif
}   // namespace detail

XGRAD_NAMESPACE_END
