// SPDX-License-Identifier: MIT
// expect-error: xgrad::assign\(v, expression\): v is trainable
// Assignment to a variable that a rule updates.
#include <xgrad/train/trainer.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto w = xg::variable<"w", float, 4, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto change = xg::assign(w, 2_c * w);
#else
constexpr auto change = xg::assign(w, 2_c * xg::updated(w));
#endif
