// SPDX-License-Identifier: MIT
// Weights and reductions of losses against tf.losses of TensorFlow 1.x, values and gradients; zeros, no elements, infinite losses.
#include <ops/losses_reference.hpp>

#include <xgrad/ops/losses/errors.hpp>
#include <xgrad/ops/losses/margins.hpp>
#include <xgrad/ops/losses/weighted_loss.hpp>
#include <xgrad/train/check_gradients.hpp>

namespace {
using namespace losses_reference;
using enum xg::loss_reduction;
constexpr auto t = operand<"t">;
constexpr auto z = operand<"z">;
constexpr auto all = operand<"all">;
constexpr auto rows = xg::input<"rows", double, 4, 1>;
constexpr auto one = xg::input<"one", double>;
constexpr auto y = xg::huber(x, t, 0.75_c);
inline constexpr xg::dim batch{"batch"};

constexpr auto reduced(auto weights) {
    return std::tuple{xg::weighted_loss<none>(y, weights), xg::weighted_loss<sum>(y, weights), xg::weighted_loss<mean>(y, weights),
        xg::weighted_loss<sum_over_batch_size>(y, weights), xg::weighted_loss(y, weights)};
}
}

TEST_CASE("weights and reductions of tf.losses") {
    auto const file = test::read_reference("losses.txt");
    std::vector<std::string> names;
    for (char const* weights : {"one", "rows", "all", "zero"})
        for (char const* how : {"tf1.none.", "tf1.sum.", "tf1.mean.", "tf1.batch.", "tf1.nonzero."})
            names.push_back(std::string(how) + weights);
    for (char const* other : {"tf1.absolute", "tf1.hinge", "tf1.pairwise"}) names.push_back(other);
    compare(file, names, 1e-6, x,
        std::tuple_cat(reduced(one), reduced(rows), reduced(all), reduced(0_c),
            std::tuple{xg::absolute_error(x, t), xg::hinge(x, 2_c * z - 1_c),
                xg::weighted_loss<sum>(xg::mean_pairwise_squared_error(x, t), xg::squeeze<1>(rows))}),
        x = numbers(file, "x"), t = numbers(file, "t"), z = numbers(file, "z"), w = numbers(file, "w"), one = 1.5,
        rows = numbers(file, "row_weights", {4, 1}), all = numbers(file, "weights"));
}

TEST_CASE("weights of 0, infinite losses, no losses, named dimensions, gradients of weights") {
    constexpr auto a = xg::input<"a", float, batch, 3>;
    constexpr auto u = xg::input<"u", float, batch, 1>;
    constexpr auto s = xg::input<"s", float>;
    xg::function f{xg::outputs(xg::weighted_loss<mean>(a, u), xg::weighted_loss(a, u), xg::weighted_loss<sum_over_batch_size>(a, u),
        xg::weighted_loss<mean>(a, s), xg::weighted_loss(a, s), xg::weighted_loss<mean>(u, 3_c), xg::weighted_loss(u),
        xg::mean_pairwise_squared_error(a, 0_c * a), xg::mean_pairwise_squared_error(u, u), xg::gradient_of(xg::weighted_loss(a, u), a))};
    float const inf = std::numeric_limits<float>::infinity();
    auto const check = [&](auto const& r, std::vector<double> const& expected) {
        test::check_close("numbers",
            std::vector<double>{static_cast<double>(std::get<0>(r)), static_cast<double>(std::get<1>(r)),
                static_cast<double>(std::get<2>(r)), static_cast<double>(std::get<3>(r)), static_cast<double>(std::get<4>(r)),
                static_cast<double>(std::get<5>(r)), static_cast<double>(std::get<6>(r))},
            expected, 1e-6);
    };
    std::vector<float> const losses{1, 2, 3, inf, -inf, 5}, weights{2, 0};
    auto const r = f(a = xg::array(losses, 2, 3), u = xg::array(weights, 2, 1), s = 0.0F);
    check(r, {2, 4, 2, 0, 0, 1, 1});
    CHECK(std::get<7>(r)[0] == doctest::Approx(2));
    CHECK((std::get<8>(r)[0] == 0 && std::get<8>(r)[1] == 0));   // no pairs
    test::check_close("slope", std::get<9>(r), {2.0 / 3, 2.0 / 3, 2.0 / 3, 0, 0, 0}, 1e-6);
    std::vector<float> const nothing;
    check(f(a = xg::array(nothing, 0, 3), u = xg::array(nothing, 0, 1), s = 1.0F), {0, 0, 0, 0, 0, 0, 0});

    constexpr auto loss = xg::weighted_loss<mean>(xg::square(a), u) + xg::weighted_loss(xg::square(a), u) + xg::weighted_loss<mean>(a, s);
    auto const report =
        xg::check_gradients(loss, xg::wrt(a, u, s), a = test::numbers<float>({5, 3}), u = test::numbers<float>({5, 1}, 0.5, 2), s = 0.75F);
    CHECK_MESSAGE(report.ok, report.message);
}
