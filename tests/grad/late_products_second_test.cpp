// SPDX-License-Identifier: MIT
// Two derivatives of a loop whose matrices have their gradients after the loop.
#include "late_products.hpp"

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using namespace late;
}

TEST_CASE("two derivatives are those of the sum in the loop; no iterations give zeros") {
    auto check = []<class Body>(std::type_identity<Body>) {
        for (std::int64_t length : {3, 0})
            check_lists(derivatives_of(loss_of_loop<Body>(xg::carry(h))), derivatives_of(loss_of_loop<xg::recompute<Body>>(xg::carry(h))),
                x = test::numbers<double>({length, 2, 16}, -1, 1, 4));
    };
    check(std::type_identity<gated>{});
    check(std::type_identity<reused>{});
    check(std::type_identity<kept_term>{});
}
TEST_CASE("a matrix that has another use keeps its sum") {
    auto of = [](auto loss) { return test::list_of(xg::gradients(loss, w, u, h, x)); };
    check_lists(of(loss_of_loop<mixed>(xg::carry(h))), of(loss_of_loop<xg::recompute<mixed>>(xg::carry(h))),
        x = test::numbers<double>({3, 2, 16}, -1, 1, 4));
}
