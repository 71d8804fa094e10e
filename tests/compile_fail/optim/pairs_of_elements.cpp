// SPDX-License-Identifier: MIT
// expect-error: xgrad: no function moves a slot of this update rule
// A matrix for the rows, of a rule that moves elements.
#include <xgrad/optim/optim.hpp>

struct curved : xgrad::momentum {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr std::array slots{xgrad::slot_info("momentum"), xgrad::slot_info("left", xgrad::per::row_pair)};
#else
    static constexpr std::array slots{xgrad::slot_info("momentum"), xgrad::slot_info("left", xgrad::per::element)};
#endif
};
static_assert(xgrad::explain_rule<curved>());
