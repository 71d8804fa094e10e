// SPDX-License-Identifier: MIT
// The gradients of matrices of a loop against the program written out, finite differences, and the text of the plan.
#include "late_products.hpp"

#include <xgrad/inspect/describe.hpp>
#include <xgrad/train/check_gradients.hpp>

#include <string>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using namespace late;
template<class Body>
std::string text_of() {
    constexpr auto loss = loss_of_loop<Body>(xg::carry(h));
    constexpr auto g = xg::gradients(loss, w, u);
    return xg::describe<decltype(xg::function{xg::outputs(std::get<0>(g), std::get<1>(g))})>();
}
struct kept_once : xg::region {
    static constexpr auto value(auto before, auto row) {
        auto const after = xg::tanh(xg::matmul(before, w) + row);
        return xg::carry(after).emit(xg::square(after));
    }
};
}

TEST_CASE("large carries: the last row of the history is the final carry") {
    auto const of = [](auto body) {
        auto const [last, all] = xg::scan<decltype(body)>(xg::carry(h), x);
        auto const [at_w, at_x] = xg::gradients(xg::sum(xg::square(last)) + xg::sum(all), w, x);
        return xg::outputs(at_w, at_x);
    };
    xg::function f{of(kept_once{})};
    xg::function again{of(xg::recompute<kept_once>{})};
    auto const start = test::numbers<double>({64, 16}, -1, 1, 3), rows = test::numbers<double>({5, 64, 16}, -1, 1, 4);
    check_equal(f(h = start, x = rows, w = W), again(h = start, x = rows, w = W));
}
TEST_CASE("two matrices of a body: the loop of the gradient sums nothing") {
    CHECK(text_of<gated>().find("summed") == std::string::npos);
    CHECK(text_of<mixed>().find("summed") != std::string::npos);
    CHECK(text_of<xg::recompute<gated>>().find("summed") != std::string::npos);
}
TEST_CASE("the gradients of a loop are those of the body written out three times, and of finite differences") {
    constexpr auto row = []<int T>(std::integral_constant<int, T>) {
        return xg::squeeze<0>(xg::slice<0, T, T + 1>(xg::input<"rows", double, 3, batch, 16>));
    };
    constexpr auto rows = xg::input<"rows", double, 3, batch, 16>;
    auto step = []<class B, class R>(B const& before, R const& r) {
        auto const reset = xg::sigmoid(xg::matmul(before, w) + r);
        return xg::tanh(xg::matmul(reset * before, u) + r);
    };
    constexpr auto a = step(h, row(std::integral_constant<int, 0>{}));
    constexpr auto b = step(a, row(std::integral_constant<int, 1>{}));
    constexpr auto c = step(b, row(std::integral_constant<int, 2>{}));
    constexpr auto written = xg::sum(xg::square(c)) + xg::sum(a * a * a) + xg::sum(b * b * b) + xg::sum(c * c * c);
    auto const [last, all] = xg::scan<gated>(xg::carry(h), rows);
    auto const loop = loss_of(last, all);
    auto const X = test::numbers<double>({3, 2, 16}, -1, 1, 4);
    check_lists(test::list_of(xg::gradients(loop, w, u, h)), test::list_of(xg::gradients(written, w, u, h)), rows = X);
    auto const r = xg::check_gradients(loop, xg::wrt(w, u), w = W, u = U, h = H, rows = X);
    CHECK_MESSAGE(r.ok, r.message);
}
