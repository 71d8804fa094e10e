// SPDX-License-Identifier: MIT
// Gradients of the matrices of loops of other forms: loops that end early, checkpoints, loops in a map, a derivative along a direction.
#include "late_products.hpp"

#include <xgrad/grad/vector_products.hpp>

#include <limits>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using namespace late;
template<class Loss>
constexpr auto first_of(Loss const& loss) {
    return test::list_of(xg::gradients(loss, w, u, h, x));
}
struct of_sequence : xg::region {
    static constexpr auto value(auto rows) {
        auto const [last, all] = xg::scan<gated>(xg::carry(h), rows);
        return last + xg::matmul(last, w);
    }
};
struct recomputed_sequence : xg::recompute<xg::region> {
    static constexpr auto value(auto rows) {
        auto const [last, all] = xg::scan<xg::recompute<gated>>(xg::carry(h), rows);
        return last + xg::matmul(last, w);
    }
};
}

TEST_CASE("fewer iterations than there is memory for, and rows that end: NaN after the end changes nothing") {
    auto X = test::numbers<double>({5, 2, 16}, -1, 1, 4);
    for (std::int64_t i = 2 * 32; i < X.size(); ++i) X[i] = std::numeric_limits<double>::quiet_NaN();
    for (int count : {2, 0})
        check_lists(first_of(loss_of_loop<reused>(xg::carry(h).turns(n))),
            first_of(loss_of_loop<xg::recompute<reused>>(xg::carry(h).turns(n))), x = X, n = count);
    for (std::int64_t i = 16; i < 32; ++i) X[32 + i] = std::numeric_limits<double>::quiet_NaN();
    test::tensor<std::int32_t> E({2});
    E[0] = 2;
    E[1] = 1;
    check_lists(first_of(loss_of_loop<gated>(xg::carry(h).lengths(ends))),
        first_of(loss_of_loop<xg::recompute<gated>>(xg::carry(h).lengths(ends))), x = X, ends = E);
}
TEST_CASE("checkpoints, loops in a map, and the derivative along a direction") {
    check_lists(first_of(loss_of_loop<xg::gradient_checkpoints<gated, 2>>(xg::carry(h))),
        first_of(loss_of_loop<xg::recompute<gated>>(xg::carry(h))), x = test::numbers<double>({5, 2, 16}, -1, 1, 4));
    constexpr auto many = xg::input<"many", double, 3, time_steps, batch, 16>;
    check_lists(test::list_of(xg::gradients(xg::sum(xg::square(xg::map<of_sequence>(many))), w, u, h, many)),
        test::list_of(xg::gradients(xg::sum(xg::square(xg::map<recomputed_sequence>(many))), w, u, h, many)),
        many = test::numbers<double>({3, 2, 2, 16}, -1, 1, 4));
    static constexpr auto direction = xg::input<"direction", double, 16, 16>;
    constexpr auto along = [](auto loss) {
        return test::list_of(std::tuple{xg::jvp(loss, w, direction), xg::jvp(xg::gradient_of(loss, w), w, direction)});
    };
    check_lists(along(loss_of_loop<gated>(xg::carry(h))), along(loss_of_loop<xg::recompute<gated>>(xg::carry(h))),
        x = test::numbers<double>({3, 2, 16}, -1, 1, 4), direction = test::numbers<double>({16, 16}, -1, 1, 9));
}
