// SPDX-License-Identifier: MIT
// Boxes without those that overlap, hues and saturations compared with TensorFlow (tests/reference/sparse_tensors.py). Shuffled channels.
#include <ops/from_tensorflow.hpp>

#include <xgrad/ops/images/adjust.hpp>
#include <xgrad/ops/images/boxes.hpp>
#include <xgrad/ops/shapes/blocks.hpp>
#include <xgrad/train/check_gradients.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using from_tensorflow::compare;
using from_tensorflow::known;

constexpr auto boxes = xg::input<"boxes", float, 12, 4>;
constexpr auto scores = xg::input<"scores", float, 12>;
constexpr auto overlap = xg::input<"overlap", float>;
constexpr auto least = xg::input<"least", float>;
constexpr auto colours = xg::input<"colours", float, 2, 3, 4, 3>;
constexpr auto delta = xg::input<"delta", float>;
constexpr auto factor = xg::input<"factor", float>;
constexpr auto planes = xg::input<"planes", float, 2, 6, 2, 2>;
}

TEST_CASE("boxes that remain, of equal scores too, and more of them than places") {
    constexpr auto eight = xg::non_max_suppression<8>(boxes, scores, overlap, least);
    constexpr auto two = xg::non_max_suppression<2>(boxes, scores, overlap, 0_c);
    xg::function f{xg::outputs(std::get<0>(eight), std::get<1>(eight), std::get<0>(two), std::get<1>(two))};
    auto B = known<float>("sparse:boxes", {12, 4});
    auto S = known<float>("sparse:scores_of_boxes", {12});
    float const overlaps[]{0.5F, 0.1F, 0}, bounds[]{0, 0.3F, 0.2F};
    for (std::size_t k = 0; k < 3; ++k) {
        auto const& e = from_tensorflow::line("sparse:kept" + std::to_string(k));
        auto const [chosen, count, first, few] = f(boxes = B, scores = S, overlap = overlaps[k], least = bounds[k]);
        REQUIRE(count == static_cast<int>(e.size()));
        for (int i = 0; i < 8; ++i) CHECK(chosen[i] == (i < count ? e[static_cast<std::size_t>(i)] : 0));
        CHECK((few == 2 && first[0] == chosen[0] && first[1] == chosen[1]));
    }
    for (std::int64_t i = 0; i < 12; ++i) S[i] = std::numeric_limits<float>::quiet_NaN();   // no score is above a bound
    CHECK(std::get<1>(f(boxes = B, scores = S, overlap = 0.5F, least = -1.0F)) == 0);
}

TEST_CASE("hues and saturations, shuffled channels") {
    constexpr auto shuffled = xg::channel_shuffle<2>(planes);
    xg::function f{xg::outputs(xg::adjust_hue(colours, delta), xg::adjust_saturation(colours, factor), shuffled)};
    auto const P = test::numbers<float>({2, 6, 2, 2});
    float const deltas[]{0.3F, -0.7F}, factors[]{0.4F, 1.9F};
    for (std::size_t k = 0; k < 2; ++k) {
        auto const [hue, saturation, channels] =
            f(colours = known<float>("sparse:colours", {2, 3, 4, 3}), delta = deltas[k], factor = factors[k], planes = P);
        compare("sparse:hue" + std::to_string(k), hue.data(), hue.size(), 2e-6);
        compare("sparse:saturation" + std::to_string(k), saturation.data(), saturation.size(), 2e-6);
        for (std::int64_t n = 0; n < 2; ++n)
            for (std::int64_t c = 0; c < 6; ++c)   // 0 3 1 4 2 5
                for (std::int64_t i = 0; i < 4; ++i)
                    CHECK(channels.data()[(n * 6 + c) * 4 + i] == P.data()[(n * 6 + c % 2 * 3 + c / 2) * 4 + i]);
    }
    constexpr auto d = xg::input<"d", double, 1, 2, 2, 3>;
    constexpr auto by = xg::input<"by", double>;
    constexpr auto loss = xg::sum(xg::square(xg::adjust_hue(d, by)) + xg::exp(xg::adjust_saturation(d, 0.7_c + by)));
    auto const D = test::list<double>({0.11, 0.45, 0.92, 0.73, 0.2, 0.36, 0.61, 0.85, 0.05, 0.5, 0.71, 0.3});
    auto const r = xg::check_gradients(loss, xg::wrt(d, by), d = xg::array(D.data(), 1, 2, 2, 3), by = 0.07);
    CHECK_MESSAGE(r.ok, r.message);
}
