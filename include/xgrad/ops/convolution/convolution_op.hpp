// SPDX-License-Identifier: MIT
// Convolutions and their two gradients as operations. Each is linear in both operands, and its derivatives are the other two.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/operations/kernel_op.hpp>
#include <xgrad/kernels/convolution/scratch.hpp>
#include <xgrad/ops/convolution/window.hpp>

#include <array>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// Base of the three. The extents of the attributes are the shape of the result.
struct windowed_op : kernel_op {
    struct attributes {
        std::int64_t strides[3], dilations[3], before[3], groups;
    };
    using sizes = kernels::convolution::sizes;

    /// `x(i)`, `w(i)` and `y(i)` are the extents of the array, the filter and the result of the convolution.
    static constexpr sizes sizes_from(attributes const& a, int rank, auto const& x, auto const& w, auto const& y) {
        sizes s{x(0), {}, w(rank - 2), w(rank - 1) / a.groups, a.groups};
        int const first = 5 - rank;   // of the axes that exist
        for (int i = 0; i < 3; ++i)
            s.at[i] = i < first ? kernels::convolution::axis{1, 1, 1, 1, 1, 0}
                                : kernels::convolution::axis{x(i - first + 1), y(i - first + 1), w(i - first), a.strides[i - first],
                                      a.dilations[i - first], a.before[i - first]};
        return s;
    }
    template<std::size_t R>
    static sizes sizes_of(attributes const& a, std::array<std::int64_t, R> const& x, std::array<std::int64_t, R> const& w,
        std::array<std::int64_t, R> const& y) {
        auto const of = [](auto const& s) { return [&s](int i) { return s[static_cast<std::size_t>(i)]; }; };
        return sizes_from(a, static_cast<int>(R), of(x), of(w), of(y));
    }
    /// A named dimension counts as a large number: only differences of such extents are used.
    static constexpr sizes sizes_of(attributes const& a, shape const& x, shape const& w, shape const& y) {
        auto const of = [](shape const& s) {
            return [&s](int i) { return s.extents[i].constant + (s.extents[i].is_static() ? 0 : std::int64_t{1} << 20); };
        };
        return sizes_from(a, x.rank, of(x), of(w), of(y));
    }
    static constexpr kernels::convolution::read_array read_of(shape const& s) {
        extent const one = static_extent(1);
        return {s.rank > 3 ? s.extents[s.rank - 3] : one, s.extents[s.rank - 2], s.extents[s.rank - 1].constant};
    }
    static constexpr std::int64_t bytes_of_element(dtype type) { return static_cast<std::int64_t>(size_of(type)); }
    /// Rows along the last axis but one.
    static constexpr extent rows_in(shape const& s) {
        extent n = static_extent(1);
        for (int i = 0; i + 2 < s.rank; ++i) n = n * s.extents[i];
        return n;
    }
    static constexpr extent flops_of(shape const& w, shape const& y) {
        extent n = y.size() * static_extent(2);
        for (int i = 0; i + 1 < w.rank; ++i) n = n * w.extents[i];
        return n;
    }
    static constexpr value_info result_of(value_info const* v, xgrad::attributes const& a) {
        value_info r{v[0].type, a.target(), fault::none};
        if (!is_floating(v[0].type)) r.wrong = fault::not_floating;
        else if (v[0].type != v[1].type) r.wrong = fault::dtypes;
        else if (v[0].dims.rank != r.dims.rank || v[1].dims.rank != r.dims.rank || r.dims.rank < 3 || r.dims.rank > 5)
            r.wrong = fault::rank;
        return r;
    }
    /// Another one of the three, with the same window.
    template<class Op>
    static constexpr symbol other(derivation const& d, shape const& result, symbol a, symbol b) {
        return apply_with<Op>(xgrad::attributes{d.attrs->words, result.extents, d.attrs->word_count, result.rank, 0, {}}, a, b);
    }
};

/// Operands: g of the result, and the filter. The result is the gradient of the array.
template<bool ByChannel>
struct convolution_input_gradient;
/// Operands: the array, and g of the result. The result is the gradient of the filter.
template<bool ByChannel>
struct convolution_filter_gradient;

/// Operands: an array [batch, spatial..., channels] and a filter [size..., channels / groups, out]. ByChannel: each group is one channel.
template<bool ByChannel>
struct convolution : windowed_op {
    static constexpr std::string_view name = ByChannel ? "depthwise_convolution" : "convolution";
    static constexpr bool in_order = true;
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const& a, int) { return result_of(v, a); }
    static constexpr extent turns(kernel_operands const& v) { return rows_in(v.dims(2)); }
    static constexpr extent flops(kernel_operands const& v) { return flops_of(v.dims(1), v.dims(2)); }
    static constexpr extent scratch_bytes(kernel_operands const& v) {
        using namespace kernels::convolution;
        sizes const s = sizes_of(v.attrs.as<attributes>(), v.dims(0), v.dims(1), v.dims(2));
        std::int64_t const element = bytes_of_element(v[0].type);
        return ByChannel ? convolve_channels_memory(s, read_of(v.dims(0)), element) : convolve_memory(s, read_of(v.dims(0)), element);
    }
    template<class T, int R>
    static void run(
        attributes const& a, kernel_part const& part, tensor_view<T const, R> x, tensor_view<T const, R> w, tensor_view<T, R> y) {
        using namespace kernels::convolution;
        sizes const s = sizes_of(a, x.shape(), w.shape(), y.shape());
        if constexpr (ByChannel) convolve_channels(s, x.data(), w.data(), y.data(), part.first, part.last, part.scratch);
        else convolve(s, x.data(), w.data(), y.data(), part.first, part.last, part.scratch);
    }
    static constexpr void derive(derivation& d) {
        if (d.wanted[0]) d.out[0] = other<convolution_input_gradient<ByChannel>>(d, d.info(0).dims, d.gradient, d.operands[1]);
        if (d.wanted[1]) d.out[1] = other<convolution_filter_gradient<ByChannel>>(d, d.info(1).dims, d.operands[0], d.gradient);
    }
};
template<bool ByChannel>
struct convolution_input_gradient : windowed_op {
    static constexpr std::string_view name = ByChannel ? "depthwise_input_gradient" : "convolution_input_gradient";
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const& a, int) { return result_of(v, a); }
    static constexpr extent turns(kernel_operands const& v) { return rows_in(v.dims(2)); }
    static constexpr extent flops(kernel_operands const& v) { return flops_of(v.dims(1), v.dims(0)); }
    static constexpr extent scratch_bytes(kernel_operands const& v) {
        using namespace kernels::convolution;
        sizes const s = sizes_of(v.attrs.as<attributes>(), v.dims(2), v.dims(1), v.dims(0));
        std::int64_t const element = bytes_of_element(v[0].type);
        return ByChannel ? convolve_channels_back_memory(s, read_of(v.dims(0)), v.dims(2).extents[v.dims(2).rank - 2], element)
                         : convolve_back_memory(s, read_of(v.dims(0)), element);
    }
    template<class T, int R>
    static void run(
        attributes const& a, kernel_part const& part, tensor_view<T const, R> g, tensor_view<T const, R> w, tensor_view<T, R> x) {
        using namespace kernels::convolution;
        sizes const s = sizes_of(a, x.shape(), w.shape(), g.shape());
        if constexpr (ByChannel) convolve_channels_back(s, g.data(), w.data(), x.data(), part.first, part.last, part.scratch);
        else convolve_back(s, g.data(), w.data(), x.data(), part.first, part.last, part.scratch);
    }
    static constexpr void derive(derivation& d) {
        if (d.wanted[0]) d.out[0] = other<convolution<ByChannel>>(d, d.info(0).dims, d.gradient, d.operands[1]);
        if (d.wanted[1]) d.out[1] = other<convolution_filter_gradient<ByChannel>>(d, d.info(1).dims, d.gradient, d.operands[0]);
    }
};
template<bool ByChannel>
struct convolution_filter_gradient : windowed_op {
    static constexpr std::string_view name = ByChannel ? "depthwise_filter_gradient" : "convolution_filter_gradient";
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const& a, int) { return result_of(v, a); }
    static constexpr extent turns(kernel_operands const& v) { return rows_in(v.dims(2)) * v.dims(2).extents[v.dims(2).rank - 2]; }
    static constexpr extent flops(kernel_operands const& v) { return flops_of(v.dims(2), v.dims(1)); }
    static constexpr extent scratch_bytes(kernel_operands const& v) {
        using namespace kernels::convolution;
        sizes const s = sizes_of(v.attrs.as<attributes>(), v.dims(0), v.dims(2), v.dims(1));
        std::int64_t const element = bytes_of_element(v[0].type);
        return ByChannel ? convolve_channels_filter_memory(s, read_of(v.dims(0)), element)
                         : convolve_filter_memory(s, read_of(v.dims(0)), element);
    }
    template<class T, int R>
    static void run(
        attributes const& a, kernel_part const& part, tensor_view<T const, R> x, tensor_view<T const, R> g, tensor_view<T, R> w) {
        using namespace kernels::convolution;
        sizes const s = sizes_of(a, x.shape(), w.shape(), g.shape());
        if constexpr (ByChannel) convolve_channels_filter(s, x.data(), g.data(), w.data(), part.first, part.last, part.scratch);
        else convolve_filter(s, x.data(), g.data(), w.data(), part.first, part.last, part.scratch);
    }
    static constexpr void derive(derivation& d) {
        if (d.wanted[0]) d.out[0] = other<convolution_input_gradient<ByChannel>>(d, d.info(0).dims, d.operands[1], d.gradient);
        if (d.wanted[1]) d.out[1] = other<convolution<ByChannel>>(d, d.info(1).dims, d.operands[0], d.gradient);
    }
};
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
