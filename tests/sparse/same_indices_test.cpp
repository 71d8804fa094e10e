// SPDX-License-Identifier: MIT
// Updates by the same indices group them once, and leave the same bits as updates by separate indices.
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <cstring>
#include <vector>

namespace xg = xgrad;

namespace {
inline constexpr xg::dim batch{"batch"};
constexpr auto ids = xg::input<"ids", std::int32_t, batch>;
constexpr auto other = xg::input<"other", std::int32_t, batch>;
constexpr auto wide = xg::variable<"wide", float, 50>;
constexpr auto deep = xg::variable<"deep", float, 100000, 5>;   // looked up in another way
constexpr auto last = xg::variable<"last", float, 60, 3>;
constexpr auto w = xg::variable<"w", float, 5, 5>;

template<class I>
constexpr auto loss_of(I second) {   // products come between the updates
    return xg::sum(xg::square(xg::gather(wide, ids))) + xg::sum(xg::square(xg::matmul(xg::gather(deep, second), w))) +
           xg::sum(xg::square(xg::gather(last, second)));
}
template<class Trainer>
std::vector<float> values(Trainer const& train) {
    std::vector<float> all;
    for (auto const& v : train.store().variables())
        all.insert(all.end(), static_cast<float const*>(v.data), static_cast<float const*>(v.data) + v.size);
    return all;
}
/// How many updates of a step take the groups of another one.
template<class Trainer, class... B>
int grouped_updates(Trainer& train, B const&... bindings) {
    using P = typename Trainer::program_type;
    xg::runner r(P::runtime.view());
    r.borrow(train.store());
    r.borrow_slots(train.optimizer());
    xg::detail::arguments<P> const a(bindings...);
    REQUIRE(r.bind(a.refs, a.given, true));
    int n = 0;
    for (int i = 0; i < P::plan.step_count; ++i) n += r.arguments()[i].groups != nullptr && r.arguments()[i].grouped;
    return n;
}
template<class Rule>
void compare(Rule rule) {
    auto once = xg::minimize(loss_of(ids), rule);
    auto apart = xg::minimize(loss_of(other), rule);
    once.initialize(xg::random_uniform{.seed = 3, .range = 0.5});
    apart.initialize(xg::random_uniform{.seed = 3, .range = 0.5});
    std::vector<std::int32_t> const some{3, 1, 3};
    CHECK(grouped_updates(once, ids = some) == 2);
    CHECK(grouped_updates(apart, ids = some, other = some) == 1);
    for (std::size_t n : {7u, 1u, 0u, 300u, 20u, 40u}) {
        std::vector<std::int32_t> list(n);
        for (std::size_t i = 0; i < n; ++i)
            list[i] = static_cast<std::int32_t>(n == 40 ? 49 - i : i * 7919 % 50);   // those of 40 are distinct
        once(ids = list);
        apart(ids = list, other = list);
        auto const a = values(once), b = values(apart);
        CHECK(std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0);
    }
}
}   // namespace

TEST_CASE("rules that move the rows that occur") {
    compare(xg::adagrad{.learning_rate = 0.1});
    compare(xg::lazy_adam{.learning_rate = 0.1});
}
TEST_CASE("a rule that moves all rows needs them in order") { compare(xg::adam{.learning_rate = 0.1}); }
TEST_CASE("a rule that looks at all gradients first, for some of the tables") {
    compare(xg::chain(xg::clip_by_global_norm(0.5), xg::gradient_descent{.learning_rate = 0.1}));
}
