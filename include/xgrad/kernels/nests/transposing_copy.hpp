// SPDX-License-Identifier: MIT
// A nest that only copies an operand whose rows are adjacent along another dimension: squares are transposed in registers.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/kernels/nests/instructions.hpp>
#include <xgrad/meta/square_lanes.hpp>

#include <cstring>
#include <utility>

XGRAD_NAMESPACE_BEGIN
namespace kernels {
namespace detail {

template<std::size_t Bytes>
inline constexpr bool has_squares = Bytes == 4 || Bytes == 8;

/// p + k step for k < 8. Each is one address of x86, of three products that a loop keeps.
class steps_of_eight {
    std::int64_t one_, three_, five_, seven_;

public:
    explicit steps_of_eight(std::int64_t step) : one_(step), three_(3 * step), five_(5 * step), seven_(7 * step) {}
    template<int K, class M>
    XGRAD_INLINE M* at(M* p) const {
        if constexpr (K == 3) return p + three_;
        else if constexpr (K == 5) return p + five_;
        else if constexpr (K == 6) return p + 2 * three_;
        else if constexpr (K == 7) return p + seven_;
        else return p + K * one_;
    }
};
/// A square of adjacent elements of some rows becomes as many rows of `to`.
template<class M, int... K>
XGRAD_INLINE void transpose_square(
    M const* from, steps_of_eight const& from_steps, M* to, steps_of_eight const& to_steps, std::integer_sequence<int, K...>) {
    using L = xgrad::detail::square_lanes<sizeof(M)>;
    typename L::type r[sizeof...(K)];
    (std::memcpy(&r[K], from_steps.at<K>(from), sizeof r[K]), ...);
    L::transpose(r);
    auto const put = [](M* p, typename L::type row) { std::memcpy(p, &row, sizeof row); };
    (put(to_steps.at<K>(to), r[K]), ...);
}
/// to[i * to_step + j] = from[i + j * from_step] for i < Rows and j < n.
template<std::int64_t Rows, class M>
XGRAD_INLINE void transpose_strip(M const* from, std::int64_t from_step, M* to, std::int64_t to_step, std::int64_t n) {
    constexpr std::int64_t W = xgrad::detail::square_lanes<sizeof(M)>::size;
    steps_of_eight const from_steps(from_step), to_steps(to_step);
    std::int64_t j = 0;
    for (; j + W <= n; j += W)
#pragma GCC unroll 4
        for (std::int64_t i = 0; i < Rows; i += W)
            transpose_square(from + j * from_step + i, from_steps, to + i * to_step + j, to_steps, std::make_integer_sequence<int, W>{});
    for (; j < n; ++j)
        for (std::int64_t i = 0; i < Rows; ++i) to[i * to_step + j] = from[i + j * from_step];
}
/// to[i * to_step + j] = from[i + j * from_step] for i < m and j < n.
template<class M>
XGRAD_NOINLINE void copy_transposed(M const* from, std::int64_t from_step, M* to, std::int64_t to_step, std::int64_t m, std::int64_t n) {
    constexpr std::int64_t W = xgrad::detail::square_lanes<sizeof(M)>::size,
                           line = 64 / sizeof(M);   // a line of the cache of `from` is read once
    std::int64_t i = 0;
    for (; i + line <= m; i += line) transpose_strip<line>(from + i, from_step, to + i * to_step, to_step, n);
    for (; i + W <= m; i += W) transpose_strip<W>(from + i, from_step, to + i * to_step, to_step, n);
    for (; i < m; ++i)
        for (std::int64_t j = 0; j < n; ++j) to[i * to_step + j] = from[i + j * from_step];
}

/// Whether the instructions I... only copy, and the operand is strided along the rows.
template<class... I>
struct copy_of_strided {
    static constexpr bool holds = false;
};
template<int From, int To, class M>
struct copy_of_strided<ld<From, M, 2, 0, 2>, st<0, To, M, 2, 0, 1>> {
    static constexpr bool holds = has_squares<sizeof(M)>;
    /// Copies if a dimension is adjacent in the operand, and returns whether it did.
    template<int OuterRank>
    XGRAD_NOINLINE static bool run(step_arguments const& a, std::int64_t n) {
        auto const &x = a.operands[From], &y = a.operands[To];
        int along = OuterRank - 1;
        while (along >= 0 && (x.stride[along] != 1 || a.extent[along] < 4)) --along;
        if (along < 0 || n < 4) return false;
        std::int64_t index[OuterRank]{};
        for (;;) {
            std::int64_t at = 0, to = 0;
            for (int d = 0; d < OuterRank; ++d) {
                at += index[d] * x.stride[d];
                to += index[d] * y.stride[d];
            }
            copy_transposed(
                reinterpret_cast<M const*>(x.data) + at, x.inner, reinterpret_cast<M*>(y.data) + to, y.stride[along], a.extent[along], n);
            int d = OuterRank - 1;
            for (; d >= 0; --d) {
                if (d == along) continue;
                if (++index[d] < a.extent[d]) break;
                index[d] = 0;
            }
            if (d < 0) return true;
        }
    }
};

}   // namespace detail
}   // namespace kernels
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
