// SPDX-License-Identifier: MIT
// Convolutions against the numbers of TensorFlow and PyTorch, and gradients of first and second order by finite differences.
#include "convolution_reference.hpp"

#include <support/reference.hpp>

#include <xgrad/ops/convolution/convolution_transpose.hpp>
#include <xgrad/train/check_gradients.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using namespace test::convolution;
using xg::window;
using xg::window_padding;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim length{"length"};

/// The scratch memory of volumes with two named extents is a polynomial that the planner can hold.
constexpr bool fits(std::int64_t groups, auto memory) {
    xg::value_info const &x = xg::value_of<decltype(xg::input<"x", float, batch, 4, batch, length, 2>)>,
                         &w = xg::value_of<decltype(xg::input<"w", float, 3, 3, 3, 1, 4>)>;
    auto const form = xg::detail::form_of_convolution(x, w, {.padding = window_padding::same, .groups = groups}, 3);
    return form.slip == xg::detail::convolution_slip::none &&
           !memory(xg::op::windowed_op::sizes_of(form.window, x.dims, w.dims, form.result), xg::op::windowed_op::read_of(x.dims)).overflow;
}
static_assert(fits(2, [](auto const& s, auto const& a) { return kernels::convolve_memory(s, a, 4); }));
static_assert(fits(2, [](auto const& s, auto const& a) { return kernels::convolve_channels_back_memory(s, a, a.width, 4); }));
static_assert(fits(2, [](auto const& s, auto const& a) { return kernels::convolve_filter_memory(s, a, 4); }));

/// The operands of tests/reference/convolution.py.
test::tensor<double> quarters(std::vector<std::int64_t> const& shape, std::int64_t seed) {
    test::tensor<double> r(shape);
    for (std::int64_t i = 0; i < r.size(); ++i) r[i] = static_cast<double>((i * 37 + i / 5 * 11 + seed * 5) % 17 - 8) / 4;
    return r;
}
xg::shape shape_of(std::vector<std::int64_t> const& s) {
    xg::shape r{};
    for (std::int64_t n : s) r.extents[r.rank++] = extent_of(n);
    return r;
}
std::vector<std::int64_t> numbers_of(xg::shape const& s) {
    std::vector<std::int64_t> r;
    for (int i = 0; i < s.rank; ++i) r.push_back(s.extents[i].constant);
    return r;
}
struct reference_case {
    std::string name;
    std::vector<std::int64_t> x, w;
    window how;
    bool transposed = false, depthwise = false;
    xg::per_axis output_padding = -1;
};
/// The numbers of one case by the kernels, as the operations would run them.
void check(reference_case c, std::map<std::string, std::vector<double>> const& expected) {
    CAPTURE(c.name);
    auto const x = quarters(c.x, 1), w = quarters(c.w, 2);
    int const axes = static_cast<int>(c.x.size()) - 2;
    if (c.depthwise) {
        c.how.groups = c.w[c.w.size() - 2];
        c.w = numbers_of(xg::detail::filter_of_groups(shape_of(c.w), axes));
    }
    xg::value_info const vx{xg::dtype::float64, shape_of(c.x), xg::fault::none}, vw{xg::dtype::float64, shape_of(c.w), xg::fault::none};
    auto const form = c.transposed ? xg::detail::form_of_transpose(vx, vw, c.how, c.output_padding, axes)
                                   : xg::detail::form_of_convolution(vx, vw, c.how, axes);
    REQUIRE(form.slip == xg::detail::convolution_slip::none);
    auto const result = numbers_of(form.result);
    auto const numbers = [&](std::string const& quantity) { return expected.at(c.name + "." + quantity); };
    REQUIRE(std::vector<double>(result.begin(), result.end()) == numbers("shape"));
    auto const g = quarters(result, 3);
    sizes const s = c.transposed ? xg::op::windowed_op::sizes_of(form.window, form.result, shape_of(c.w), shape_of(c.x))
                                 : xg::op::windowed_op::sizes_of(form.window, shape_of(c.x), shape_of(c.w), form.result);
    scratch_memory scratch(extent_of(1 << 20));
    std::int64_t const filter_rows = s.lines() * s.at[2].size * s.in;
    auto const compare = [&](auto kernel, auto const& a, auto const& b, std::string const& quantity, std::int64_t turns) {
        auto const& e = numbers(quantity);
        test::tensor<double> r({static_cast<std::int64_t>(e.size())});
        kernel(s, a.data(), b.data(), r.data(), 0, turns, scratch.data());
        for (std::size_t i = 0; i < e.size(); ++i) REQUIRE(r[static_cast<std::int64_t>(i)] == e[i]);
    };
    auto const all = [&](auto forward, auto back, auto filter) {
        compare(c.transposed ? back : forward, x, w, "y", c.transposed ? s.array_rows() : s.place_rows());
        compare(c.transposed ? forward : back, g, w, "dx", c.transposed ? s.place_rows() : s.array_rows());
        compare(filter, c.transposed ? g : x, c.transposed ? x : g, "dw", filter_rows);
    };
    if (s.is_by_channel())
        all(kernels::convolve_channels<double>, kernels::convolve_channels_back<double>, kernels::convolve_channels_filter<double>);
    all(kernels::convolve<double>, kernels::convolve_back<double>, kernels::convolve_filter<double>);
}
}

TEST_CASE("the numbers of TensorFlow and PyTorch") {
    auto const expected = test::read_reference("convolution.txt");
    auto const same = window_padding::same;
    reference_case const cases[]{
        {"same", {2, 5, 6, 3}, {3, 2, 3, 4}, {.padding = same}},
        {"valid", {1, 6, 7, 2}, {4, 3, 2, 5}, {}},
        {"same_stride", {2, 7, 6, 2}, {3, 4, 2, 3}, {.strides = {2, 3}, .padding = same}},
        {"valid_stride", {1, 8, 9, 1}, {2, 3, 1, 9}, {.strides = {3, 2}}},
        {"long_stride", {1, 7, 8, 2}, {1, 1, 2, 3}, {.strides = 2, .padding = same}},
        {"line", {2, 9, 3}, {4, 3, 2}, {.strides = 2, .padding = same}},
        {"volume", {1, 4, 3, 5, 2}, {2, 3, 2, 2, 3}, {.strides = {1, 2, 1}, .padding = same}},
        {"depthwise", {2, 5, 6, 3}, {3, 3, 3, 1}, {.padding = same}, false, true},
        {"multiplier", {1, 6, 5, 3}, {2, 3, 3, 2}, {.strides = 2, .padding = same}, false, true},
        {"causal", {2, 7, 2}, {3, 2, 3}, {.padding = window_padding::causal}},
        {"transpose_same", {1, 3, 4, 2}, {3, 3, 3, 2}, {.strides = 2, .padding = same}, true},
        {"transpose_valid", {1, 3, 2, 2}, {2, 4, 3, 2}, {.strides = {3, 2}}, true},
        {"transpose_even", {1, 4, 3, 2}, {4, 2, 1, 2}, {.strides = {2, 1}, .padding = same}, true},
        {"transpose_more", {1, 3, 3, 1}, {3, 3, 2, 1}, {.strides = 2, .padding = same}, true, false, 1},
        {"transpose_more_valid", {1, 3, 3, 1}, {3, 3, 2, 1}, {.strides = 2}, true, false, 1},
        {"dilated", {2, 8, 9, 2}, {3, 2, 2, 3}, {.dilations = {2, 3}, .padding = {{2, 1}, {2, 3}}}},
        {"dilated_stride", {1, 9, 8, 1}, {2, 3, 1, 4}, {.strides = {2, 1}, .dilations = {3, 2}, .padding = {{1, 2}, {0, 2}}}},
        {"groups", {2, 5, 5, 6}, {3, 3, 2, 9}, {.strides = {1, 2}, .padding = {1}, .groups = 3}},
        {"wide", {1, 4, 4, 2}, {3, 2, 2, 2}, {.strides = 2, .padding = {{4, 3}, {3, 3}}}},
        {"same_lower", {1, 5, 4, 1}, {2, 4, 1, 2}, {.padding = window_padding::same_lower}},
        {"torch_transpose", {1, 3, 4, 4}, {3, 2, 3, 4},
            {.strides = {2, 3}, .dilations = {1, 2}, .padding = xg::per_axis(1, 0), .groups = 2}, true, false, 1},
    };
    for (auto const& c : cases) check(c, expected);
}

TEST_CASE("gradients of programs, of first and second order") {
    constexpr auto x = xg::input<"x", double, batch, 5, 4, 2>;
    constexpr auto w = xg::variable<"w", double, 3, 2, 2, 4>;
    constexpr auto d = xg::variable<"d", double, 2, 3, 4, 2>;
    constexpr auto p = xg::variable<"p", double, 1, 1, 8, 2>;
    constexpr auto t = xg::variable<"t", double, 3, 3, 3, 2>;
    constexpr auto b = xg::variable<"b", double, 4>;
    constexpr auto hidden = xg::tanh(xg::conv2d<window{.strides = {2, 1}, .padding = window_padding::same}>(x, w) + b);
    constexpr auto mixed = xg::separable_conv2d<window{.padding = window_padding::same}>(hidden, d, p);
    constexpr auto back = xg::conv2d_transpose<window{.strides = 2, .padding = window_padding::same}>(mixed, t);
    constexpr auto loss = xg::sum(xg::sin(back));
    xg::variables own{loss};
    own.initialize(xg::random_uniform{.seed = 1, .range = 1});
    auto const X = test::numbers<double>({2, 5, 4, 2});
    auto const first = xg::check_gradients(loss, xg::wrt(w, d, p, t, b, x), own, x = X);
    CHECK_MESSAGE(first.ok, first.message);
    constexpr auto slopes = xg::gradients(loss, x, w, d, t);
    constexpr auto second = xg::sum(xg::sin(std::get<0>(slopes))) + xg::sum(xg::sin(std::get<1>(slopes))) +
                            xg::sum(xg::sin(std::get<2>(slopes))) + xg::sum(xg::sin(std::get<3>(slopes)));
    auto const r = xg::check_gradients(second, xg::wrt(w, d, p, t, b, x), {.tolerance = 1e-6}, own, x = X);
    CHECK_MESSAGE(r.ok, r.message);
}
TEST_CASE("a row of unknown length in float") {
    constexpr auto x = xg::input<"x", float, batch, length, 3>;
    constexpr auto w = xg::variable<"w", float, 3, 3, 4>;
    constexpr auto v = xg::variable<"v", float, 3, 2, 4>;
    constexpr auto hidden = xg::sigmoid(xg::conv1d<window{.dilations = 2, .padding = window_padding::causal}>(x, w));
    constexpr auto loss = xg::sum(xg::square(xg::conv1d_transpose(hidden, v)));
    xg::variables own{loss};
    own.initialize(xg::random_uniform{.seed = 1, .range = 1});
    auto const X = test::numbers<float>({3, 20, 3});
    auto const r = xg::check_gradients(loss, xg::wrt(w, v, x), own, x = X);
    CHECK_MESSAGE(r.ok, r.message);
}
