// SPDX-License-Identifier: MIT
// A hyper-parameter: a number, a schedule, or a user's function of the step.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/config/config.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string_view>
#include <type_traits>

XGRAD_NAMESPACE_BEGIN

/// A function that a hyper-parameter can hold: `double f(std::int64_t step) const`, trivially copyable, at most 128
/// bytes.
template<class F>
concept StepFunction = __is_class(F) && __is_trivially_copyable(F) && requires(F const& f, std::int64_t step) {
    { f(step) } -> std::convertible_to<double>;
};

/// A hyper-parameter of a rule: `adam{.learning_rate = 1e-3}` or `adam{.learning_rate = cosine_decay{...}}`.
/// It converts implicitly from numbers and from step functions (schedules.hpp, or your own).
///
/// * The value is kept in double. It is rounded once, to the dtype of the variable, when the rule is applied.
/// * TensorFlow rounds Python floats to float32 first. Its η = 0.1 is 0.10000000149011612 even for a float64 variable;
///   here it is 0.1 (case A17 of the numbered cases).
/// * It is read once per step, at the step number *before* the increment.
/// * A function is stored inside the object: no allocation and no virtual call.
class hyper {
public:
    static constexpr std::size_t capacity = 128;

    constexpr hyper() noexcept : number_(0) {}
    template<class N>
        requires std::is_arithmetic_v<N>
    constexpr hyper(N number) noexcept : number_(static_cast<double>(number)) {}

    template<class F>
        requires(!std::is_same_v<F, hyper> && StepFunction<F>)
    hyper([[maybe_unused]] F const& f) noexcept : number_(0) {
        using value = decltype(f(std::int64_t{}));
        static_assert(!std::is_integral_v<value> || std::is_same_v<value, bool>,
            "xgrad: the function of a hyper-parameter returns an integer, so a rate of 0.1 would be 0; return double: step / 100.0");
        static_assert(sizeof(F) <= capacity,
            "xgrad: a hyper-parameter gets a function of more than 128 bytes; store larger state elsewhere, and a pointer to it in "
            "the function");
        static_assert(alignof(F) <= alignof(double),
            "xgrad: a hyper-parameter gets a function with a larger alignment than double; store such state elsewhere, and a "
            "pointer to it in the function");
        if constexpr (!std::is_empty_v<F>) std::memcpy(state_, &f, sizeof(F));   // an empty function has no state to copy
        call_ = &call<F>;
    }

    template<class F>   // rejects all other types with a message
        requires(!std::is_same_v<F, hyper> && !std::is_arithmetic_v<F> && !StepFunction<F>)
    constexpr hyper(F const&) noexcept : number_(0) {
        static_assert(sizeof(F) == 0,
            "xgrad: a hyper-parameter is neither a number, nor a schedule, nor a trivially copyable function double f(std::int64_t "
            "step) const; between two steps write train.rule().learning_rate = 0.05");
    }

    // Arithmetic such as learning_rate *= 0.5 is rejected with a message.
    template<class A>
    constexpr hyper& operator*=(A const&) {
        refuse_arithmetic<A>();
        return *this;
    }
    template<class A>
    constexpr hyper& operator/=(A const&) {
        refuse_arithmetic<A>();
        return *this;
    }
    template<class A>
    constexpr hyper& operator+=(A const&) {
        refuse_arithmetic<A>();
        return *this;
    }
    template<class A>
    constexpr hyper& operator-=(A const&) {
        refuse_arithmetic<A>();
        return *this;
    }
    template<class A>
        requires std::is_arithmetic_v<A>
    friend constexpr hyper operator*(hyper const& h, A) {
        refuse_arithmetic<A>();
        return h;
    }
    template<class A>
        requires std::is_arithmetic_v<A>
    friend constexpr hyper operator*(A, hyper const& h) {
        refuse_arithmetic<A>();
        return h;
    }
    template<class A>
        requires std::is_arithmetic_v<A>
    friend constexpr hyper operator/(hyper const& h, A) {
        refuse_arithmetic<A>();
        return h;
    }

    /// The value at a step; the first step is 0.
    double operator()(std::int64_t step) const { return call_ != nullptr ? call_(state_, step) : number_; }
    /// True if the value does not depend on the step.
    constexpr bool is_number() const noexcept { return call_ == nullptr; }

private:
    template<class A>
    static constexpr void refuse_arithmetic() {
        static_assert(sizeof(A) == 0,
            "xgrad: a hyper-parameter, which may be a schedule, is used in arithmetic; compute the rate as a double, rate *= 0.5, "
            "and assign it: train.rule().learning_rate = rate");
    }
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

/// The numbers that a hyper-parameter may be. NaN is never allowed.
struct hyper_range {
    double low, high;
    bool without_low, without_high;
    char const* text;
    constexpr bool holds(double x) const { return x >= low && x <= high && !(without_low && x == low) && !(without_high && x == high); }
};
/// The ranges that the rules of the library use.
namespace allow {
inline constexpr double most = std::numeric_limits<double>::max(), infinity = std::numeric_limits<double>::infinity();
inline constexpr hyper_range any{-infinity, infinity, false, false, "a number"};
inline constexpr hyper_range finite{-most, most, false, false, "finite"};
inline constexpr hyper_range zero_or_more{0, most, false, false, "positive or zero"};
inline constexpr hyper_range positive{0, most, true, false, "positive"};
inline constexpr hyper_range positive_or_infinite{0, infinity, true, false, "positive"};
inline constexpr hyper_range zero_or_less{-most, 0, false, false, "negative or zero"};
inline constexpr hyper_range at_least_one{1, most, false, false, "at least 1"};
inline constexpr hyper_range below_one{0, 1, false, true, "in [0, 1)"};
inline constexpr hyper_range below_one_or_negative{-most, 1, false, true, "below 1"};
inline constexpr hyper_range between_zero_and_one{0, 1, true, true, "in (0, 1)"};
inline constexpr hyper_range up_to_one{0, 1, false, false, "in [0, 1]"};
}   // namespace allow

/// A hyper-parameter of a rule: its name, its value and its allowed range. A rule lists its own:
/// `auto hypers() const { return std::array{hyper_info("learning_rate", learning_rate, allow::zero_or_more)}; }`
class hyper_info {
    hyper const* function_ = nullptr;   // set if the hyper-parameter is a function
    double number_ = 0;
    bool called_ = false;

public:
    char const* name;
    hyper_range const* range;

    hyper_info(char const* n, hyper const& value, hyper_range const& r) : name(n), range(&r) {
        if (value.is_number()) number_ = value(0);
        else function_ = &value;
    }
    constexpr hyper_info(char const* n, double value, hyper_range const& r) : number_(value), name(n), range(&r) {}

    bool is_function() const { return function_ != nullptr; }
    bool was_function() const { return called_; }
    double number() const { return number_; }
    /// Replaces a function in the rule by a number. The rule that made this list must not be const.
    void replace(double number) {
        if (function_ == nullptr) return;
        const_cast<hyper&>(*function_) = number_ = number;
        function_ = nullptr;
    }
    /// Replaces a function in the rule by its value at `step`. The rule that made this list must not be const.
    void settle(std::int64_t step) {
        if (function_ == nullptr) return;
        number_ = (*function_)(step);
        const_cast<hyper&>(*function_) = number_;
        function_ = nullptr;
        called_ = true;
    }
};

/// The message about a hyper-parameter outside its range: `adam: beta2 must be in [0, 1), found 1`. A user's rule may
/// word it differently.
struct hyper_complaint {
    static constexpr std::size_t capacity = 192;
    char text[capacity];   // empty: nothing is wrong
    hyper_complaint() { text[0] = 0; }
    explicit hyper_complaint(std::string_view sentence) { text[sentence.copy(text, capacity - 1)] = 0; }
    bool empty() const { return text[0] == 0; }
    std::string_view view() const { return text; }
    friend bool operator==(hyper_complaint const& c, std::string_view sentence) { return c.view() == sentence; }
};

namespace detail {
/// The message about the first number out of its range, or an empty one. `step` is the step at which functions were
/// called.
hyper_complaint check_hypers(std::string_view rule, hyper_info const* list, std::size_t count, std::int64_t step = 0);
#if XGRAD_COMPILED != 1
XGRAD_HOST hyper_complaint check_hypers(std::string_view rule, hyper_info const* list, std::size_t count, std::int64_t step) {
    hyper_complaint wrong;
    for (hyper_info const* h = list; h != list + count; ++h) {
        if (h->is_function() || h->range->holds(h->number())) continue;
        auto const n = static_cast<std::size_t>(std::snprintf(wrong.text, hyper_complaint::capacity, "%.*s: %s must be %s, found %g",
            static_cast<int>(rule.size()), rule.data(), h->name, h->range->text, h->number()));
        if (h->was_function() && n < hyper_complaint::capacity)
            std::snprintf(wrong.text + n, hyper_complaint::capacity - n, " in step %lld%s", static_cast<long long>(step),
                h->number() == h->number() ? "" : "; a schedule gives NaN where its number of steps is not positive");
        break;
    }
    return wrong;
}
#endif
}   // namespace detail

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
