// SPDX-License-Identifier: MIT
// What both translation units use. Add what is worth watching here: every symbol of xgrad in the two objects is compared.
#pragma once

#include <xgrad/xgrad.hpp>

#include <cmath>
#include <cstddef>
#include <vector>

// Only the functions that each unit names for itself have external linkage here.
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

/// The object that must not cross from one architecture to the other: a trainer, or variables alone.
#if defined(SUBJECT) && SUBJECT == 2
using subject = regression::xg::variables<std::remove_const_t<decltype(regression::loss)>>;
static inline subject make_subject() { return subject{regression::loss}; }
#else
using subject = regression::trainer;
static inline subject make_subject() { return regression::make(); }
#endif
