// SPDX-License-Identifier: MIT
// Wrong arguments of a step: which exception, which words, and that nothing has been changed. The noexcept form says the same by codes.
#include <support/message_of.hpp>

#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <array>
#include <limits>
#include <string>
#include <vector>

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 3>;
constexpr auto ids = xg::input<"ids", std::int32_t, batch>;
constexpr auto far = xg::input<"far", std::int64_t, batch, 2>;
constexpr auto y = xg::input<"y", std::int32_t, batch>;
constexpr auto rate = xg::input<"rate", float>;
constexpr auto table = xg::variable<"table", float, 10, 3>;
constexpr auto bag = xg::variable<"bag", float, 6, 3>;
constexpr auto w = xg::variable<"w", float, 3, 4>;
constexpr auto logits = xg::matmul(x + xg::gather(table, ids) + xg::embedding_bag(bag, far), w) * rate;
constexpr auto loss = xg::mean(xg::sparse_softmax_cross_entropy(logits, y));

// An array with strides, as a view of every second column would have them.
struct strided {
    float const* first;
    std::array<std::int64_t, 2> extents, steps;
    float const* data() const { return first; }
    std::array<std::int64_t, 2> const& shape() const { return extents; }
    std::array<std::int64_t, 2> const& strides() const { return steps; }
};

struct fixture {
    decltype(xg::minimize(loss, xg::adam{})) train = xg::minimize(loss, xg::adam{});
    std::vector<float> images = std::vector<float>(100, 0.5f);
    std::vector<std::int32_t> rows{1, 2, 9, 0}, labels{0, 1, 2, 3};
    std::vector<std::int64_t> pairs{0, 1, 2, 3, 4, 5, 0, 0};

    fixture() {
        train.initialize(xg::glorot_uniform{.seed = 1});
        train.reserve(batch = 4);
        good();
    }
    auto in() { return xg::array(images.data(), 4, 3); }
    auto far_in() { return xg::array(pairs.data(), 4, 2); }
    void good() { train(x = in(), ids = rows, far = far_in(), y = labels, rate = 1.0f); }
    std::vector<float> state() {
        std::vector<float> all{static_cast<float>(train.global_step()), static_cast<float>(train.optimizer().powers.at[0])};
        for (auto const& slots : train.optimizer().all()) {
            auto const& v = train.store().variables().at[slots.variable];
            auto const add = [&](void const* p) {
                all.insert(all.end(), static_cast<float const*>(p), static_cast<float const*>(p) + v.size);
            };
            add(v.data);
            for (int s = 0; s < slots.slot_count; ++s) add(slots.slots[s]);
        }
        return all;
    }
    template<class Error, class... B>
    void refused(xg::status_code code, std::string const& input, std::vector<std::string> const& words, B const&... b) {
        auto const before = state();
        std::string message;
        try {
            train(b...);
        } catch (Error const& e) { message = e.what(); }
        REQUIRE(!message.empty());
        CHECK_MESSAGE(message.find("\"" + input + "\"") != std::string::npos, message);
        for (auto const& word : words) CHECK_MESSAGE(message.find(word) != std::string::npos, message << " lacks " << word);
        xg::status const s = train.try_step(b...);
        CHECK(s.code == code);
        CHECK(s.name == input);
        CHECK(state() == before);
    }
};

}   // namespace

static_assert(noexcept(std::declval<fixture&>().train.try_step(std::declval<decltype(rate = 1.0f) const&>())));

TEST_CASE_FIXTURE(fixture, "a wrong extent") {
    refused<xg::shape_error>(xg::status_code::wrong_extent, "x", {"axis 1", "extent 3", "has 4"}, x = xg::array(images.data(), 4, 4),
        ids = rows, far = far_in(), y = labels, rate = 1.0f);
    good();
}
TEST_CASE_FIXTURE(fixture, "two inputs disagree about a named dimension") {
    std::vector<std::int32_t> const five{0, 1, 2, 3, 4};
    refused<xg::shape_error>(xg::status_code::wrong_extent, "y", {"axis 0", "\"batch\"", "extent 4", "has 5"}, x = in(), ids = rows,
        far = far_in(), y = five, rate = 1.0f);
    good();
}
TEST_CASE_FIXTURE(fixture, "a wrong rank") {
    refused<xg::shape_error>(
        xg::status_code::wrong_rank, "x", {"rank 2", "rank 1"}, x = images, ids = rows, far = far_in(), y = labels, rate = 1.0f);
    refused<xg::shape_error>(xg::status_code::wrong_rank, "ids", {"rank 1", "rank 2"}, x = in(), ids = xg::array(rows.data(), 2, 2),
        far = far_in(), y = labels, rate = 1.0f);
    refused<xg::shape_error>(
        xg::status_code::wrong_rank, "rate", {"rank 0", "rank 1"}, x = in(), ids = rows, far = far_in(), y = labels, rate = images);
}
TEST_CASE_FIXTURE(fixture, "strides") {
    refused<xg::binding_error>(xg::status_code::not_contiguous, "x", {"is not contiguous"}, x = strided{images.data(), {4, 3}, {6, 2}},
        ids = rows, far = far_in(), y = labels, rate = 1.0f);
    refused<xg::binding_error>(xg::status_code::not_contiguous, "x", {"is not contiguous"}, x = strided{images.data(), {4, 3}, {1, 4}},
        ids = rows, far = far_in(), y = labels, rate = 1.0f);
    train(x = strided{images.data(), {4, 3}, {3, 1}}, ids = rows, far = far_in(), y = labels, rate = 1.0f);
    CHECK(train.global_step() == 2);
}
TEST_CASE_FIXTURE(fixture, "memory that the call writes") {
    train.assign(w, xg::array(images.data(), 3, 4));
    auto const weights = train.value(w);
    refused<xg::binding_error>(xg::status_code::overlaps, "x", {"memory that this call writes", "copy"},
        x = xg::array(weights.data(), 4, 3), ids = rows, far = far_in(), y = labels, rate = 1.0f);
    xg::function scores{logits, train};
    auto const z = scores(x = in(), ids = rows, far = far_in(), rate = 1.0f);
    auto const again = [&] { scores(x = xg::array(z.data() + 1, 4, 3), ids = rows, far = far_in(), rate = 1.0f); };
    CHECK_THROWS_WITH_AS(again(), doctest::Contains("input \"x\": the array is in memory that this call writes"), xg::binding_error);
    std::vector<float> const kept(z.begin() + 1, z.begin() + 13);
    CHECK_NOTHROW(scores(x = xg::array(kept.data(), 4, 3), ids = rows, far = far_in(), rate = 1.0f));
    // a function updates nothing: it may read variables, and the results of others
    CHECK_NOTHROW(scores(x = xg::array(weights.data(), 4, 3), ids = rows, far = far_in(), rate = 1.0f));
    xg::function other{logits, train};
    CHECK_NOTHROW(other(x = xg::array(scores.result().data(), 4, 3), ids = rows, far = far_in(), rate = 1.0f));
    CHECK_NOTHROW(train(x = xg::array(scores.result().data(), 4, 3), ids = rows, far = far_in(), y = labels, rate = 1.0f));
}
TEST_CASE_FIXTURE(fixture, "indices out of range in every kind of lookup") {
    for (std::int32_t const bad : {10, -1, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()}) {
        auto wrong = rows;
        wrong[2] = bad;
        refused<xg::value_error>(xg::status_code::index_out_of_range, "ids", {"index " + std::to_string(bad), "offset 2", "[0, 10)"},
            x = in(), ids = wrong, far = far_in(), y = labels, rate = 1.0f);
    }
    for (std::int64_t const bad : {std::int64_t{6}, std::int64_t{-1}, std::int64_t{1} << 32}) {   // 2^32 must not be cut to 0
        auto wrong = pairs;
        wrong[7] = bad;
        refused<xg::value_error>(xg::status_code::index_out_of_range, "far", {"index " + std::to_string(bad), "offset 7", "[0, 6)"},
            x = in(), ids = rows, far = xg::array(wrong.data(), 4, 2), y = labels, rate = 1.0f);
    }
    auto wrong = labels;
    wrong[0] = 4;
    refused<xg::value_error>(xg::status_code::index_out_of_range, "y", {"index 4", "offset 0", "[0, 4)"}, x = in(), ids = rows,
        far = far_in(), y = wrong, rate = 1.0f);
    good();
}
TEST_CASE_FIXTURE(fixture, "the noexcept form takes steps, stays within what was reserved, and can go on") {
    auto const bind = [&](int n) {
        std::vector<std::int32_t> const r(static_cast<std::size_t>(n), 1);
        std::vector<std::int64_t> const p(static_cast<std::size_t>(n) * 2, 1);
        return train.try_step(x = xg::array(images.data(), n, 3), ids = r, far = xg::array(p.data(), n, 2), y = r, rate = 1.0f);
    };
    CHECK(bind(4));
    CHECK(train.result() > 0);
    CHECK(train.global_step() == 2);
    auto const before = state();
    auto const bytes = train.arena_bytes();
    CHECK(bind(33).code == xg::status_code::capacity_exceeded);
    CHECK(state() == before);
    CHECK(train.arena_bytes() == bytes);
    CHECK(bind(2));
    CHECK(bind(4));
    train.reserve(batch = 33);
    CHECK(train.arena_bytes() > bytes);
    CHECK(bind(33));
    CHECK(bind(0));   // an empty batch is a step
    CHECK(train.global_step() == 6);
}
TEST_CASE_FIXTURE(fixture, "the throwing form grows by itself, and reserve never shrinks") {
    auto const bytes = train.arena_bytes();
    std::vector<std::int32_t> const r(20, 1);
    std::vector<std::int64_t> const p(40, 1);
    std::vector<float> const big(60, .5f);
    train(x = xg::array(big.data(), 20, 3), ids = r, far = xg::array(p.data(), 20, 2), y = r, rate = 1.0f);
    auto const grown = train.arena_bytes();
    CHECK(grown > bytes);
    train.reserve(batch = 2);
    CHECK(train.arena_bytes() == grown);
    good();
    CHECK(train.global_step() == 3);
}
TEST_CASE("values that assign refuses") {
    xg::variables vars{loss};
    std::vector<float> const data(12, 2.0f);
    CHECK(test::message_of<xg::shape_error>([&] { vars.assign(w, data); }) ==
          "xgrad: assign: the array has another shape than the variable \"w\": it has [12], the variable [3, 4]; give its "
          "extents: xgrad::array(pointer, extents...)");
    CHECK_THROWS_AS(vars.assign(w, xg::array(data.data(), 4, 3)), xg::shape_error);
    CHECK_THROWS_AS(vars.assign(w, strided{data.data(), {3, 4}, {1, 3}}), xg::binding_error);
    for (float const z : vars.value(w)) CHECK(z == 0);
    vars.assign(w, xg::array(data.data(), 3, 4));
    CHECK(vars.value(w)(2, 3) == 2.0f);
}
TEST_CASE_FIXTURE(fixture, "what is not there: what is there instead") {
    CHECK(test::message_of<xg::binding_error>([&] { train.value(xg::variable<"v", float, 3>); }) ==
          "xgrad: there is no variable \"v\" in this store; it has \"table\", \"bag\", \"w\"");
    CHECK(test::message_of<xg::shape_error>([&] {
        train.value(xg::variable<"w", float, 4, 3>);
    }).ends_with("than in this expression: float[3, 4] there, float[4, 3] here"));
    CHECK(test::message_of<xg::binding_error>([&] { train.slot(w, "momentum"); }) ==
          "xgrad: the variable \"w\" has no slot \"momentum\"; Adam keeps \"m\", \"v\"");
    CHECK(test::message_of<xg::binding_error>([&] { train.grow(batch = 9, xg::ones_initializer{}); }) ==
          "xgrad: grow: no variable has one of these named dimensions; variables have none");
}
TEST_CASE("hyper-parameters that a rule refuses are refused at construction") {
    CHECK_THROWS_AS(static_cast<void>(xg::minimize(loss, xg::adam{.beta1 = 1.0})), xg::value_error);
    CHECK_THROWS_AS(static_cast<void>(xg::minimize(loss, xg::ftrl{.learning_rate = -1.0})), xg::value_error);
}
