// SPDX-License-Identifier: MIT
// Gradients of several slices of one array, against the sum over the slices that contain an element.
#include <support/tensor.hpp>

#include <array>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim length{"length"};

struct range {
    int begin, end;
};
/// Sum over the slices of c_k x^2, with c_k = k + 1.
template<int Axis, std::array Ranges, class X>
constexpr auto loss_of(X const& x) {
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
        return (xg::sum(xg::square(xg::slice<Axis, Ranges[K].begin, Ranges[K].end>(x)) * xg::constant<double, K + 1>) + ...);
    }(std::make_index_sequence<Ranges.size()>{});
}
template<std::array Ranges>
double factor_at(std::int64_t i) {
    double c = 0;
    for (std::size_t k = 0; k < Ranges.size(); ++k)
        if (i >= Ranges[k].begin && i < Ranges[k].end) c += static_cast<double>(k + 1);
    return c;
}
constexpr auto x = xg::input<"x", double, batch, 8>;

template<std::array Ranges>
void check_along_columns() {
    constexpr auto loss = loss_of<1, Ranges>(x);
    constexpr auto g = std::get<0>(xg::gradients(loss, x));
    xg::function f{xg::outputs(g, std::get<0>(xg::gradients(xg::sum(g * g), x)))};
    for (std::int64_t const rows : {0, 1, 3}) {
        auto const data = test::numbers<double>({rows, 8});
        auto const [first, second] = f(x = data);
        for (std::int64_t i = 0; i < rows * 8; ++i) {
            double const c = factor_at<Ranges>(i % 8);
            CHECK(first[i] == doctest::Approx(2 * c * data[i]).epsilon(1e-14));
            CHECK(second[i] == doctest::Approx(8 * c * c * data[i]).epsilon(1e-14));
        }
    }
}
}

TEST_CASE("slices that are apart, the same, next to each other, overlapping, or of all elements") {
    check_along_columns<std::array{range{0, 2}, range{2, 5}, range{5, 8}}>();
    check_along_columns<std::array{range{5, 8}, range{0, 2}, range{3, 4}}>();
    check_along_columns<std::array{range{2, 4}, range{2, 4}, range{6, 7}}>();
    check_along_columns<std::array{range{1, 5}, range{3, 8}}>();
    check_along_columns<std::array{range{1, 5}, range{1, 3}, range{6, 8}}>();
    check_along_columns<std::array{range{0, 8}, range{0, 4}, range{4, 8}}>();
}
TEST_CASE("slices along the first axis, and of an axis of unknown length") {
    constexpr auto rows = xg::input<"rows", double, 6, batch>;
    constexpr std::array ranges{range{4, 6}, range{0, 3}};
    xg::function f{std::get<0>(xg::gradients(loss_of<0, ranges>(rows), rows))};
    auto const data = test::numbers<double>({6, 2});
    auto const g = f(rows = data);
    for (std::int64_t i = 0; i < 12; ++i) CHECK(g[i] == 2 * factor_at<ranges>(i / 2) * data[i]);

    constexpr auto all = xg::input<"all", double, length>;
    constexpr auto ends = xg::sum(xg::square(xg::slice<0, 0, 2>(all))) + xg::sum(xg::square(xg::slice<0, length - 2, length>(all)));
    xg::function of_ends{std::get<0>(xg::gradients(ends, all))};
    auto const five = test::numbers<double>({5});
    auto const h = of_ends(all = five);
    for (std::int64_t i = 0; i < 5; ++i) CHECK(h[i] == (i == 2 ? 0 : 2 * five[i]));
}
TEST_CASE("the gradients of parts that cover an array are written to their places") {
    constexpr auto loss = loss_of<1, std::array{range{0, 2}, range{2, 8}}>(x);
    using P = xg::program<xg::expression_list<std::remove_cvref_t<decltype(std::get<0>(xg::gradients(loss, x)))>>>;
    CHECK(P::plan.step_count == 2);
}
