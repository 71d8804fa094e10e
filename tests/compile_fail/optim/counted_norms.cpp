// SPDX-License-Identifier: MIT
// expect-error: xgrad: counted\{rule\} gets a rule with reductions, or with slots that are neither per::element nor per::optimizer
// more errors: what is not there for such a rule
// Counters around a rule that needs norms.
#include <xgrad/optim/rules/adam.hpp>
#include <xgrad/optim/links/counted.hpp>
#include <xgrad/optim/rules/lamb.hpp>

#ifdef XGRAD_EXPECT_ERROR
static_assert(xgrad::counted<xgrad::lamb>::which == 2);
#else
static_assert(xgrad::counted<xgrad::adam>::which == 2);
#endif
