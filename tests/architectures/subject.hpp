// SPDX-License-Identifier: MIT
// What both translation units use. Add what is worth watching here: every symbol of xgrad in the two objects is compared.
#pragma once

#include <xgrad/xgrad.hpp>

#include <cmath>
#include <cstddef>
#include <vector>

// No function of our own has external linkage here except those that each unit names for itself.
namespace regression {

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch>;
constexpr auto y = xg::input<"y", float, batch>;
constexpr auto slope = xg::variable<"slope", float>;
constexpr auto offset = xg::variable<"offset", float>;
constexpr auto loss = xg::mean(xg::squared_error(slope * x + offset, y));

using trainer = decltype(xg::minimize(loss, xg::gradient_descent{}));

static inline trainer make() { return xg::minimize(loss, xg::gradient_descent{.learning_rate = 0.3}); }

}

/// The type of the object that must not cross from one architecture to the other.
using subject = regression::trainer;
