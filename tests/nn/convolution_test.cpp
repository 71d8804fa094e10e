// SPDX-License-Identifier: MIT
// Convolution layers: names and shapes of their variables, and values as the convolutions that they are.
#include <support/tensor.hpp>

#include <xgrad/nn/convolution.hpp>
#include <xgrad/ops/eval.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using xg::window;
using xg::window_padding;
inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", double, batch, 6, 5, 4>;

template<class A, class B>
constexpr bool same(A, B) {
    return std::is_same_v<A, B>;
}
}

TEST_CASE("convolution layers have variables of their names, and share them where they say so") {
    constexpr window how{.strides = 2, .padding = window_padding::same};
    constexpr auto plain = xg::nn::conv2d<"plain", 6, xg::per_axis(3, 2), how>(x);
    static_assert(same(plain.w, xg::variable<"plain/w", double, 3, 2, 4, 6>));
    static_assert(same(plain.b, xg::variable<"plain/b", double, 6>));
    constexpr auto grouped = xg::nn::conv2d<"grouped", 6, 1, window{.groups = 2}, false>(plain);
    static_assert(same(grouped.w, xg::variable<"grouped/w", double, 1, 1, 3, 6>));
    constexpr auto again = xg::nn::conv2d<"grouped", 6, 1, window{.groups = 2}, false>(-plain, xg::nn::shared);
    constexpr auto by_channel = xg::nn::depthwise_conv2d<"deep", 2, 2>(grouped);
    static_assert(same(by_channel.w, xg::variable<"deep/w", double, 2, 2, 6, 2>));
    static_assert(same(by_channel.b, xg::variable<"deep/b", double, 12>));
    constexpr auto apart = xg::nn::separable_conv2d<"apart", 3, 2, window{.padding = window_padding::same}>(by_channel);
    constexpr auto back = xg::nn::conv2d_transpose<"back", 3, 2, how>(apart);
    static_assert(same(back.w, xg::variable<"back/w", double, 2, 2, 3, 3>));
    // A padding in numbers is PyTorch's on all axes, also where it is 0.
    constexpr auto gap = xg::nn::conv2d_transpose<"gap", 1, xg::per_axis(3, 1), window{.strides = 2, .padding = window_padding{{1, 0}}}>(x);
    static_assert(xg::value_of<decltype(gap)>.dims == xg::make_shape<batch, 11, 9, 1>());
    constexpr auto model = xg::eval(xg::dropout<"drop">(back, 0.5_c));

    constexpr auto d = xg::variable<"apart/depthwise/w", double, 2, 2, 12, 1>;
    constexpr auto p = xg::variable<"apart/pointwise/w", double, 1, 1, 12, 3>;
    constexpr auto pb = xg::variable<"apart/pointwise/b", double, 3>;
    constexpr auto h1 = xg::conv2d<how>(x, plain.w) + plain.b;
    constexpr auto h2 = xg::depthwise_conv2d(xg::conv2d<window{.groups = 2}>(h1, grouped.w), by_channel.w) + by_channel.b;
    constexpr auto h3 = xg::separable_conv2d<window{.padding = window_padding::same}>(h2, d, p) + pb;
    constexpr auto written = xg::conv2d_transpose<how>(h3, back.w) + back.b;

    xg::variables owner{back};
    owner.initialize(xg::glorot_uniform{.seed = 3}, xg::initial(xg::random_uniform{.seed = 4}, plain.b));
    xg::function f{xg::outputs(back, written, model, grouped, again), owner};
    auto const X = test::numbers<double>({2, 6, 5, 4});
    auto const [a, b, c, g, shared] = f(x = X);
    REQUIRE(a.shape() == std::array<std::int64_t, 4>{2, 4, 4, 3});
    REQUIRE(a.shape() == b.shape());
    bool moved = false;
    for (std::int64_t i = 0; i < a.size(); ++i) {
        CHECK(a[i] == b[i]);
        CHECK(a[i] == c[i]);
        moved = moved || a[i] != 0;
    }
    for (std::int64_t i = 0; i < g.size(); ++i) CHECK(g[i] == -shared[i]);
    CHECK(moved);
}
TEST_CASE("layers along one axis and three") {
    constexpr auto line = xg::input<"line", float, batch, 9, 2>;
    constexpr auto cube = xg::input<"cube", float, batch, 4, 4, 4, 2>;
    constexpr auto a = xg::nn::conv1d_transpose<"back", 3, 2>(xg::nn::depthwise_conv1d<"deep", 1, 3>(xg::nn::conv1d<"first", 4, 3>(line)));
    static_assert(same(a.w, xg::variable<"back/w", float, 2, 3, 4>));
    static_assert(xg::value_of<decltype(a)>.dims == xg::make_shape<batch, 6, 3>());
    constexpr auto b = xg::nn::conv3d_transpose<"out", 2, 2>(xg::nn::conv3d<"in", 3, 2, window{.strides = 2}>(cube));
    static_assert(same(b.w, xg::variable<"out/w", float, 2, 2, 2, 2, 3>));
    static_assert(xg::value_of<decltype(b)>.dims == xg::make_shape<batch, 3, 3, 3, 2>());
}
