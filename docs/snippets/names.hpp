// SPDX-License-Identifier: MIT
// What the expressions in the tables of names are made of: docs/from_*.md.
#pragma once

#include <xgrad/all.hpp>

namespace xgrad::names {

using namespace xgrad::literals;

// [operands]
inline constexpr auto x = input<"x", float, 4, 6>;
inline constexpr auto y = input<"y", float, 4, 6>;
inline constexpr auto s = input<"s", float>;                                     // a number
inline constexpr auto v = input<"v", float, 6>;                                  // a vector
inline constexpr auto w = input<"w", float, 6>;
inline constexpr auto m = input<"m", float, 5, 5>;                               // a matrix
inline constexpr auto rhs = input<"rhs", float, 5, 2>;
inline constexpr auto bands = input<"bands", float, 3, 5>;                       // of a matrix with three diagonals
inline constexpr auto two = input<"two", float, 2>;
inline constexpr auto xyz = input<"xyz", float, 4, 3>;                           // points
inline constexpr auto pixels = input<"pixels", float, 2, 8, 8, 4>;               // images, channels last
inline constexpr auto planes = input<"planes", float, 2, 4, 8, 8>;               // images, channels first
inline constexpr auto volumes = input<"volumes", float, 2, 8, 8, 8, 4>;           // channels last
inline constexpr auto kernel = input<"kernel", float, 3, 3, 4, 8>;               // rows, columns, channels, filters
inline constexpr auto kernel1 = input<"kernel1", float, 3, 6, 8>;
inline constexpr auto kernel3 = input<"kernel3", float, 3, 3, 3, 4, 8>;
inline constexpr auto colours = input<"colours", float, 2, 8, 8, 3>;             // images of three channels
inline constexpr auto heights = input<"heights", float, 3, 3, 4>;
inline constexpr auto boxes = input<"boxes", float, 3, 4>;
inline constexpr auto heads = input<"heads", float, 2, 4, 5, 6>;                 // batch, heads, length, width
inline constexpr auto frames = input<"frames", float, 4, 9, 6>;                  // batch, time, features
inline constexpr auto u = input<"u", float, 6, 6>;                               // weights of cells: of one, three and four gates
inline constexpr auto u3 = input<"u3", float, 6, 18>;
inline constexpr auto u4 = input<"u4", float, 6, 24>;
inline constexpr auto in3 = input<"in3", float, 4, 18>;
inline constexpr auto in4 = input<"in4", float, 4, 24>;
inline constexpr auto theta = input<"theta", float, 2, 2, 3>;                    // an affine map for each image
inline constexpr auto maps = input<"maps", float, 2, 8>;                          // a projective map for each image
inline constexpr auto large = input<"large", float, 2, 16, 16, 3>;               // images
inline constexpr auto table = input<"table", float, 10, 6>;
inline constexpr auto ids = input<"ids", std::int32_t, 3>;                       // of rows
inline constexpr auto rows = input<"rows", float, 3, 6>;
inline constexpr auto at = input<"at", std::int32_t, 3, 2>;                      // three places, row and column
inline constexpr auto values = input<"values", float, 3>;
inline constexpr auto part = input<"part", std::int32_t, 4>;                     // a class, a segment or a length for each row
inline constexpr auto bags = input<"bags", std::int32_t, 4, 5>;
inline constexpr auto i = input<"i", std::int32_t, 4, 6>;
inline constexpr auto j = input<"j", std::int32_t, 4, 6>;
inline constexpr auto b = input<"b", bool, 4, 6>;
inline constexpr auto c = input<"c", bool, 4, 6>;
inline constexpr auto flag = input<"flag", bool>;
inline constexpr auto n = input<"n", std::int32_t>;
inline constexpr auto s1 = sparse_tensor<4, 6>(at, values);                      // sparse matrices
inline constexpr auto s2 = sparse_tensor<4, 6>(at, 2_c * values);
inline constexpr auto z = complex(x, y);                                         // complex numbers

struct twice : region {
    static constexpr auto value(auto a) { return a + a; }
};
struct tripled : region {
    static constexpr auto value(auto a) { return 3_c * a; }
};
struct is_small : region {
    static constexpr auto value(auto a) { return sum(a) < 100_c; }
};
struct next : region {
    static constexpr auto value(auto a) { return carry(a + a); }
};
struct add_row : region {
    static constexpr auto value(auto a, auto row) { return carry(a + row).emit(a); }
};
struct plus : region {
    static constexpr auto value(auto a, auto row) { return a + row; }
};
struct slope : region {
    static constexpr auto value(auto, auto, auto g) { return g; }
};
// [/operands]

}
