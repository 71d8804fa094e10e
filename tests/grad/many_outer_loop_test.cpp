// SPDX-License-Identifier: MIT
// A loop whose body reads 70 variables, and its gradients, against hand-written loops.
#include <support/tensor.hpp>

#include <xgrad/train/flat_gradients.hpp>

#include <array>

namespace {
namespace xg = xgrad;
using namespace xg::literals;

constexpr int many = 70, wide = 40, turns = 4;   // rows of `wide` are too long for a body in registers
using number_row = std::array<double, wide>;

/// The sum of (H + w)² over the variables w from First on.
template<class H, int First, int Count>
struct sum_of : xg::let<sum_of<H, First, Count>> {
    static constexpr auto value() {
        if constexpr (Count == 1) return xg::square(H{} + xg::variable<xg::numbered<"w", First>, double, wide>);
        else return sum_of<H, First, Count / 2>{} + sum_of<H, First + Count / 2, Count - Count / 2>{};
    }
};
constexpr auto start = xg::input<"start", double, wide>;
constexpr auto rows = xg::input<"rows", double, turns, wide>;
struct cell : xg::region {
    static constexpr auto value(auto h, auto row) {
        auto const next = sum_of<decltype(h), 0, many>{} * 0.001_c + row;
        return xg::carry(next).emit(next);
    }
};
constexpr auto loss = xg::sum(xg::square(std::get<1>(xg::scan<cell>(xg::carry(start), rows))));

/// The loop and its gradients by the variables, which are `many` rows of w.
struct expected {
    double loss = 0;
    std::vector<double> of_w = std::vector<double>(static_cast<std::size_t>(many * wide));

    expected(number_row const& begin, double const* row, double const* w) {
        std::vector<number_row> h{begin};
        for (int t = 0; t < turns; ++t) {
            number_row next{};
            for (std::size_t j = 0; j < wide; ++j) {
                double sum = 0;
                for (std::size_t i = 0; i < many; ++i) sum += (h.back()[j] + w[i * wide + j]) * (h.back()[j] + w[i * wide + j]);
                next[j] = sum * 0.001 + row[static_cast<std::size_t>(t) * wide + j];
                loss += next[j] * next[j];
            }
            h.push_back(next);
        }
        number_row of_h{};
        for (std::size_t t = turns; t-- > 0;)
            for (std::size_t j = 0; j < wide; ++j) {
                double const g = of_h[j] + 2 * h[t + 1][j];
                of_h[j] = 0;
                for (std::size_t i = 0; i < many; ++i) {
                    double const slope = 0.002 * g * (h[t][j] + w[i * wide + j]);
                    of_h[j] += slope;
                    of_w[i * wide + j] += slope;
                }
            }
    }
};
}

TEST_CASE("a loop whose body reads 70 variables, and its gradients") {
    number_row begin{};
    for (std::size_t j = 0; j < wide; ++j) begin[j] = 0.5 * std::cos(static_cast<double>(j));
    test::tensor<double> in({turns, wide});
    for (std::int64_t i = 0; i < in.size(); ++i) in[i] = std::sin(0.37 * static_cast<double>(i));
    auto train = xg::minimize<xg::gating::graph>(loss, xg::gradient_descent{});
    train.initialize(xg::random_uniform{.seed = 3, .range = 1});
    xg::flat_gradients flat{train};
    std::vector<double> w(static_cast<std::size_t>(many * wide)), g(w);
    REQUIRE(static_cast<std::size_t>(flat.measure()) == g.size());
    flat.read_variables(w.data());
    double const value = train.compute_gradients(start = begin, rows = in);
    REQUIRE(flat.read_gradients(g.data()));
    expected const by_loops(begin, in.data(), w.data());
    CHECK(std::abs(value - by_loops.loss) < 1e-11 * by_loops.loss);
    double largest = 0;
    for (std::size_t k = 0; k < g.size(); ++k) largest = std::max(largest, std::abs(g[k] - by_loops.of_w[k]));
    CHECK(largest < 1e-12);
    CHECK(w[0] != w[wide]);
}
