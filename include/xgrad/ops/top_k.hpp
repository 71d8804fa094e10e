// SPDX-License-Identifier: MIT
// top_k: the largest elements of each row and their positions; mean and variance together.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/operations/row_function.hpp>
#include <xgrad/ops/reduce.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// x [..., k], indices [..., k]: a row of zeros with x[j] at indices[j]. Its length is the extent in the attributes.
/// The indices of a row differ.
struct put_in_row;
/// x [..., n], indices [..., k]: the k elements of the row at these indices.
struct take_from_row : row_op {
    static constexpr std::string_view name = "take_from_row";
    static constexpr int flops = 0;
    static constexpr value_info infer(value_info const* v, int, attributes const&, int) { return {v[0].type, v[1].dims, fault::none}; }
    template<class T>
    static void row(std::span<T const> x, std::span<std::int32_t const> indices, std::span<T> out) {
        for (std::size_t j = 0; j < out.size(); ++j) out[j] = x[static_cast<std::size_t>(indices[j])];
    }
    static constexpr void derive(derivation& d);
};
struct put_in_row : row_op {
    static constexpr std::string_view name = "put_in_row";
    static constexpr int flops = 0;
    static constexpr value_info infer(value_info const* v, int, attributes const& a, int) {
        value_info r = v[0];
        r.dims.extents[r.dims.rank - 1] = a.extents[0];
        return r;
    }
    template<class T>
    static void row(std::span<T const> x, std::span<std::int32_t const> indices, std::span<T> out) {
        for (T& e : out) e = T(0);
        for (std::size_t j = 0; j < x.size(); ++j) out[static_cast<std::size_t>(indices[j])] = x[j];
    }
    static constexpr void derive(derivation& d) { d.out[0] = apply<take_from_row>(d.gradient, d.operands[1]); }
};
constexpr symbol put(symbol x, symbol indices, extent const& length) {
    return apply_with<put_in_row>(shape_attributes({1, {length}}), x, indices);
}
constexpr void take_from_row::derive(derivation& d) {
    shape const& x = d.info(0).dims;
    d.out[0] = put(d.gradient, d.operands[1], x.extents[x.rank - 1]);
}

/// The k largest elements of each row, or the smallest ones.
template<bool Smallest>
struct k_of_row : row_op {
    struct attributes {
        std::int64_t k;
    };
    static constexpr std::string_view name = Smallest ? "bottom_k" : "top_k";
    static constexpr int outputs = 2;
    static constexpr bool half_operands = true;
    static constexpr int flops = 2;
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const& a, int output) {
        std::int64_t const k = a.as<attributes>().k;
        value_info r = v[0];
        extent& last = r.dims.extents[r.dims.rank - 1];
        if (!has_gradient(r.type) && !is_integer(r.type)) r.wrong = fault::dtypes;
        else if (!last.is_static()) r.wrong = fault::inner;
        else if (k < 1 || k > last.constant) r.wrong = fault::shapes;
        last = static_extent(k);
        if (output == 1) r.type = dtype::int32;
        return r;
    }
    // A heap of the best k so far, if these are many, with the worst on top. It is kept in the outputs and then sorted in place.
    template<class T>
    struct chosen {
        std::span<T> value;
        std::span<std::int32_t> index;
        bool after(std::size_t a, std::size_t b) const { return comes_first(value[b], index[b], value[a], index[a]); }
        void swap(std::size_t a, std::size_t b) {
            std::swap(value[a], value[b]);
            std::swap(index[a], index[b]);
        }
        void sink(std::size_t at, std::size_t n) {
            for (std::size_t child = 2 * at + 1; child < n; at = child, child = 2 * at + 1) {
                if (child + 1 < n && after(child + 1, child)) ++child;
                if (!after(child, at)) return;
                swap(child, at);
            }
        }
    };
    // NaN is larger than every number. Of equal elements the first in the row comes first.
    template<class T>
    static bool comes_first(T a, std::int32_t i, T b, std::int32_t k) {
        bool const more = a > b || (a != a && b == b), less = a < b || (a == a && b != b);
        if constexpr (Smallest) return less || (!more && i < k);
        else return more || (!less && i < k);
    }
    // Whether an element comes before one that is earlier in the row.
    template<class T>
    static bool overtakes(T later, T earlier) {
        if constexpr (Smallest) return later < earlier || (later == later && earlier != earlier);
        else return later > earlier || (later != later && earlier == earlier);
    }
    // The next element that overtakes the worst one. Blocks without such an element are passed together.
    template<class T>
    static std::size_t next(std::span<T const> x, std::size_t i, T worst) {
        constexpr std::size_t block = 16;
        if (worst == worst)
            for (; i + block <= x.size(); i += block) {
                int found = 0;
                for (std::size_t e = 0; e < block; ++e) found |= Smallest ? (x[i + e] < worst ? 1 : 0) : (x[i + e] <= worst ? 0 : 1);
                if (found != 0) break;
            }
        while (i < x.size() && !overtakes(x[i], worst)) ++i;
        return i;
    }
    // Few elements are kept in order.
    template<class T>
    static void insert(T e, std::size_t i, std::size_t at, std::span<T> values, std::span<std::int32_t> indices) {
        for (; at > 0 && overtakes(e, values[at - 1]); --at) {
            values[at] = values[at - 1];
            indices[at] = indices[at - 1];
        }
        values[at] = e;
        indices[at] = static_cast<std::int32_t>(i);
    }
    template<class T>
    static void row(std::span<T const> x, std::span<T> values, std::span<std::int32_t> indices) {
        chosen<T> best{values, indices};
        std::size_t const k = values.size();
        if (k <= 16) {
            for (std::size_t i = 0; i < k; ++i) insert(T(x[i]), i, i, values, indices);
            for (std::size_t i = k; (i = next(x, i, values[k - 1])) < x.size(); ++i) insert(T(x[i]), i, k - 1, values, indices);
            return;
        }
        for (std::size_t i = 0; i < k; ++i) {
            values[i] = x[i];
            indices[i] = static_cast<std::int32_t>(i);
        }
        for (std::size_t i = k / 2; i-- > 0;) best.sink(i, k);
        for (std::size_t i = k; (i = next(x, i, values[0])) < x.size(); ++i) {
            values[0] = x[i];
            indices[0] = static_cast<std::int32_t>(i);
            best.sink(0, k);
        }
        for (std::size_t n = k; n > 1; --n) {
            best.swap(0, n - 1);
            best.sink(0, n - 1);
        }
    }
    static constexpr void derive(derivation& d) {
        shape const& x = d.info(0).dims;
        d.out[0] = put(d.gradients[0], d.output(1), x.extents[x.rank - 1]);
    }
};
using top_k = k_of_row<false>;
}

/// The K largest elements along the last axis and their positions (int32), as a tuple:
/// `auto [values, indices] = top_k<3>(scores)`. Both have the shape [..., K], the largest first. Equal elements keep
/// their order in the row. NaN counts as larger than every number. The last axis must have an integer extent of at
/// least K. Like TensorFlow's tf.math.top_k(sorted=True).
/// Gradient: that of the values at the chosen positions, zero elsewhere.
template<std::int64_t K, class A>
constexpr auto top_k(A const& x) {
    using O = with<op::top_k, op::top_k::attributes{K}>;
    constexpr fault f = detail::fault_of<O, A>();
    static_assert(f != fault::rank, "xgrad::top_k<k>(x): x is one number and has no axis; write reshape, or give an operand with an axis");
    static_assert(f != fault::dtypes, "xgrad::top_k<k>(x): x is bool; write cast<float>(x) or cast<std::int32_t>(x) first");
    static_assert(f != fault::inner,
        "xgrad::top_k<k>(x): the last axis of x is a named dimension, which may be shorter than k; declare x with an integer "
        "extent there");
    static_assert(f != fault::shapes, "xgrad::top_k<k>(x): k is outside of 1 ... extent of the last axis of x; write a smaller k");
    if constexpr (f != fault::none) return std::tuple<detail::refused, detail::refused>{};
    else return apply_all<O>(x);
}

/// Mean and variance over the axes (all if none is given), as a tuple: `auto [mean, variance] = moments<0>(x)`. The
/// variance is the mean of the squared differences from the mean. It is not corrected for the sample size (TensorFlow's
/// tf.nn.moments).
/// Gradient: that of the means in this definition.
template<int... Axes, Expr A>
constexpr auto moments(A const& x) {
    return std::tuple{mean<Axes...>(x), mean<Axes...>(square(x - mean<Axes...>(x, keep_dims)))};
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
