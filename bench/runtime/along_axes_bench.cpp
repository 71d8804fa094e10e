// SPDX-License-Identifier: MIT
// Operations along an axis of a matrix of floats, each next to a hand-written loop: sums so far, order, extrema, moments, norms.
#include "hand/along_axes.hpp"
#include "operations.hpp"

#include <xgrad/all.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using bench::operation;
using bench::read;

constexpr int m = 64, n = 1000, k = 8;
inline constexpr auto x = xg::input<"x", float, m, n>;
inline constexpr auto w = xg::input<"w", float, m, n>;

struct data {
    hand::buffer<float> x = bench::numbers(m * n, 1), w = bench::numbers(m * n, 2), whole = bench::numbers(m * n, 3),
                        rows = bench::numbers(m, 4), columns = bench::numbers(n, 5), work = bench::numbers(m * n, 6),
                        top = bench::numbers(m * k, 7);
    hand::buffer<std::int32_t> places = bench::ids(m * n, 8, 1), row_places = bench::ids(m, 9, 1), column_places = bench::ids(n, 10, 1),
                               top_places = bench::ids(m * k, 11, 1);
};

/// A row of one expression of x.
template<class T, class E, class Hand>
void along(bench::suite& suite, data const& d, std::string const& name, double tolerance, hand::buffer<T> const& out, E const& e,
    Hand const& theirs) {
    xg::function f{e};
    operation(
        suite, name, tolerance, out, [&] { return f(x = xg::array(read(d.x), m, n)); }, theirs);
}
void cumulative_rows(bench::suite& suite, data& d) {
    along(suite, d, "cumsum, last axis", 1e-5, d.whole, xg::cumsum<1>(x), [&] { hand::cumsum_rows(d.x, d.whole, m, n); });
    along(suite, d, "cumsum, first axis", 1e-5, d.whole, xg::cumsum<0>(x), [&] { hand::cumsum_columns(d.x, d.whole, m, n); });
    along(suite, d, "cummax, last axis", 0, d.whole, xg::cummax<1>(x), [&] { hand::cummax_rows(d.x, d.whole, m, n); });
    along(suite, d, "cummax, first axis", 0, d.whole, xg::cummax<0>(x), [&] { hand::cummax_columns(d.x, d.whole, m, n); });
    along(suite, d, "cumulative_logsumexp, last axis", 1e-5, d.whole, xg::cumulative_logsumexp<1>(x),
        [&] { hand::log_sum_exps_so_far(d.x, d.whole, m, n); });
    constexpr auto loss = xg::sum(xg::square(xg::cumsum<1>(x)) * w);
    xg::function f{xg::outputs(loss, xg::gradient_of(loss, x))};
    operation(
        suite, "cumsum, last axis: sum of its weighted squares and gradient", 1e-2, d.whole,
        [&] { return f(x = xg::array(read(d.x), m, n), w = xg::array(read(d.w), m, n)); },
        [&] {
            hand::cumsum_rows(d.x, d.work, m, n);
            double sum = 0;
            for (int i = 0; i < m; ++i) {
                float* const at = d.work.data() + i * n;
                sum += double(hand::weighted_squares(at, d.w.data() + i * n, n));
                hand::cumsum_row_from_end(at, d.whole.data() + i * n, n);
            }
            bench::keep(sum);
        },
        [](auto const& r) -> auto const& { return std::get<1>(r); });
}
void order(bench::suite& suite, data& d) {
    along(suite, d, "sort", 0, d.whole, std::get<0>(xg::sort(x)), [&] { hand::sort_rows(d.x, d.whole, m, n); });
    along(suite, d, "argsort", 0, d.places, xg::argsort(x), [&] { hand::argsort_rows(d.x, d.places, m, n); });
    auto const [values, indices] = xg::top_k<k>(x);
    along(suite, d, "top_k<8>", 0, d.top, xg::outputs(values, indices), [&] { hand::top_rows<k>(d.x, d.top, d.top_places, m, n); });
    along(suite, d, "median", 1e-6, d.rows, xg::median<1>(x), [&] { hand::quantile_rows(d.x, d.rows, d.work, 0.5, m, n); });
    along(suite, d, "quantile 0.9", 1e-6, d.rows, xg::quantile<1>(x, 0.9_c), [&] { hand::quantile_rows(d.x, d.rows, d.work, 0.9, m, n); });
}
void extrema_and_moments(bench::suite& suite, data& d) {
    along(suite, d, "argmax, last axis", 0, d.row_places, xg::argmax<1>(x), [&] { hand::argmax_rows(d.x, d.row_places, m, n); });
    along(suite, d, "argmax, first axis", 0, d.column_places, xg::argmax<0>(x),
        [&] { hand::argmax_columns(d.x, d.column_places, d.work, m, n); });
    along(suite, d, "variance, last axis", 1e-6, d.rows, xg::variance<1>(x), [&] { hand::variance_rows(d.x, d.rows, m, n); });
    along(suite, d, "variance, first axis", 1e-6, d.columns, xg::variance<0>(x),
        [&] { hand::variance_columns(d.x, d.columns, d.work, m, n); });
    along(suite, d, "norm, last axis", 1e-5, d.rows, xg::norm<1>(x), [&] { hand::norm_rows(d.x, d.rows, m, n); });
    along(suite, d, "l1_norm, last axis", 1e-4, d.rows, xg::l1_norm<1>(x), [&] { hand::l1_norm_rows(d.x, d.rows, m, n); });
    along(suite, d, "max_norm, last axis", 0, d.rows, xg::max_norm<1>(x), [&] { hand::max_norm_rows(d.x, d.rows, m, n); });
}
}   // namespace

int main(int argc, char** argv) {
    bench::suite suite(argc, argv, "Operations along an axis, 64 x 1000 floats");
    data d;
    cumulative_rows(suite, d);
    order(suite, d);
    extrema_and_moments(suite, d);
    return suite.finish();
}
