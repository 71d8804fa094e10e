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

/// to[i * to_step + j] = from[i + j * from_step] for i < m and j < n.
template<class M>
XGRAD_NOINLINE void copy_transposed(M const* from, std::int64_t from_step, M* to, std::int64_t to_step, std::int64_t m, std::int64_t n) {
    using L = xgrad::detail::square_lanes<sizeof(M)>;
    using V = typename L::type;
    constexpr std::int64_t W = L::size, line = 64 / sizeof(M);   // a line of the cache of `from` is read once
    for (std::int64_t first = 0; first < m; first += line) {
        std::int64_t const rows = m - first < line ? m - first : line, end = first + rows, whole = first + rows / W * W;
        for (std::int64_t j = 0; j < n / W * W; j += W) {
            for (std::int64_t i = first; i < whole; i += W) {
                V r[W];
#pragma GCC unroll 8
                for (std::int64_t k = 0; k < W; ++k) std::memcpy(&r[k], from + i + (j + k) * from_step, sizeof(V));
                L::transpose(r);
#pragma GCC unroll 8
                for (std::int64_t k = 0; k < W; ++k) {
                    V const row = r[k];
                    std::memcpy(to + (i + k) * to_step + j, &row, sizeof row);
                }
            }
            for (std::int64_t i = whole; i < end; ++i)
                for (std::int64_t k = 0; k < W; ++k) to[i * to_step + j + k] = from[i + (j + k) * from_step];
        }
        for (std::int64_t j = n / W * W; j < n; ++j)
            for (std::int64_t i = first; i < end; ++i) to[i * to_step + j] = from[i + j * from_step];
    }
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
