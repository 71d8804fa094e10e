// SPDX-License-Identifier: MIT
// xtensor in and out: views of a larger array as batches without a copy, results and variables as xtensor arrays.
#include <xgrad/xgrad.hpp>
#include <xgrad/xtensor.hpp>

#if __has_include(<xtensor/views/xview.hpp>)
#    include <xtensor/containers/xarray.hpp>
#    include <xtensor/core/xmath.hpp>
#    include <xtensor/io/xio.hpp>
#    include <xtensor/views/xview.hpp>
#else
#    include <xtensor/xarray.hpp>
#    include <xtensor/xio.hpp>
#    include <xtensor/xmath.hpp>
#    include <xtensor/xview.hpp>
#endif

#include <cmath>
#include <iostream>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", double, batch, 3>;
constexpr auto y = xg::input<"y", double, batch>;
constexpr auto w = xg::variable<"w", double, 3, 1>;
constexpr auto prediction = xg::squeeze<1>(xg::matmul(x, w));
constexpr auto loss = xg::mean(xg::squared_error(prediction, y));

int main() {
    xt::xarray<double> points = xt::xarray<double>::from_shape({256, 3});
    for (std::size_t i = 0; i < points.size(); ++i) points.flat(i) = std::sin(1.7 * static_cast<double>(i * i));
    xt::xtensor<double, 1> const truth{0.5, -2.0, 3.0};
    xt::xtensor<double, 1> const values = xt::sum(points * truth, {1});

    auto train = xg::minimize(loss, xg::adam{.learning_rate = 0.05});
    for (int epoch = 0; epoch < 60; ++epoch)
        for (std::size_t at = 0; at < 256; at += 32)   // views of whole rows are bound without a copy
            train(x = xt::view(points, xt::range(at, at + 32), xt::all()), y = xt::view(values, xt::range(at, at + 32)));

    auto const found = xg::adapt(train.value(w));   // the variable itself, no copy
    std::cout << "weights\n" << found << "\n";
    xg::function predict{prediction, train};
    xt::xtensor<double, 1> const first = xg::to_xtensor(predict(x = xt::view(points, xt::range(0, 4), xt::all())));   // a copy that stays
    std::cout << "first predictions " << first << "\nmeasured          " << xt::view(values, xt::range(0, 4)) << "\n";

    try {   // every second row: its elements are not contiguous
        predict(x = xt::view(points, xt::range(0, 8, 2), xt::all()));
    } catch (xg::binding_error const& e) { std::cout << "refused: " << e.what() << "\n"; }
    return xt::amax(xt::abs(xt::view(found, xt::all(), 0) - truth))() < 1e-3 ? 0 : 1;
}
