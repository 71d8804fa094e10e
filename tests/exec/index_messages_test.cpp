// SPDX-License-Identifier: MIT
// What a call says about an index that only a step can find to be wrong: the input or the operation, the index, its range.
#include <support/message_of.hpp>

#include <xgrad/ops/index/bags.hpp>
#include <xgrad/ops/index/segments.hpp>
#include <xgrad/ops/index/take.hpp>
#include <xgrad/ops/sequences/crf.hpp>
#include <xgrad/ops/sequences/ctc.hpp>
#include <xgrad/ops/sparse/row_offsets.hpp>
#include <xgrad/ops/sparse/sparse_products.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {

inline constexpr xg::dim n{"n"};
inline constexpr xg::dim rows{"rows"};
constexpr auto table = xg::input<"table", float, rows, 2>;
constexpr auto ids = xg::input<"ids", std::int32_t, n>;
constexpr auto of_rows = xg::input<"of_rows", std::int64_t, rows>;
constexpr auto places = xg::input<"places", std::uint64_t, n, 2>;

std::vector<float> const numbers(8, 1.0f);
std::vector<std::int32_t> const wrong{0, 3, 4, 1};
std::string const of_ids = "xgrad: input \"ids\": index 4 at offset 2 is out of range [0, 4)";

/// The message of a call with four rows and a wrong index, of which the second call has none.
template<class E>
std::string message(E const& y) {
    xg::function f{y};
    std::vector<std::int32_t> const good{0, 3, 2, 1};
    CHECK_NOTHROW(f(table = xg::array(numbers, 4, 2), ids = good));
    auto const status = f.try_call(table = xg::array(numbers, 4, 2), ids = wrong);
    CHECK(status.code == xg::status_code::index_out_of_range);
    std::string const text = test::message_of<xg::value_error>([&] { f(table = xg::array(numbers, 4, 2), ids = wrong); });
    CHECK(status.name == (text.find("\"ids\"") == std::string::npos ? "" : "ids"));
    CHECK_NOTHROW(f(table = xg::array(numbers, 4, 2), ids = good));
    return text;
}
struct adds_rows : xg::region {
    static constexpr auto value(auto sum, auto id) { return xg::carry(sum + xg::gather(table, id)); }
};

}   // namespace

TEST_CASE("an index of an input into a table whose size a call brings") {
    CHECK(message(xg::gather(table, ids)) == of_ids);
    CHECK(message(xg::embedding_bag(table, xg::reshape<n, 1>(ids))) == of_ids);
    CHECK(message(xg::embedding_bag<xg::combiner::mean, -1>(table, xg::reshape<1, n>(ids))) == of_ids);
    CHECK(message(xg::embedding_bag<xg::combiner::max>(table, xg::reshape<1, n>(ids))) == of_ids);
    CHECK(message(std::get<0>(xg::scan<adds_rows>(xg::carry(xg::sum<0>(table)), ids))) == of_ids);
}
TEST_CASE("an index that the graph computes") {
    CHECK(message(xg::gather(table, ids + 0_c * ids)) == "xgrad: gather: the index 4 is out of range [0, 4); nothing has been updated");
    xg::function f{xg::gather_nd(table, places)};
    std::vector<std::uint64_t> const at{0, 0, 3, 2};
    std::string const text = test::message_of<xg::value_error>([&] { f(table = xg::array(numbers, 4, 2), places = xg::array(at, 2, 2)); });
    CHECK(text.find("(-1 also stands for a coordinate outside of its axis") != std::string::npos);
}
TEST_CASE("segments") {
    auto const check = [](auto const& y, std::string const& text) {
        xg::function f{y};
        std::vector<std::int64_t> const at{0, 1, -7, 3};
        CHECK(test::message_of<xg::value_error>([&] { f(table = xg::array(numbers, 4, 2), of_rows = at); }) == text);
    };
    std::string const text = "xgrad: input \"of_rows\": index -7 at offset 2 is out of range [0, 4)";
    check(xg::segment_sum<rows>(table, of_rows), text);
    check(xg::segment_max<rows>(table, of_rows), text);
    check(xg::gradient_of(xg::sum(xg::segment_min<rows>(table, of_rows)), table), text);
}
TEST_CASE("labels and tags before the end of a row") {
    constexpr auto scores = xg::variable<"scores", float, 1, 4, 3>;
    constexpr auto labels = xg::input<"labels", std::int32_t, 1, 2>;
    constexpr auto time = xg::constant<std::int32_t, 4>;
    constexpr auto two = xg::constant<std::int32_t, 2>;
    auto train = xg::minimize(xg::sum(xg::ctc_loss(scores, labels, xg::broadcast_to<1>(time), xg::broadcast_to<1>(two))),
        xg::gradient_descent{.learning_rate = 1});
    auto const text = [&](std::int32_t a, std::int32_t b) {
        std::vector<std::int32_t> const given{a, b};
        return test::message_of<xg::value_error>([&] { train(labels = xg::array(given, 1, 2)); });
    };
    CHECK(text(1, 3) == "xgrad: ctc_loss: the index 3 is out of range [0, 3); nothing has been updated");
    CHECK(text(-2, 3) == "xgrad: ctc_loss: the index -2 is out of range [0, 3); nothing has been updated");
    CHECK(text(1, 0) == "xgrad: ctc_loss: the index 0 is the blank, which is no label; nothing has been updated");
    CHECK(train.global_step() == 0);
    CHECK(train.value(scores)[0] == 0);
}
