// SPDX-License-Identifier: MIT
// Gradients of each example, their norms and their clipped sums, against JAX's vmap of grad.
#include "derivatives.hpp"

#include <xgrad/grad/per_example.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using namespace derivatives;
using n = net<double>;
constexpr double tight = tolerance<double>;
struct loss_of_one : xg::region {
    static constexpr auto value(auto row, auto label) {
        auto const hidden = xg::tanh(xg::matmul(xg::expand_dims<0>(row), n::w) + n::b);
        return xg::sum(xg::sparse_softmax_cross_entropy(xg::matmul(hidden, n::v), xg::expand_dims<0>(label)));
    }
};
constexpr auto table = xg::input<"table", double, 5, 2>;
constexpr auto weights = xg::input<"weights", double, 2, 2>;
struct loss_of_words : xg::region {
    static constexpr auto value(auto ids) { return xg::sum(xg::tanh(xg::gather(table, ids)) * weights); }
};
}

TEST_CASE("gradients of each example, norms and clipped sums of a net") {
    constexpr auto xs = std::tuple{n::w, n::b};
    constexpr auto clip_norm = xg::input<"clip_norm", double>;
    constexpr auto all = xg::per_example_gradients<loss_of_one>(xs, n::x, n::label);
    constexpr auto norms = xg::per_example_gradient_norms<loss_of_one>(xs, n::x, n::label);
    constexpr auto sums = xg::per_example_clipped_sum<loss_of_one>(xs, clip_norm, n::x, n::label);
    static_assert(xg::value_of<decltype(std::get<0>(all))>.dims == xg::make_shape<3, 4, 5>());
    xg::function f{xg::outputs(
        std::get<0>(all), std::get<1>(all), norms, std::get<0>(sums), std::get<1>(sums), xg::gradient_of(xg::sum(norms), n::w))};
    auto const [of_w, of_b, lengths, sum_w, sum_b, slope] = f(n::x = numbers(0, {3, 4}), n::w = numbers(1, {4, 5}), n::b = numbers(2, {5}),
        n::v = numbers(3, {5, 2}), n::label = test::list<std::int32_t>({1, 0, 1}), clip_norm = 0.8);
    check_jax("each gradient_w", of_w, tight);
    check_jax("each gradient_b", of_b, tight);
    check_jax("each norms", lengths, tight);
    check_jax("each clipped_w", sum_w, tight);
    check_jax("each clipped_b", sum_b, tight);
    check_jax("each slope_of_norms", slope, tight);
}
TEST_CASE("rows of a table, one of them twice in an example; no examples") {
    static constexpr xg::dim batch{"batch"};
    constexpr auto ids = xg::input<"ids", std::int32_t, batch, 2>;
    xg::function f{xg::outputs(xg::per_example_gradients<loss_of_words>(table, ids),
        xg::per_example_gradient_norms<loss_of_words>(table, ids), xg::per_example_clipped_sum<loss_of_words>(table, 5_c, ids))};
    auto const t = numbers(15, {5, 2}), u = numbers(17, {2, 2});
    std::vector<std::int32_t> const words{4, 1, 2, 2};
    auto const [g, lengths, sum] = f(table = t, weights = u, ids = xg::array(words, 2, 2));
    check_jax("words gradient", g, tight);
    check_jax("words norms", lengths, tight);
    for (int i = 0; i < 10; ++i) CHECK(sum[i] == g[i] + g[10 + i]);   // none is clipped
    auto const [none, no_lengths, zeros] = f(table = t, weights = u, ids = xg::array(words.data(), 0, 2));
    CHECK(none.size() == 0);
    CHECK(no_lengths.size() == 0);
    for (int i = 0; i < 10; ++i) CHECK(zeros[i] == 0);
}
