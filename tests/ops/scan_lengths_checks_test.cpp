// SPDX-License-Identifier: MIT
// Loops over rows of different lengths: when they stop, and lengths out of range. Nothing may have been updated then.
#include <support/message_of.hpp>
#include <support/tensor.hpp>

#include <xgrad/exec/function.hpp>
#include <xgrad/optim/optim.hpp>
#include <xgrad/train/minimize.hpp>

#include <limits>
#include <string>
#include <vector>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
constexpr auto n = xg::input<"n", std::int64_t, batch>;
constexpr auto x = xg::input<"x", float, 6, batch, 2>;
constexpr auto h = xg::input<"h", float, batch, 2>;

int calls = 0;
struct counted : xg::elementwise_op {
    static constexpr std::string_view name = "counted";
    static auto value(auto a) {
        ++calls;
        return a;
    }
};
struct adds : xg::region {
    static constexpr auto value(auto before, auto row) { return xg::carry(xg::apply<counted>(before + row)); }
};

constexpr auto w = xg::variable<"w", float, 2, 2>;
struct cell : xg::region {
    static constexpr auto value(auto before, auto row) { return xg::carry(xg::tanh(xg::matmul(before, w) + row)); }
};
constexpr auto loss = xg::sum(xg::square(std::get<0>(xg::scan<cell>(xg::carry(h).lengths(n), x)))) + xg::sum(xg::square(w));
}

TEST_CASE("a loop stops at the end of the longest row") {
    xg::function f{std::get<0>(xg::scan<adds>(xg::carry(h).lengths(n), x))};
    auto const X = test::numbers<float>({6, 3, 2}), H = test::numbers<float>({3, 2});
    auto calls_of = [&](test::tensor<std::int64_t> const& ends) {
        calls = 0;
        static_cast<void>(f(n = ends, x = X, h = H));
        return calls;
    };
    int const one = calls_of(test::list<std::int64_t>({0, 1, 0}));
    CHECK(one > 0);
    CHECK(calls_of(test::list<std::int64_t>({0, 0, 0})) == 0);
    CHECK(calls_of(test::list<std::int64_t>({4, 1, 2})) == 4 * one);
    CHECK(calls_of(test::list<std::int64_t>({4, 1, 6})) == 6 * one);
}
TEST_CASE("lengths out of range fail, and nothing is updated") {
    auto const X = test::numbers<float>({6, 3, 2}), H = test::numbers<float>({3, 2});
    auto const good = test::list<std::int64_t>({6, 0, 2});
    auto const check = [&](auto train) {
        train.assign(w, test::numbers<float>({2, 2}));
        train(n = good, x = X, h = H);
        auto values = [&] {
            auto const& all = train.store().variables();
            auto const* const first = static_cast<float const*>(all.begin()->data);
            return std::vector<float>(first, first + 4);
        };
        auto const trained = values();
        constexpr auto least = std::numeric_limits<std::int64_t>::min(), most = std::numeric_limits<std::int64_t>::max();
        for (std::int64_t wrong : {std::int64_t{7}, std::int64_t{-1}, least, most})
            for (int row = 0; row < 3; ++row) {
                auto bad = good;
                bad[row] = wrong;
                std::string const message = test::message_of<xg::value_error>([&] { train(n = bad, x = X, h = H); });
                INFO(message);
                CHECK(message.find("a loop over the body \"cell\" has " + std::to_string(wrong) + " iterations") != std::string::npos);
                CHECK(message.find("outside of [0, 6]") != std::string::npos);
                CHECK(train.try_step(n = bad, x = X, h = H).code == xg::status_code::turns_out_of_range);
                CHECK(values() == trained);
                CHECK(train.global_step() == 1);
            }
        train(n = good, x = X, h = H);
        CHECK(train.global_step() == 2);
        CHECK(values() != trained);
    };
    check(xg::minimize(loss, xg::gradient_descent{.learning_rate = 0.01}));
}
