// SPDX-License-Identifier: MIT
// interleaved_rows: the bits of the trainer's own steps, whatever else reads or moves the variables in between.
#include <support/allocations.hpp>
#include <support/copy.hpp>
#include <support/temporary_folder.hpp>

#include <xgrad/io/checkpoint.hpp>
#include <xgrad/train/catch_up.hpp>
#include <xgrad/train/growing_table.hpp>
#include <xgrad/train/interleaved_rows.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {

inline constexpr xg::dim words{"words"};
inline constexpr int table_rows = 41, ids_of_step = 7;
std::vector<std::int32_t> ids_at(std::uint64_t k) {
    std::vector<std::int32_t> all(ids_of_step);
    for (std::uint64_t i = 0; i < ids_of_step; ++i) all[i] = static_cast<std::int32_t>(xg::mix_bits(k * 31 + i) % (i % 2 ? table_rows : 5));
    return all;
}

// A table that is looked up, one that is summed in bags, a variable without rows.
template<class T, int Row>
struct model {
    static constexpr auto table = xg::variable<"table", T, words, Row>;
    static constexpr auto bags = xg::variable<"bags", T, words, Row>;
    static constexpr auto scale = xg::variable<"scale", T, Row>;
    static constexpr auto ids = xg::input<"ids", std::int32_t, ids_of_step>;
    static constexpr auto bag = xg::input<"bag", std::int64_t, 1, ids_of_step>;
    static constexpr auto loss = xg::mean(xg::square(xg::gather(table, ids) * scale + xg::embedding_bag(bags, bag) - 1_c));
    template<class Rule>
    static auto make(Rule const& rule) {
        auto train = xg::minimize(loss, rule, words = table_rows);
        train.initialize(xg::random_normal{.seed = 7, .stddev = 0.5});
        return train;
    }
    template<class Step>
    static auto run(Step& step, std::uint64_t k) {
        auto const rows = ids_at(k);
        std::vector<std::int64_t> const in_bag(rows.rbegin(), rows.rend());
        return step(ids = rows, bag = xg::array(in_bag.data(), 1, ids_of_step));
    }
    template<class Train>
    static std::vector<double> state(Train& train) {
        std::vector<double> all;
        auto const add = [&](xg::stored_part const& p) {
            for (std::int64_t i = 0; i < p.size; ++i)
                all.push_back(p.type == xg::dtype::float32 ? static_cast<double>(static_cast<float const*>(p.data)[i])
                                                           : static_cast<double const*>(p.data)[i]);
        };
        auto const& variables = train.store().variables();
        for (auto const& v : variables) add(part_of(v));
        for (auto const& s : train.optimizer().all())
            for (int k = 0; k < s.slot_count; ++k) add(part_of(s, k, variables.at[s.variable]));
        return all;
    }
};
template<class T, int Row, class Rule>
void check(Rule const& rule) {
    INFO(Row);
    using m = model<T, Row>;
    auto expected = m::make(rule), train = m::make(rule);
    xg::interleaved_rows step{train};
    for (std::uint64_t k = 0; k < 24; ++k) {
#if XGRAD_INTERCEPT
        test::allocations = 0;
        auto const rows = ids_at(k);
        std::vector<std::int64_t> const in_bag(rows.rbegin(), rows.rend());
        test::counting = k > 0;
        T const found = step(m::ids = rows, m::bag = xg::array(in_bag.data(), 1, ids_of_step));
        test::counting = false;
        REQUIRE(test::allocations == 0);
        REQUIRE(found == m::run(expected, k));
#else
        REQUIRE(m::run(step, k) == m::run(expected, k));
#endif
    }
    REQUIRE(m::state(train) == m::state(expected));
    for (std::uint64_t k = 24; k < 30; ++k) REQUIRE(m::run(step, k) == m::run(expected, k));
    CHECK(m::state(train) == m::state(expected));
}
xg::momentum const plain{.learning_rate = 0.05, .momentum = 0.875};

}   // namespace

TEST_CASE("interleaved_rows: the bits of the trainer's steps, for rows of all lengths") {
    check<float, 1>(plain);
    check<float, 3>(xg::lazy_adam{.learning_rate = 0.1});
    check<double, 4>(xg::lazy_adam{.learning_rate = 0.1});
    check<float, 19>(xg::ftrl{.learning_rate = 0.1, .l1 = 0.01});
    check<double, 16>(xg::adagrad{.learning_rate = 0.1});
}
TEST_CASE("interleaved_rows: rules with reductions, over one variable and over all, and with slots of other scopes") {
    check<float, 5>(xg::chain(xg::clip_by_global_norm(0.5), plain));
    check<double, 3>(xg::lars{.learning_rate = 0.1});
    check<float, 18>(xg::lars{.learning_rate = 0.1});
    check<float, 6>(xg::partial_rowwise_adam{.learning_rate = 0.1});
}
namespace {
// Bodies that take rows, and one that reads the table as a whole.
using of_bodies = model<double, 3>;
struct cell : xg::region {
    static constexpr auto value(auto h, auto row) { return xg::carry(xg::tanh(h * of_bodies::scale + row)); }
};
struct reads_table : xg::region {
    static constexpr auto value(auto h) { return h * xg::stop_gradient(xg::sum(of_bodies::table)); }
};
constexpr auto last = std::get<0>(xg::scan<cell>(xg::carry(of_bodies::scale), xg::gather(of_bodies::table, of_bodies::ids)));
constexpr auto loss_of_bodies = xg::sum(last * xg::embedding_bag(of_bodies::bags, of_bodies::bag));
template<class P>
constexpr std::string_view used_otherwise(xg::trainer<P>*) {
    return xg::detail::first_used_otherwise<P>();
}
template<class Loss>
using trainer_of = decltype(xg::minimize(Loss{}, plain, words = 1));
static_assert(used_otherwise(static_cast<trainer_of<decltype(loss_of_bodies)>*>(nullptr)).empty());
static_assert(used_otherwise(static_cast<trainer_of<decltype(xg::call<reads_table>(loss_of_bodies))>*>(nullptr)) == "table");
}
TEST_CASE("interleaved_rows: the rows of a table go into a loop") {
    auto const make = [] {
        auto train = xg::minimize(loss_of_bodies, plain, words = table_rows);
        train.initialize(xg::random_normal{.seed = 7, .stddev = 0.5});
        return train;
    };
    auto expected = make(), train = make();
    xg::interleaved_rows step{train};
    for (std::uint64_t k = 0; k < 8; ++k) REQUIRE(of_bodies::run(step, k) == of_bodies::run(expected, k));
    CHECK(of_bodies::state(train) == of_bodies::state(expected));
}
TEST_CASE("interleaved_rows: whoever asks for variables has what the steps have made of them") {
    using m = model<float, 3>;
    auto expected = m::make(plain), train = m::make(plain), other = m::make(plain);
    xg::interleaved_rows step{train};
    xg::function rows{xg::gather(m::table, m::ids), train};
    xg::function same{xg::gather(m::table, m::ids), expected};
    temporary_folder const folder;
    std::string const path = (folder.path / "model.safetensors").string();
    std::uint64_t k = 0;
    auto const go = [&] {
        for (int i = 0; i < 3; ++i, ++k) REQUIRE(m::run(step, k) == m::run(expected, k));
    };
    auto const both = [&](auto const& act) {
        go();
        act(train);
        act(expected);
        go();
    };
    go();
    CHECK(test::copy<double>(rows(m::ids = ids_at(1))) == test::copy<double>(same(m::ids = ids_at(1))));
    go();
    CHECK(test::copy<double>(train.slot(m::bags, "momentum")) == test::copy<double>(expected.slot(m::bags, "momentum")));
    both([&](auto& of) { m::run(of, 100); });                // a step of the trainer's own
    both([&](auto& of) { of.value(m::table)(4, 1) = 3; });   // written through a view
    std::vector<float> const given(table_rows * 3, 0.25f);
    both([&](auto& of) { of.assign(m::bags, xg::array(given.data(), table_rows, 3)); });
    both([&](auto& of) { of.reset_optimizer(); });
    both([&](auto& of) { of.grow(words = table_rows + 3, xg::random_uniform{.seed = 2}); });
    both([&](auto& of) { of.initialize(xg::random_normal{.seed = 8}); });
    go();
    xg::save(train, path);
    other.grow(words = table_rows + 3, xg::zeros_initializer{});
    xg::restore(other, path);
    CHECK(m::state(other) == m::state(expected));
    go();
    both([&](auto& of) { xg::restore(of, path); });
    {
        xg::interleaved_rows second{train};
        for (int i = 0; i < 4; ++i, ++k) {
            bool const turn = i % 2 == 0;
            REQUIRE((turn ? m::run(second, k) : m::run(step, k)) == m::run(expected, k));
        }
        m::run(second, k), m::run(expected, k);
    }   // brings them back
    go();
    {
        xg::catch_up behind{train};
        m::run(behind, 5);
        xg::catch_up same_behind{expected};
        m::run(same_behind, 5);
    }
    go();
    CHECK(m::state(train) == m::state(expected));
}
TEST_CASE("interleaved_rows: a call that is refused changes nothing") {
    using m = model<float, 3>;
    auto expected = m::make(plain), train = m::make(plain);
    xg::interleaved_rows step{train};
    auto bad = ids_at(0);
    bad[3] = table_rows;
    std::vector<std::int64_t> const in_bag(ids_of_step, 1);
    auto const refused = [&] {
        CHECK_THROWS_AS(step(m::ids = bad, m::bag = xg::array(in_bag.data(), 1, ids_of_step)), xg::value_error);
        CHECK_THROWS_AS(step(m::ids = ids_at(0), m::bag = xg::array(in_bag.data(), ids_of_step, 1)), xg::shape_error);
        train.rule().learning_rate = -1.0;
        CHECK_THROWS_AS(m::run(step, 0), xg::value_error);
        train.rule().learning_rate = 0.05;
    };
    refused();   // before the rows are taken
    for (std::uint64_t k = 0; k < 5; ++k) REQUIRE(m::run(step, k) == m::run(expected, k));
    refused();
    CHECK(m::run(step, 5) == m::run(expected, 5));
    CHECK(m::state(train) == m::state(expected));
}
TEST_CASE("interleaved_rows: rows of a growing table are made where they lie") {
    constexpr auto table = xg::variable<"table", float, words, 3>;
    constexpr auto ids = xg::input<"ids", std::int32_t, 4>;
    auto const make = [&](std::int64_t n) {
        return xg::minimize(xg::mean(xg::square(xg::gather(table, ids) - 1_c)), xg::adagrad{.learning_rate = 0.1}, words = n);
    };
    auto expected = make(30), train = make(30);
    xg::interleaved_rows step{train};
    xg::random_normal const how{.seed = 3, .stddev = 0.5};
    xg::growing_table known{"known", train, table, how, {.expire_after = 4}}, same{"known", expected, table, how, {.expire_after = 4}};
    for (std::int64_t k = 0; k < 60; ++k) {
        if (k == 40) train.grow(words = 33, xg::zeros_initializer{}), expected.grow(words = 33, xg::zeros_initializer{});
        std::vector<std::int64_t> const keys{k / 2, k / 3, -k, 5};
        auto const rows = known.lookup_or_insert(keys);
        REQUIRE(rows == same.lookup_or_insert(keys));
        REQUIRE(step(ids = rows) == expected(ids = rows));
        if (k > 0 && k != 40) REQUIRE(train.store().held() != nullptr);   // no pass over the table was needed
    }
    CHECK(test::copy<double>(train.value(table)) == test::copy<double>(expected.value(table)));
    CHECK(test::copy<double>(train.slot(table, "accumulator")) == test::copy<double>(expected.slot(table, "accumulator")));
}
