// SPDX-License-Identifier: MIT
// The walk over the rows of a nest against index arithmetic: every order of wrapping dimensions, in all and in some of them.
#include <doctest/doctest.h>

#include <xgrad/kernels/nests/row_position.hpp>

namespace {
namespace kernels = xgrad::kernels;

constexpr std::int64_t bytes[3] = {4, 1, 0};   // floats, bytes, and an operand whose position alone counts
std::byte memory[4096];

struct walk {
    xgrad::operand_argument operands[3] = {
        {memory, {105, 35, 7, 1, 0}, 0}, {memory, {0, 1, 2, 100, 0}, 0}, {nullptr, {1000, -100, 10, 1, 0}, 0}};
    xgrad::step_arguments a{};
    walk(std::int64_t i, std::int64_t j, std::int64_t k, std::int64_t l) {
        std::int64_t const extent[4] = {i, j, k, l};
        for (int d = 0; d < 4; ++d) a.extent[d] = extent[d];
        a.operands = operands;
    }
    template<int Rank>
    bool stands_at(kernels::row_position<Rank, 3> const& p, std::int64_t const* index) const {
        bool right = true;
        for (std::size_t s = 0; s < 3; ++s) {
            std::int64_t at = 0;
            for (int d = 0; d < Rank; ++d) at += index[d] * operands[s].stride[d];
            right = right && p.offset[s] == at && (s == 2 || p.at[s] == memory + at * bytes[s]);
        }
        return right;
    }
};
}

TEST_CASE("all rows of four dimensions, one after the other") {
    for (std::int64_t j : {3, 1})
        for (std::int64_t k : {5, 2, 1}) {
            walk const w(2, j, k, 3);
            kernels::row_position<4, 3> p(w.a);
            p.place_all(bytes);
            std::int64_t visited = 0;
            std::int64_t index[4]{};
            bool more = true;
            for (index[0] = 0; index[0] < 2; ++index[0])
                for (index[1] = 0; index[1] < j; ++index[1])
                    for (index[2] = 0; index[2] < k; ++index[2])
                        for (index[3] = 0; index[3] < 3; ++index[3]) {
                            CHECK(more);
                            CHECK(w.stands_at(p, index));
                            ++visited;
                            more = p.next<15>(bytes);
                        }
            CHECK_FALSE(more);
            CHECK(visited == 6 * j * k);
        }
}

TEST_CASE("some dimensions run while the others stand, and all are at 0 after the last row") {
    walk const w(2, 3, 4, 5);
    kernels::row_position<4, 3> p(w.a);
    p.index[1] = 2;
    p.index[3] = 4;
    for (int twice = 0; twice < 2; ++twice) {
        p.place_all(bytes);
        for (std::int64_t i = 0; i < 2; ++i)
            for (std::int64_t k = 0; k < 4; ++k) {
                std::int64_t const index[4] = {i, 2, k, 4};
                CHECK(w.stands_at(p, index));
                CHECK(p.next<0b0101>(bytes) == (i < 1 || k < 3));
            }
        CHECK((p.index[0] == 0 && p.index[1] == 2 && p.index[2] == 0 && p.index[3] == 4));
    }
}

TEST_CASE("a single row") {
    walk const w(1, 1, 1, 1);
    kernels::row_position<0, 3> none(w.a);
    none.place_all(bytes);
    CHECK(w.stands_at(none, nullptr));
    CHECK_FALSE(none.next<0>(bytes));
    std::int64_t const zeros[4]{};
    kernels::row_position<4, 3> one(w.a);
    one.place_all(bytes);
    CHECK(w.stands_at(one, zeros));
    CHECK_FALSE(one.next<15>(bytes));
}
