// SPDX-License-Identifier: MIT
// Moved, joined and turned axes, differences, blocks of pixels: NumPy's and SciPy's numbers, loops over pixels, gradients.
#include "shapes_reference.hpp"
#include <support/tensor.hpp>

#include <xgrad/ops/axes.hpp>
#include <xgrad/ops/blocks.hpp>
#include <xgrad/train/check_gradients.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim time_dim{"time"};
}

TEST_CASE("axes as NumPy moves them") {
    constexpr auto x = xg::input<"x", std::int32_t, 2, 3, 4>;
    constexpr auto flags = xg::input<"flags", bool, 2, 3, 4>;
    constexpr auto row = xg::squeeze<0, 1>(xg::slice<1, 0, 1>(xg::slice<0, 0, 1>(x)));
    constexpr auto matrix = xg::squeeze<0>(xg::slice<0, 0, 1>(x));
    xg::function f{xg::outputs(xg::moveaxis<0, 2>(x), xg::moveaxis<-1, 0>(x), xg::swapaxes<0, 2>(x), xg::swapaxes<-1, 1>(x), xg::rot90(x),
        xg::rot90<2>(x), xg::rot90<3>(x), xg::rot90<-1, 1, 2>(x), xg::rot90<5, -1, 0>(x), xg::diff(x), xg::diff<0>(x), xg::diff<-1, 2>(x),
        xg::diff<1, 3>(x), xg::expand_dims<0, -1>(x), xg::expand_dims<-2, 1>(x), xg::atleast_2d(row), xg::atleast_3d(row),
        xg::atleast_3d(matrix),
        xg::block_diag(matrix, xg::slice<0, 0, 2>(xg::squeeze<0>(xg::slice<0, 1, 2>(x))), xg::slice<1, 0, 1>(xg::slice<0, 0, 1>(matrix))))};
    auto const a = test::reference_tensor<std::int32_t>("x");
    auto const r = f(x = a);
    test::check_all(
        r, {"moved", "moved_back", "swapped", "swapped_last", "turned", "turned_twice", "turned_three", "turned_back", "turned_last",
               "diff", "diff_first", "diff_twice", "diff_all", "expanded", "expanded_inside", "two", "three", "three_of_two", "blocks"});
    static_assert(
        xg::Expr<decltype(xg::moveaxis<1, -2>(x))> && std::is_same_v<decltype(xg::moveaxis<1, -2>(x)), decltype(xg::swapaxes<1, 1>(x))>);
    xg::function g{xg::outputs(xg::diff(flags), xg::squeeze<0, -1>(xg::expand_dims<0, -1>(flags)))};
    test::check_all(g(flags = test::reference_tensor<bool>("flags")), {"diff_flags", "flags"});
}

TEST_CASE("joined axes and parts") {
    constexpr auto x = xg::input<"x", double, batch, time_dim, 3>;
    constexpr auto s = xg::input<"s", double>;
    static_assert(std::tuple_size_v<decltype(xg::unbind<-1>(x))> == 3);
    xg::function f{xg::outputs(xg::flatten(x), xg::flatten<1>(x), xg::flatten<0, 1>(x), xg::flatten<-1>(x), xg::ravel(s), xg::atleast_3d(s),
        xg::diff<0>(x), xg::diff<1>(x), std::get<2>(xg::unbind<-1>(x)))};
    for (std::int64_t n : {1, 4}) {
        auto const a = test::numbers<double>({n, 2, 3});
        auto const [all, rows, first, same, one, three, down, across, last] = f(x = a, s = 7.0);
        CHECK((all.shape() == std::array<std::int64_t, 1>{6 * n} && rows.shape() == std::array<std::int64_t, 2>{n, 6}));
        CHECK((first.shape() == std::array<std::int64_t, 2>{2 * n, 3} && same.shape() == std::array<std::int64_t, 3>{n, 2, 3}));
        CHECK((one.shape() == std::array<std::int64_t, 1>{1} && three.shape() == std::array<std::int64_t, 3>{1, 1, 1} && three[0] == 7));
        for (std::int64_t i = 0; i < 6 * n; ++i) CHECK((all[i] == a[i] && rows[i] == a[i] && first[i] == a[i] && same[i] == a[i]));
        REQUIRE((down.size() == 6 * (n - 1) && across.size() == 3 * n));
        for (std::int64_t i = 0; i < down.size(); ++i) CHECK(down[i] == a[i + 6] - a[i]);
        for (std::int64_t i = 0; i < across.size(); ++i) CHECK(across[i] == a[i / 3 * 6 + i % 3 + 3] - a[i / 3 * 6 + i % 3]);
        for (std::int64_t i = 0; i < 2 * n; ++i) CHECK(last[i] == a[3 * i + 2]);
    }
    CHECK_THROWS_AS(f(x = test::tensor<double>({0, 2, 3}), s = 7.0), xg::shape_error);   // no difference of no rows
}

TEST_CASE("blocks of pixels") {
    constexpr std::int64_t h = 4, w = 6, c = 8;
    constexpr auto x = xg::input<"x", float, batch, h, w, c>;
    constexpr auto first = xg::input<"first", float, batch, c, h, w>;
    constexpr auto places = xg::space_to_batch<2, 1, 1, 0, 2>(x);
    static_assert(xg::value_of<decltype(xg::batch_to_space<2, 1, 1, 0, 2>(places))>.dims == xg::value_of<decltype(x)>.dims);
    xg::function f{xg::outputs(xg::space_to_depth<2>(x), xg::depth_to_space<2>(x), places, xg::batch_to_space<2, 1, 1, 0, 2>(places),
        xg::pixel_shuffle<2>(first), xg::pixel_unshuffle<2>(first))};
    for (std::int64_t n : {1, 3}) {
        auto const a = test::numbers<float>({n, h, w, c}), b = test::numbers<float>({n, c, h, w});
        auto const [deep, wide, images, back, shuffled, unshuffled] = f(x = a, first = b);
        auto const at = [&](auto i, auto y, auto z, auto k) { return a[((i * h + y) * w + z) * c + k]; };
        REQUIRE((deep.shape() == std::array<std::int64_t, 4>{n, 2, 3, 4 * c} && wide.shape() == std::array<std::int64_t, 4>{n, 8, 12, 2}));
        REQUIRE((images.shape() == std::array<std::int64_t, 4>{4 * n, 3, 4, c} && back.shape() == std::array<std::int64_t, 4>{n, h, w, c}));
        REQUIRE((shuffled.shape() == std::array<std::int64_t, 4>{n, 2, 8, 12} &&
                 unshuffled.shape() == std::array<std::int64_t, 4>{n, 32, 2, 3}));
        for (std::int64_t i = 0; i < n; ++i)
            for (std::int64_t y = 0; y < h; ++y)
                for (std::int64_t z = 0; z < w; ++z)
                    for (std::int64_t k = 0; k < c; ++k) {
                        std::int64_t const place = (y % 2) * 2 + z % 2;
                        CHECK(deep(i, y / 2, z / 2, place * c + k) == at(i, y, z, k));
                        CHECK(wide(i, 2 * y + k / 4, 2 * z + k / 2 % 2, k % 2) == at(i, y, z, k));
                        CHECK(images(((y + 1) % 2 * 2 + z % 2) * n + i, (y + 1) / 2, z / 2, k) == at(i, y, z, k));
                        CHECK(back(i, y, z, k) == at(i, y, z, k));
                        float const e = b[((i * c + k) * h + y) * w + z];
                        CHECK(shuffled(i, k / 4, 2 * y + k / 2 % 2, 2 * z + k % 2) == e);
                        CHECK(unshuffled(i, k * 4 + place, y / 2, z / 2) == e);
                    }
        for (std::int64_t i = 0; i < n; ++i)   // places 2 and 3 begin in the row of zeros above the image, place 0 and 1 end below it
            for (std::int64_t k = 0; k < c; ++k)
                CHECK((images(i, 0, 0, k) == 0 && images(3 * n + i, 2, 0, k) == 0 && images(i, 1, 3, k) == 0));
    }
}

TEST_CASE_TEMPLATE("gradients of moved axes and blocks", T, float, double) {
    constexpr auto x = xg::input<"x", T, 1, 4, 2, 4>;
    constexpr auto all = [](auto y) { return xg::sum(xg::sin(y) * y); };
    constexpr auto s = xg::squeeze<0>(x);
    constexpr auto m = xg::flatten<0, 2>(x);
    constexpr auto loss = all(xg::moveaxis<0, 2>(s) * xg::swapaxes<0, 1>(s)) + all(xg::rot90<1>(s) * xg::rot90<3>(s)) +
                          all(xg::diff<1, 2>(m)) + all(xg::ravel(xg::depth_to_space<2>(x)) * xg::ravel(xg::space_to_depth<2>(x))) +
                          all(xg::ravel(xg::pixel_shuffle<2>(x)) * xg::ravel(xg::pixel_unshuffle<2>(x))) +
                          all(xg::batch_to_space<2, 1, 0, 0, 1>(xg::space_to_batch<2, 1, 1>(x))) +
                          all(xg::block_diag(m, xg::slice<1, 1, 3>(m)));
    auto const a = test::numbers<T>({1, 4, 2, 4}, -2, 2);
    auto const r = xg::check_gradients(loss, xg::wrt(x), x = a);
    CHECK_MESSAGE(r.ok, r.message);
    if constexpr (std::is_same_v<T, double>) {
        constexpr auto second = xg::sum(xg::square(xg::gradient_of(all(xg::diff<0>(m) * xg::diff<0>(xg::rot90<2>(m))), x)));
        auto const again = xg::check_gradients(second, xg::wrt(x), x = a);
        CHECK_MESSAGE(again.ok, again.message);
    }
}
