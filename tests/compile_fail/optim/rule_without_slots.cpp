// SPDX-License-Identifier: MIT
// expect-error: xgrad: this is not an update rule, because it has no static members `name`, `slots` and `sparse`
// A struct without the members of a rule.
#include <xgrad/optim/rule.hpp>
#include <xgrad/optim/rules/sgd.hpp>

struct not_a_rule {};
#ifdef XGRAD_EXPECT_ERROR
static_assert(xgrad::explain_rule<not_a_rule>());
#else
static_assert(xgrad::explain_rule<xgrad::gradient_descent>());
#endif
