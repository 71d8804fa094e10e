// SPDX-License-Identifier: MIT
// expect-error: xgrad: a hyper-parameter gets a function of more than 128 bytes
// A function of the step that does not fit in place.
#include <xgrad/optim/hyper.hpp>

struct table_of_rates {
#ifdef XGRAD_EXPECT_ERROR
    double rates[20];
#else
    double const* rates;
#endif
    double operator()(std::int64_t step) const { return rates[step]; }
};
double first(table_of_rates const& t) { return xgrad::hyper(t)(0); }
