// SPDX-License-Identifier: MIT
// Where a store puts variables and slots: aligned, nothing overlaps, those of one element type and rule side by side, for good.
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace xg = xgrad;

namespace {

constexpr auto a = xg::variable<"a", float, 5, 3>;
constexpr auto b = xg::variable<"b", double, 7>;
constexpr auto c = xg::variable<"c", float>;
constexpr auto d = xg::variable<"d", float, 100>;
constexpr auto e = xg::variable<"e", float, 1, 17>;
constexpr auto loss = xg::sum(a) + xg::cast<float>(xg::sum(b)) + c + xg::sum(d) + xg::sum(e);

struct piece {
    std::uintptr_t begin, end;
};
std::vector<piece> pieces(xg::variable_store const& store) {
    std::vector<piece> all;
    auto const add = [&](xg::stored_variable const& v, void const* p) {
        auto const at = reinterpret_cast<std::uintptr_t>(p);
        all.push_back({at, at + static_cast<std::size_t>(v.size) * xg::size_of(v.type)});
    };
    for (auto const& v : store.variables()) add(v, v.data);
    for (auto const* o : store.optimizers())
        for (auto const& slots : o->all())
            for (int s = 0; s < slots.slot_count; ++s) add(store.variables().at[slots.variable], slots.slots[s]);
    return all;
}
bool within(piece const& p, xg::aligned_buffer<std::byte> const& memory) {
    return memory.holds(reinterpret_cast<void const*>(p.begin)) && memory.holds(reinterpret_cast<void const*>(p.end - 1));
}

}   // namespace

TEST_CASE("variables and slots are aligned, lie in the store's memory and do not overlap") {
    auto train = xg::minimize(loss, xg::param_group(xg::ftrl{}, d, e), xg::param_group(xg::adam{}));
    auto all = pieces(train.store());
    CHECK(all.size() == 5 * 3);
    for (std::size_t i = 0; i < all.size(); ++i) {
        CHECK(all[i].begin % 64 == 0);
        if (i < 5) CHECK(within(all[i], train.store().memory()));
        else CHECK(within(all[i], train.optimizer().memory()));
    }
    std::sort(all.begin(), all.end(), [](piece const& x, piece const& y) { return x.begin < y.begin; });
    for (std::size_t i = 1; i < all.size(); ++i) CHECK(all[i].begin >= all[i - 1].end);
}

TEST_CASE("variables of one element type and rule lie side by side, their slots in the same distances") {
    auto train = xg::minimize(loss, xg::param_group(xg::ftrl{}, d, e), xg::param_group(xg::adam{}));
    auto const rounded = [](std::size_t n) { return static_cast<std::ptrdiff_t>((n + 63) / 64 * 64); };
    auto const apart = [](void const* x, void const* y) { return static_cast<char const*>(y) - static_cast<char const*>(x); };
    auto const& store = train.store();
    auto const *va = store.find(xg::hash_text("a")), *vc = store.find(xg::hash_text("c")), *vd = store.find(xg::hash_text("d")),
               *ve = store.find(xg::hash_text("e"));
    auto const of = [&](auto const* v) { return train.optimizer().find(static_cast<int>(v - store.variables().begin())); };
    CHECK(apart(va->data, vc->data) == rounded(5 * 3 * 4));
    CHECK(apart(vd->data, ve->data) == rounded(100 * 4));
    for (int s = 0; s < 2; ++s) {
        CHECK(apart(of(va)->slots[s], of(vc)->slots[s]) == apart(va->data, vc->data));
        CHECK(apart(of(vd)->slots[s], of(ve)->slots[s]) == apart(vd->data, ve->data));
    }
    CHECK(of(vd)->rule == "Ftrl");
    CHECK(of(va)->rule == "Adam");
    CHECK(store.find(xg::hash_text("none")) == nullptr);
}

TEST_CASE("addresses stay, whatever happens to the trainer") {
    auto train = xg::minimize(loss, xg::adam{});
    auto const before = pieces(train.store());
    train();
    train.initialize(xg::glorot_uniform{.seed = 1});
    train.reset_optimizer();
    auto moved = std::move(train);
    moved();
    auto const after = pieces(moved.store());
    REQUIRE(after.size() == before.size());
    for (std::size_t i = 0; i < after.size(); ++i) CHECK(after[i].begin == before[i].begin);
}
