// SPDX-License-Identifier: MIT
// The weights of layers are updated row by row in the loop of the gradient: the same steps as with updates after all gradients.
#include <support/tensor.hpp>

#include <xgrad/inspect/describe.hpp>
#include <xgrad/ops/layers.hpp>

#include <string>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 8>;
constexpr auto y = xg::input<"y", float, batch, 8>;
constexpr auto w = xg::variable<"w", float, 3, 8, 8>;
constexpr auto b = xg::variable<"b", float, 3, 8>;
struct layer : xg::region {
    static constexpr auto value(auto h, auto m, auto c) { return xg::tanh(xg::matmul(h, m) + c); }
};
constexpr auto loss = xg::mean(xg::square(xg::layers<3, layer>(x, w, b) - y));

// Loops that read a part of the rows.
constexpr auto shifted = xg::mean(xg::square(xg::layers<2, layer>(x, xg::slice<0, 1, 3>(w), xg::slice<0, 1, 3>(b)) -
                                             xg::layers<2, layer>(y, xg::slice<0, 0, 2>(w), xg::slice<0, 0, 2>(b))));
// Each iteration reads all rows, also those that were updated before it.
struct reader_of_all : xg::region {
    static constexpr auto value(auto h, auto m, auto c) {
        return xg::carry(xg::tanh(xg::matmul(h, m) + c + xg::mean(xg::sin(xg::stop_gradient(w) * xg::sum(h)))));
    }
};
constexpr auto reads_all = xg::mean(xg::square(std::get<0>(xg::scan<reader_of_all>(xg::carry(x), w, b)) - y));
template<class Train>
constexpr int rows_joined() {
    int n = 0;
    for (auto const& s : Train::program_type::plan.steps) n += s.kind == xg::planner::step_kind::update && s.joined_to > 0 && !s.fused;
    return n;
}
template<class Train>
std::vector<float> run(Train train) {
    train.initialize(xg::glorot_uniform{.seed = 5});
    std::vector<float> all;
    for (std::uint64_t k = 1; k <= 4; ++k)
        all.push_back(train(x = test::numbers<float>({5, 8}, -1, 1, k), y = test::numbers<float>({5, 8}, -1, 1, k + 9)));
    auto const values = train.value(w);
    all.insert(all.end(), values.begin(), values.end());
    return all;
}
using plain = decltype(xg::minimize(loss, xg::adam{}));
using gated = decltype(xg::minimize<xg::gating::graph>(loss, xg::adam{}));
}

TEST_CASE("the rows of the weights move in the loop, with the bits of an update after it") {
    static_assert(rows_joined<plain>() == 1 && rows_joined<gated>() == 0);   // rows of b are short
    static_assert(rows_joined<decltype(xg::minimize(shifted, xg::adam{}))>() == 0);
    static_assert(rows_joined<decltype(xg::minimize(reads_all, xg::adam{}))>() == 0);
    CHECK(xg::describe<plain>().find("row by row in step") != std::string::npos);
    auto const one = run(xg::minimize(loss, xg::adam{.learning_rate = 0.01})),
               two = run(xg::minimize<xg::gating::graph>(loss, xg::adam{.learning_rate = 0.01}));
    CHECK(one == two);
}
