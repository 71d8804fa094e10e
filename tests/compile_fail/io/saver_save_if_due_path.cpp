// SPDX-License-Identifier: MIT
// expect-error: xgrad: saver\.save\(owner, metadata, others\.\.\.\): the owner is not first, or the second argument is not a map of texts
// A path for a saver, which has its own.
#include <xgrad/io/saver.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 4>;
constexpr auto loss = xg::mean(xg::square(w));

void f() {
    auto train = xg::minimize(loss, xg::adam{});
#ifdef XGRAD_EXPECT_ERROR
    xg::saver keep("run");
    keep.save_if_due("run/model.safetensors", train);
#else
    xg::saver keep("run");
    keep.save_if_due(train);
#endif
}
