// SPDX-License-Identifier: MIT
// det of GradBench: a determinant by minors. Row by row a loop makes the minors of the first rows, one for each set of columns, from those
// of the row before. Each minor is computed once.
#include "protocol.hpp"

#include <xgrad/xgrad.hpp>

#include <bit>

namespace {
namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim size{"size"};
inline constexpr xg::dim sets{"sets"};   // of columns: 2^size
constexpr auto matrix = xg::input<"matrix", double, size, size>;
// For each set and column: the set without the column, and the sign of the column in the expansion by the last row.
// Both are 0 if the column is not in the set.
constexpr auto without = xg::input<"without", std::int32_t, sets, size>;
constexpr auto sign = xg::input<"sign", double, sets, size>;
constexpr auto start = xg::input<"start", double, sets>;   // the minor without rows: 1 for no columns, else 0

struct expansion : xg::region {
    static constexpr auto value(auto minors, auto row) { return xg::carry(xg::sum<1>(xg::gather(minors, without) * (sign * row))); }
};
// Minors of all rows: those of fewer columns are 0.
constexpr auto determinant = xg::sum(std::get<0>(xg::scan<expansion>(xg::carry(start), matrix)));
constexpr auto slope = xg::gradient_of(determinant, matrix);

struct input {
    std::int64_t size, sets;
    std::vector<double> a, sign, start;
    std::vector<std::int32_t> without;

    explicit input(gradbench::json const& j)
        : size(j.at("ell")), sets(std::int64_t{1} << size), a(j.at("A")), start(static_cast<std::size_t>(sets)) {
        start[0] = 1;
        for (std::uint32_t set = 0; set < static_cast<std::uint32_t>(sets); ++set)
            for (std::int64_t column = 0; column < size; ++column) {
                std::uint32_t const bit = 1u << column;
                bool const in = (set & bit) != 0;
                without.push_back(static_cast<std::int32_t>(set & ~bit));
                sign.push_back(!in ? 0 : std::popcount(set / bit) % 2 == 1 ? 1 : -1);
            }
    }
};
struct primal {
    input const& in;
    xg::function<decltype(determinant)> f{determinant};
    double result = 0;

    explicit primal(input const& given) : in(given) {}
    void compute() {
        result = f(matrix = xg::array(in.a, in.size, in.size), without = xg::array(in.without, in.sets, in.size),
            sign = xg::array(in.sign, in.sets, in.size), start = in.start);
    }
    gradbench::json output() const { return result; }
};
struct gradient {
    input const& in;
    xg::function<decltype(slope)> f{slope};
    std::vector<double> result;

    explicit gradient(input const& given) : in(given), result(given.a.size()) {}
    void compute() {
        f.into(xg::array(result.data(), in.size, in.size))(matrix = xg::array(in.a, in.size, in.size),
            without = xg::array(in.without, in.sets, in.size), sign = xg::array(in.sign, in.sets, in.size), start = in.start);
    }
    gradbench::json output() const { return result; }
};
}

int main(int argc, char** argv) {
    return gradbench::answer_all(argc, argv, {{"primal", gradbench::run<input, primal>}, {"gradient", gradbench::run<input, gradient>}});
}
