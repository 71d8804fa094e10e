// SPDX-License-Identifier: MIT
// expect-error: xgrad: a hyper-parameter gets a function with a larger alignment than double
// A function of the step that is aligned to a cache line.
#include <xgrad/optim/hyper.hpp>

struct aligned_rate {
#ifdef XGRAD_EXPECT_ERROR
    alignas(64) double rate;
#else
    double rate;
#endif
    double operator()(std::int64_t) const { return rate; }
};
double first(aligned_rate const& r) { return xgrad::hyper(r)(0); }
