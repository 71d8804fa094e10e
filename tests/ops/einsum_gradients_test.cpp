// SPDX-License-Identifier: MIT
// Gradients of two orders of einsum: products of stacks, of matrices and of vectors, diagonals, broadcast axes, three operands.
#include "ops/product_operands.hpp"

#include <xgrad/ops/einsum.hpp>
#include <xgrad/train/check_gradients.hpp>

namespace {
namespace xg = xgrad;
}

TEST_CASE_TEMPLATE("gradients of einsum", T, float, double) {
    using of = test::product::operands<T>;
    constexpr auto loss = xg::sum(xg::sin(xg::einsum<"bqd,bkd->bkq">(of::a, of::b))) + xg::sum(xg::einsum<"bqd,bkd->qk">(of::a, of::b)) +
                          xg::sum(xg::sin(xg::einsum<"bij,bj->bi">(of::b, xg::einsum<"bqj->bj">(of::a)))) +
                          xg::sum(xg::cos(xg::einsum<"iij->ji">(of::t))) + xg::sum(xg::sin(xg::einsum<"...d,...d->...">(of::o, of::e))) +
                          xg::sum(xg::sin(xg::einsum<"aij,jk,bqk->ib">(of::t, of::n, of::a)));
    auto const A = test::numbers<T>({2, 3, 5}), B = test::numbers<T>({2, 4, 5}, -1, 1, 2), N = test::numbers<T>({4, 5}, -1, 1, 3);
    auto const R = test::numbers<T>({3, 3, 4}, -1, 1, 4), O = test::numbers<T>({2, 1, 3, 5}, -1, 1, 5),
               E = test::numbers<T>({3, 5}, -1, 1, 6);
    auto const report = xg::check_gradients(
        loss, xg::wrt(of::a, of::b, of::n, of::t, of::o, of::e), of::a = A, of::b = B, of::n = N, of::t = R, of::o = O, of::e = E);
    CHECK_MESSAGE(report.ok, report.message);
    if constexpr (sizeof(T) == 8) {
        constexpr auto slope = xg::gradient_of(loss, of::a);
        auto const second = xg::check_gradients(
            xg::sum(xg::sin(slope)), xg::wrt(of::a, of::b, of::n), of::a = A, of::b = B, of::n = N, of::t = R, of::o = O, of::e = E);
        CHECK_MESSAGE(second.ok, second.message);
    }
}
