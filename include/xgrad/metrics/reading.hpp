// SPDX-License-Identifier: MIT
// The input of metrics: predictions and labels in any arrays, checked before anything is counted.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/arrays/array_like.hpp>
#include <xgrad/core/error.hpp>
#include <xgrad/core/node.hpp>

#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// An array of predictions, labels or similar input of a metric. `what` is the name of an element in messages.
template<class T>
struct metric_array {
    using element = T;
    std::string_view metric, what;
    T const* first;
    array_ref ref;
    std::int64_t size = 1;

    metric_array(std::string_view of, std::string_view each, array_ref const& a)
        : metric(of), what(each), first(static_cast<T const*>(a.data)), ref(a) {
        if (a.rank > max_rank)
            raise_parts<shape_error>({"xgrad: metrics::", metric, ": an array has ", a.rank, " axes, at most ", max_rank, " are taken"});
        if (!a.contiguous)
            raise_parts<binding_error>({"xgrad: metrics::", metric, ": the ", what,
                "s are not contiguous and row-major; copy them to a row-major container first, for example with xt::eval"});
        for (int d = 0; d < a.rank; ++d) size *= a.extents[d];
    }
    double operator[](std::int64_t i) const {
        if constexpr (is_half_type<T>) return static_cast<double>(static_cast<float>(first[i]));
        else return static_cast<double>(first[i]);
    }
    bool is_fraction(std::int64_t i) const {
        double const v = (*this)[i];
        return v > -1e9 && v < 1e9 && static_cast<double>(static_cast<std::int64_t>(v)) != v;
    }
    [[noreturn]] XGRAD_COLD void refuse(std::int64_t i, std::initializer_list<message_part> expected) const {
        std::string value;
        if constexpr (std::is_integral_v<T>) {
            append(value, {static_cast<std::int64_t>(first[i])});
        } else {
            char text[32];
            std::snprintf(text, sizeof text, "%g", (*this)[i]);
            value = text;
        }
        raise<value_error>(message({"xgrad: metrics::", metric, ": ", what, " ", i, " is ", value, ", expected is ", message(expected),
            is_fraction(i) && what == "label" ? "; predictions come first, then labels" : ""}));
    }
    void check_numbers() const {
        for (std::int64_t i = 0; i < size; ++i)
            if ((*this)[i] != (*this)[i]) refuse(i, {"a number"});
    }
    /// Checks that each element is in [low, high].
    void check_within(double low, double high, std::string_view said) const {
        for (std::int64_t i = 0; i < size; ++i)
            if (double const v = (*this)[i]; !(v >= low && v <= high)) refuse(i, {said});
    }
    void check_truth() const {
        for (std::int64_t i = 0; i < size; ++i)
            if (double const v = (*this)[i]; v != 0 && v != 1) refuse(i, {"0 or 1"});
    }
    void check_classes(std::int64_t classes) const {
        static_assert(std::is_integral_v<T>,
            "xgrad::metrics: labels of classes are not integers; give integers from 0 to below the number of classes");
        for (std::int64_t i = 0; i < size; ++i)
            if (auto const v = static_cast<std::int64_t>(first[i]); v < 0 || v >= classes) refuse(i, {"a class from 0 to ", classes - 1});
    }
};
/// Whether the elements of an array are numbers; otherwise an error sentence.
template<class A>
constexpr bool has_numbers() {
    if constexpr (is_array_like<A>()) {
        constexpr bool numbers = is_one_element<typename element_of<A>::type>;
        static_assert(numbers,
            "xgrad::metrics: the elements of this array are not numbers; give contiguous rows: xgrad::array(pointer, rows, classes)");
        return numbers;
    } else return false;
}
/// Calls f(first, second) with two arrays in the form that metrics read.
template<class A, class B, class F>
void read_metric(std::string_view metric, std::string_view each, A const& a, std::string_view other, B const& b, F const& f) {
    constexpr bool expressions = Expr<A> || Expr<B>;
    static_assert(!expressions, "xgrad::metrics: update(predictions, labels) gets an expression, which has no values; give the result of "
                                "function{logits, train}(x = a)");
    if constexpr (!expressions)
        if constexpr (has_numbers<A>() && has_numbers<B>())
            f(metric_array<typename element_of<A>::type>(metric, each, refer_to(a)),
                metric_array<typename element_of<B>::type>(metric, other, refer_to(b)));
}
template<class P, class L, class F>
void read_predictions(std::string_view metric, P const& predictions, L const& labels, F const& f) {
    read_metric(metric, "prediction", predictions, "label", labels, f);
}

[[noreturn]] XGRAD_COLD inline void raise_lengths(std::string_view metric, std::int64_t predictions, std::int64_t labels) {
    raise_parts<shape_error>({"xgrad: metrics::", metric, ": there are ", predictions, " predictions and ", labels, " labels"});
}
/// Checks that there is one prediction for each label, and that labels are 0 or 1.
template<class P, class L>
void check_binary(P const& predictions, L const& labels) {
    if (predictions.size != labels.size) raise_lengths(predictions.metric, predictions.size, labels.size);
    predictions.check_numbers();
    labels.check_truth();
}
/// Checks that there is a row of predictions for each label, and that labels are classes of a row. Returns the length
/// of a row.
template<class P, class L>
std::int64_t check_rows(P const& predictions, L const& labels) {
    constexpr bool swapped = std::is_integral_v<typename P::element> && !std::is_integral_v<typename L::element>;
    static_assert(!swapped, "xgrad::metrics: update(predictions, labels): the predictions are integers and the labels are not; write the "
                            "predictions first");
    if constexpr (swapped) return 0;
    array_ref const& r = predictions.ref;
    if (r.rank < 1 || r.extents[r.rank - 1] < 1)
        raise_parts<shape_error>({"xgrad: metrics::", predictions.metric, ": the predictions need a last axis, of the classes"});
    std::int64_t const classes = r.extents[r.rank - 1], rows = predictions.size / classes;
    if (rows != labels.size)
        raise_parts<shape_error>({"xgrad: metrics::", predictions.metric, ": there are predictions for ", rows, " rows, of ", classes,
            " classes, and ", labels.size, " labels", r.rank == 1 ? "; give their extents: xgrad::array(pointer, rows, classes)" : ""});
    predictions.check_numbers();
    if constexpr (!swapped) labels.check_classes(classes);
    return classes;
}
/// a / b; NaN if b is 0.
inline double share(double a, double b) { return b != 0 ? a / b : std::numeric_limits<double>::quiet_NaN(); }

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
