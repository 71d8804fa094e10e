// SPDX-License-Identifier: MIT
// Made by clang-format and this command in tests/reference:
// python3 random_bodies.py --numbers 21,39,51,73 --name one --out ../grad
// Bodies in bodies, with the values and derivatives of JAX.
#include <support/random_bodies.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using random_bodies::list_of, random_bodies::of, random_bodies::of_sines, random_bodies::read, random_bodies::rows;
}

namespace p21 {
constexpr auto x = xg::variable<"x", double, 2>;
constexpr auto e0 = xg::constant<std::int32_t, 0>;
struct b0 : xg::region {
    static constexpr auto value(auto a0, auto a1) {
        auto n0 = xg::dropout<"d0">(a0, 0.4_c);
        auto n1 = 0.8_c * a0 + xg::sin(n0);
        auto n2 = a1 + 1_c;
        return xg::carry(n1, n2).emit(n0, n0);
    }
};
constexpr auto e1 = xg::scan<b0, 4>(xg::carry(x, e0));
constexpr auto e2 = std::get<0>(e1);
constexpr auto e3 = xg::sum(xg::sin(e2));
constexpr auto e4 = std::get<2>(e1);
constexpr auto e5 = xg::sum(xg::sin(e4));
constexpr auto e6 = e3 + e5;
constexpr auto e7 = std::get<3>(e1);
constexpr auto e8 = xg::sum(xg::sin(e7));
constexpr auto loss = e6 + e8;
constexpr auto g = of(xg::gradients(xg::ys(loss), xg::unconnected_zeros, x));
constexpr auto results =
    list_of(std::tuple_cat(std::tuple(loss, e4), g, of(xg::gradients(xg::ys(of_sines(g)), xg::unconnected_zeros, x)), std::tuple(read(x))));
}
TEST_CASE("bodies, program 21") {
    using namespace p21;
    xg::variables owner{loss};
    xg::function f{results, owner};
    owner.assign(x, xg::array(fuzz::data<double>(3) + 0, 2));
    random_bodies::expect(f(), {{-5.97860024872085}, {0, 0, -0.550181383887927, -0.822607710957527, 0, 0, 0, -1.50369877164843},
                                   {3.26897530998565, 1.92355997540297}, {-2.97958238344796, -4.08346078672679}});
    owner.assign(x, xg::array(fuzz::data<double>(3) + 32, 2));
    random_bodies::expect(f(), {{1.23181875783425}, {0, 0, 0.72086136477689, -0.0781362696240346, 0, 0, 0, -0.154082928071878},
                                   {2.84359269839097, 11.6033283682179}, {3.45093181149222, 4.22874484899018}});
}

namespace p39 {
constexpr auto e = xg::input<"e", double, 4, 1>;
constexpr auto q = xg::input<"q", double, rows, 1>;
constexpr auto v = xg::input<"v", double, 1, 2>;
constexpr auto x = xg::variable<"x", double, 1>;
constexpr auto t0 = xg::input<"t0", double, 1>;
struct b1 : xg::region {
    static constexpr auto value(auto, auto, auto a2) {
        auto n0 = e - a2;
        auto n1 = xg::mean(n0);
        auto n2 = xg::broadcast_to<rows, 2>(xg::sin(n1));
        return n2;
    }
};
struct b0 : xg::region {
    static constexpr auto value(auto a0, auto, auto) {
        auto n0 = xg::matmul(q, v);
        auto n1 = xg::fold<b1>(n0, n0, q);
        auto n2 = xg::mean(n1);
        auto n3 = xg::tanh(a0) * xg::sigmoid(n2);
        return n3;
    }
};
constexpr auto e0 = xg::layers<1, b0>(e, v, x);
constexpr auto e1 = xg::jvp(e0, q, q);
constexpr auto e2 = xg::sum(xg::sin(e1));
constexpr auto e3 = xg::mean<1>(v);
constexpr auto e4 = xg::sum(xg::sin(e3));
constexpr auto loss = e2 + e4;
constexpr auto g = of(xg::gradients(xg::ys(loss), xg::unconnected_zeros, e, q, v, x));
constexpr auto results = list_of(std::tuple_cat(std::tuple(loss, e1), g, of(xg::jvp(e1, x, t0)), std::tuple(read(e, q, v, x, t0))));
}
TEST_CASE("bodies, program 39") {
    using namespace p39;
    xg::variables owner{loss};
    xg::function f{results, owner};
    owner.assign(x, xg::array(fuzz::data<double>(3) + 0, 1));
    random_bodies::expect(f(e = xg::array(fuzz::data<double>(0) + 0, 4, 1), q = xg::array(fuzz::data<double>(1) + 0, 2, 1),
                              v = xg::array(fuzz::data<double>(2) + 0, 1, 2), t0 = xg::array(fuzz::data<double>(40) + 0, 1)),
        {{-0.0772879353846972}, {0.0162893944879867, 0.0440900460744109, 0.0278237336501522, -0.0121970219967274},
            {-0.0507612359436707, -0.0314759299934503, -0.0449120369297739, -0.0521017896263488}, {0, -0.0343346655646301},
            {0.494091724837115, 0.494091724837115}, {0}, {0, 0, 0, 0}});
    owner.assign(x, xg::array(fuzz::data<double>(3) + 32, 1));
    random_bodies::expect(f(e = xg::array(fuzz::data<double>(0) + 32, 4, 1), q = xg::array(fuzz::data<double>(1) + 32, 2, 1),
                              v = xg::array(fuzz::data<double>(2) + 32, 1, 2), t0 = xg::array(fuzz::data<double>(40) + 32, 1)),
        {{-0.476098713208081}, {0.0761861785855125, -0.0738741391773403, -0.0349090083882389, 0.0658920413655859},
            {0.0284381975598401, 0.0318813036735587, 0.0740433874740432, 0.0429609517722744}, {0, 0.0201551892898418},
            {0.430280704892111, 0.430280704892111}, {0}, {0, 0, 0, 0}});
}

namespace p51 {
constexpr auto x = xg::input<"x", double, 1>;
struct b0 : xg::region {
    static constexpr auto value(auto a0) { return a0; }
};
constexpr auto e0 = xg::map<b0>(x);
constexpr auto e1 = xg::jvp(e0, x, e0);
constexpr auto loss = xg::sum(xg::sin(e1));
constexpr auto g = of(xg::gradients(xg::ys(loss), xg::unconnected_zeros, x));
constexpr auto results = list_of(std::tuple_cat(std::tuple(loss, e1), g, std::tuple<>(), std::tuple(read(x))));
}
TEST_CASE("bodies, program 51") {
    using namespace p51;
    xg::function f{results};
    random_bodies::expect(f(x = xg::array(fuzz::data<double>(4) + 0, 1)), {{0.219101222528398}, {0.22089321538806}, {0.975702133997134}});
    random_bodies::expect(f(x = xg::array(fuzz::data<double>(4) + 32, 1)), {{0.694216132268581}, {0.767330269794911}, {0.719766602238568}});
}

namespace p73 {
constexpr auto a = xg::input<"a", double, 2, 2>;
constexpr auto q = xg::input<"q", double, rows, 2>;
constexpr auto s = xg::variable<"s", double>;
constexpr auto t0 = xg::input<"t0", double>;
constexpr auto t1 = xg::input<"t1", double, 2, 2>;
constexpr auto e0 = xg::matmul(a, a);
constexpr auto e1 = xg::greater(xg::mean(e0), 0.15_c);
struct b0 : xg::region {
    static constexpr auto value(auto a0, auto a1) {
        auto n0 = xg::matmul(a0, a1);
        auto n1 = xg::mean(n0);
        auto n2 = xg::tanh(a1 + n1);
        return n2;
    }
};
template<class C0>
struct b4 : xg::region {
    static constexpr auto value(auto a0, auto a1, auto a2) {
        auto n0 = 0.7_c * a0;
        auto n1 = 0.7_c * n0;
        auto n2 = xg::tanh(a0) * xg::sigmoid(n1);
        auto n3 = xg::matmul(C0{}, a1);
        auto n4 = xg::tanh(C0{}) * xg::sigmoid(n3);
        auto n5 = a2 + 1_c;
        return xg::carry(n2, n4, n5).emit(n0);
    }
};
struct b3 : xg::region {
    static constexpr auto value(auto, auto a1) {
        auto n0 = xg::constant<std::int32_t, 0>;
        auto n1 = xg::scan<b4<decltype(a1)>, rows>(xg::carry(s, a1, n0));
        auto n2 = std::get<1>(n1);
        auto n3 = xg::tanh(a1 + n2);
        return n3;
    }
};
constexpr auto e2 = xg::cond<b0, b3>(e1, q, a);
constexpr auto e3 = xg::sum(xg::sin(e2));
constexpr auto e4 = xg::sum(q);
constexpr auto e5 = xg::exp(-xg::square(e4));
constexpr auto e6 = xg::sum(xg::sin(e5));
constexpr auto loss = e3 + e6;
constexpr auto g = of(xg::gradients(xg::ys(loss), xg::unconnected_zeros, a, q, s));
constexpr auto results = list_of(
    std::tuple_cat(std::tuple(loss, e2), g, of(xg::hvp(loss, std::tuple(s, a), std::tuple(t0, t1))), std::tuple(read(a, q, s, t0, t1))));
}
TEST_CASE("bodies, program 73") {
    using namespace p73;
    xg::variables owner{loss};
    xg::function f{results, owner};
    owner.assign(s, fuzz::data<double>(3)[0]);
    random_bodies::expect(f(a = xg::array(fuzz::data<double>(0) + 0, 2, 2), q = xg::array(fuzz::data<double>(2) + 0, 3, 2),
                              t0 = fuzz::data<double>(40)[0], t1 = xg::array(fuzz::data<double>(41) + 0, 2, 2)),
        {{-1.03296859726409}, {-0.27955927460144, -0.66944403696849, -0.454622840270902, 0.210631462439438},
            {1.3685242421904, 0.596957167504798, 1.03862865916935, 1.44395976429115},
            {0.28708310120574, 0.28708310120574, 0.28708310120574, 0.28708310120574, 0.28708310120574, 0.28708310120574}, {0}, {0},
            {0.978419108440314, -0.473769094972152, 0.164707283114088, -0.0817441310114764}});
    owner.assign(s, fuzz::data<double>(3)[32]);
    random_bodies::expect(f(a = xg::array(fuzz::data<double>(0) + 32, 2, 2), q = xg::array(fuzz::data<double>(2) + 32, 3, 2),
                              t0 = fuzz::data<double>(40)[32], t1 = xg::array(fuzz::data<double>(41) + 32, 2, 2)),
        {{0.475549842673107}, {0.901989068568865, -0.830850535530749, -0.469414083789254, 0.825929278561392},
            {0.185196335936583, 0.22013613382476, 0.894361642634209, 0.335588096889215},
            {0.403116422640406, 0.403116422640406, 0.403116422640406, 0.403116422640406, 0.403116422640406, 0.403116422640406}, {0}, {0},
            {-0.193849261028086, 0.391960165481783, -1.27161872956752, 0.421076762465829}});
}
