// SPDX-License-Identifier: MIT
// One pass over a matrix although other steps are between its steps, or the loss is a function of a sum over all rows. Compared with the
// planner switched off.
#include <plan/planned.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim width{"width"};
constexpr auto x = xg::input<"x", double, batch, 13>;
constexpr auto y = xg::input<"y", double, batch>;
constexpr auto w = xg::input<"w", double, 13>;
constexpr auto v = xg::input<"v", double, width>;
constexpr auto b = xg::input<"b", double>;
constexpr auto predictions = xg::squeeze<1>(xg::matmul(x, xg::expand_dims<1>(w)));

/// A root around the error, a quotient of an input, and a term that has nothing to do with the matrix.
struct regularized {
    static constexpr auto outputs() {
        auto const value = xg::sqrt(xg::mean(xg::squared_error(predictions + b, y))) / b + xg::sum(xg::square(w)) * 0.1_c;
        return std::tuple_cat(std::tuple(value), xg::gradients(value, w, b));
    }
};
/// The loop needs values that are computed after the product but not from it; another result is independent of both.
struct interleaved {
    static constexpr auto outputs() {
        auto const slope = predictions * xg::sum(xg::exp(v)) - y + b;
        auto const other = xg::square(v) - xg::max(v);
        return std::tuple(xg::sum(slope), other, xg::matmul<true, false>(x, xg::expand_dims<1>(slope)));
    }
};

template<class P>
constexpr int streams_of() {
    int n = 0;
    for (int s = 0; s < P::plan.step_count; ++s) n += P::plan.steps[s].back_at > 0;
    return n;
}
template<class Model>
void compare() {
    using O = test::outputs_of<Model>;
    using P = test::planned<Model>;
    using Q = test::plain<Model>;
    static_assert(streams_of<P>() == 1);
    static_assert(streams_of<Q>() == 0);
    xg::function<O, P> on{O{}};
    xg::function<O, Q> off{O{}};
    for (std::int64_t n : {0, 1, 2, 7, 8, 9, 33, 517, 1400}) {
        CAPTURE(n);
        auto const xs = test::numbers<double>({n, 13}, -1, 1, 1), ys = test::numbers<double>({n}, -1, 1, 2),
                   ws = test::numbers<double>({13}, -1, 1, 3), vs = test::numbers<double>({5}, -1, 1, 4);
        auto const bound = std::tuple_cat(test::bound_if_read<P>(x, xs), test::bound_if_read<P>(y, ys), test::bound_if_read<P>(w, ws),
            test::bound_if_read<P>(v, vs), test::bound_if_read<P>(b, 0.25));
        test::check_close(test::results<double>(on, bound), test::results<double>(off, bound), P::table.view().count);
    }
}
}

TEST_CASE("a root, a quotient and a term beside it") { compare<regularized>(); }
TEST_CASE("steps between that do not need each other") { compare<interleaved>(); }
