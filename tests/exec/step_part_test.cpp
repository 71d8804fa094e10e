// SPDX-License-Identifier: MIT
// Functions, and updates by rows, whose steps run part by part leave the bits that whole steps leave.
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "exec/step_part.hpp"

using namespace step_part;

namespace {
constexpr auto points = xg::input<"points", float, batch, 5>;
constexpr auto dropped = xg::dropout<"drop">(hidden * rows, 0.5_c);
constexpr auto best = std::get<0>(xg::top_k<3>(xg::softmax(dropped)));
constexpr auto positions = xg::one_hot<10>(ids) * hidden;

template<class P>
std::vector<float> results(xg::runner& r) {
    std::vector<float> all;
    for (int k = 0; k < P::plan.output_count; ++k) {
        std::int64_t size = 1;
        for (int d = 0; d < P::runtime.output_shapes[k].rank; ++d) size *= r.output_extent(k, d);
        auto const* first = static_cast<float const*>(r.output(k));
        all.insert(all.end(), first, first + size);
    }
    return all;
}
template<class E>
counts compare(E) {
    using P = xg::program<E>;
    counts n;
    for (std::size_t size : {1u, 2u, 7u, 33u, 100u, 300u}) {   // of more than 64 terms doubles take over the sums
        xg::variables vars{x, hidden, rows, wide, features = 17};
        vars.initialize(xg::random_uniform{.seed = 3, .range = 0.5});
        xg::runner r(P::runtime.view());
        r.borrow(vars.store());
        auto const images = numbers(size * 17, 1.0f);
        auto const one = numbers(size, std::int32_t{10});
        auto const many = numbers(size * 3, std::int64_t{20});
        xg::detail::arguments<P> const a = [&] {
            if constexpr (P::input_index(decltype(points)::info.attrs.name_hash) >= 0)
                return xg::detail::arguments<P>(points = xg::array(images.data(), size, 5));
            else if constexpr (P::plan.input_count == 1) return xg::detail::arguments<P>(x = xg::array(images.data(), size, 17));
            else return xg::detail::arguments<P>(x = xg::array(images.data(), size, 17), ids = one, bags = xg::array(many.data(), size, 3));
        }();
        REQUIRE(r.bind(a.refs, a.given, true));
        REQUIRE(r.run_all());
        auto const whole = results<P>(r);
        run_in_parts<P>(P::runtime.view(), r.arguments(), n);
        auto const parts = results<P>(r);
        CHECK(std::memcmp(whole.data(), parts.data(), whole.size() * sizeof(float)) == 0);
    }
    return n;
}

TEST_CASE("loops, products, lookups, random numbers and functions on rows run in parts with the same bits") {
    counts const n = compare(xg::outputs(best, positions, xg::sum<1>(hidden), rows));
    CHECK(n.in_parts > n.steps / 2);
}
/// Moves rows that occur, and nothing else.
struct lazy_momentum : xg::momentum {
    static constexpr auto sparse = xg::sparse_semantics::lazy;
};
TEST_CASE("updates by rows run in parts with the same bits") {
    constexpr auto second = xg::variable<"second", float, 13, 1>;   // rows of one element, each index twice at most
    constexpr auto loss = xg::mean(xg::square(rows * xg::gather(second, ids) + hidden));
    CHECK(compare_updates(xg::adam{.learning_rate = 0.01}, loss).by_rows > 0);
    CHECK(compare_updates(xg::adamw{.weight_decay = 0.1}, loss).by_rows > 0);
    CHECK(compare_updates(xg::lazy_adam{.learning_rate = 0.01}, loss).by_rows > 0);
    CHECK(compare_updates(lazy_momentum{}, loss).by_rows > 0);
    CHECK(compare_updates(xg::rowwise_adagrad{}, loss).by_rows == 0);
}
TEST_CASE("sums over the outermost loop are left whole") {
    counts const n = compare(xg::outputs(xg::sum<0>(hidden), xg::mean(xg::square(hidden))));
    CHECK(n.in_parts > 0);
    CHECK(n.in_parts < n.steps);
}
TEST_CASE("a loop that is not summed runs in parts where the outermost is summed") {
    constexpr auto centred = x - xg::mean<0>(x);
    counts const n = compare(xg::outputs(xg::sum<0>(xg::square(x)), xg::max<0>(x), xg::sum<0>(xg::tanh(centred) * centred)));
    CHECK(n.columns > 0);
    constexpr auto each = xg::reshape<batch, 3, features>(xg::concat<1>(x, 2_c * x, 3_c * x));
    CHECK(compare(xg::outputs(xg::sum<0>(xg::exp(each)), xg::sum<0, 2>(each))).columns > 0);
}
TEST_CASE("sums over an inner loop, beside values of rows, run in parts") {
    constexpr auto each = xg::expand_dims<1>(hidden) * xg::slice<1, 0, 10>(wide);   // [batch, 70, 10]
    constexpr auto share = each / xg::sum<2>(xg::square(each) + 1_c, xg::keep_dims);
    counts const n = compare(xg::outputs(xg::sum<1>(share), xg::sum<1>(xg::max<2>(each)), xg::sum<1, 2>(share * each)));
    CHECK(n.in_parts == n.steps);
}
TEST_CASE("lanes") {
    constexpr auto mean = xg::slice<1, 0, 5>(xg::slice<0, 0, 7>(wide));
    constexpr auto away = xg::expand_dims<1>(points) - mean;
    constexpr auto weight = xg::softmax<1>(-xg::sum<2>(xg::square(away)));
    counts const n = compare(xg::outputs(xg::sum<0, 1>(xg::expand_dims<2>(weight) * away), xg::sum<0>(weight)));
    CHECK(n.lanes > 0);
}
template<std::int64_t Rows>
void compare_tall() {
    CAPTURE(Rows);
    constexpr auto left = xg::slice<1, 0, 20>(xg::reshape<Rows, 30>(xg::slice<0, 0, Rows / 3>(wide)));
    counts const n =
        compare(xg::outputs(xg::relu(xg::matmul(left, table)), xg::matmul<true, false>(xg::transpose(left), xg::tanh(table)), x + 0_c));
    CHECK(n.static_rows == 12);   // two, of six sizes
}
TEST_CASE("products of static height") {   // no rows after the tiles, few, more than a tile
    compare_tall<144>();
    compare_tall<129>();
    compare_tall<141>();
    compare_tall<138>();
}
TEST_CASE("long loops of static length") {
    counts const n = compare(xg::outputs(xg::tanh(wide) * wide, x + 0_c));
    CHECK(n.in_parts == n.steps);
}
TEST_CASE("a loop along one dimension") {
    counts const n = compare(xg::outputs(xg::exp(xg::matmul(x, xg::slice<1, 0, 1>(w))), 2_c * x));
    CHECK(n.in_parts > 0);
}
}   // namespace
