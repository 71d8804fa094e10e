// SPDX-License-Identifier: MIT
// expect-error: xgrad::ctc_beam_search<ctc_beam_options\{\.beams = b, \.paths = p\}>\(logits, lengths\): p is not in 1
// More paths than beams.
#include <xgrad/ops/sequences/ctc_beam_search.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim steps{"steps"};
constexpr auto x = xg::input<"x", float, batch, steps, 5>;
constexpr auto n = xg::input<"n", std::int32_t, batch>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::ctc_beam_search<xg::ctc_beam_options{.beams = 3, .paths = 4}>(x, n);
#else
constexpr auto y = xg::ctc_beam_search<xg::ctc_beam_options{.beams = 4, .paths = 4}>(x, n);
#endif
