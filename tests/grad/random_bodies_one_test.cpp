// SPDX-License-Identifier: MIT
// Made by clang-format and this command in tests/reference:
// python3 random_bodies.py --numbers 21,39,51,73,85,94,96 --name one --out ../grad
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

namespace p85 {
constexpr auto a = xg::input<"a", double, 2, 2>;
constexpr auto w = xg::variable<"w", double, 2, 2>;
constexpr auto x = xg::input<"x", double, 2>;
constexpr auto t0 = xg::input<"t0", double, 2, 2>;
constexpr auto t1 = xg::input<"t1", double, 2, 2>;
constexpr auto e0 = x - 0.3_c;
struct b0 : xg::region {
    static constexpr auto value(auto a0, auto) {
        auto n0 = xg::dropout<"d0">(a0, 0.4_c);
        auto n1 = xg::sin(a0 - n0);
        return xg::carry(n1).emit(n1);
    }
};
constexpr auto e1 = xg::scan<b0>(xg::carry(w), e0);
constexpr auto e2 = std::get<0>(e1);
constexpr auto e3 = xg::sum(xg::sin(e2));
constexpr auto e4 = std::get<1>(e1);
constexpr auto e5 = xg::sum(xg::sin(e4));
constexpr auto e6 = e3 + e5;
constexpr auto e7 = xg::matmul(a, a);
constexpr auto e8 = xg::sum(xg::sin(e7));
constexpr auto e9 = e6 + e8;
constexpr auto e10 = xg::sum(xg::sin(e0));
constexpr auto loss = e9 + e10;
constexpr auto g = of(xg::gradients(xg::ys(loss), xg::unconnected_zeros, a, w, x));
constexpr auto results = list_of(
    std::tuple_cat(std::tuple(loss, e4), g, of(xg::hvp(loss, std::tuple(a, w), std::tuple(t0, t1))), std::tuple(read(a, w, x, t0, t1))));
}
TEST_CASE("bodies, program 85") {
    using namespace p85;
    xg::variables owner{loss};
    xg::function f{results, owner};
    owner.assign(w, xg::array(fuzz::data<double>(3) + 0, 2, 2));
    random_bodies::expect(f(a = xg::array(fuzz::data<double>(0) + 0, 2, 2), x = xg::array(fuzz::data<double>(4) + 0, 2),
                              t0 = xg::array(fuzz::data<double>(40) + 0, 2, 2), t1 = xg::array(fuzz::data<double>(41) + 0, 2, 2)),
        {{1.33360444724256},
            {-0.401025505540352, -0.578554849609279, 0.104838164901266, 0.828944901030009, 0.264176835296274, 0.376210799139611,
                0.104646223655021, -0.524927501993627},
            {-1.25498026806745, -0.694063248326308, -1.13584959129435, -0.610776745372021},
            {-0.293774866943987, -0.254258031591673, -1.97084425258635, -0.171384963879828}, {0.996872689686528, 0.813319033950558},
            {-0.884454070837366, -1.26471390520974, 0.907553766120994, 0.439944765832467},
            {-0.0980493244930066, 0.0587289014154821, -0.036563129825178, 0.0145765136402726}});
    owner.assign(w, xg::array(fuzz::data<double>(3) + 32, 2, 2));
    random_bodies::expect(f(a = xg::array(fuzz::data<double>(0) + 32, 2, 2), x = xg::array(fuzz::data<double>(4) + 32, 2),
                              t0 = xg::array(fuzz::data<double>(40) + 32, 2, 2), t1 = xg::array(fuzz::data<double>(41) + 32, 2, 2)),
        {{1.65646626179275},
            {0.514689984363374, -0.0585686658531304, 0.543116605918532, -0.0179622841245802, -0.336433127017854, 0.0390358566372173,
                0.51680663031918, 0.0119745698916768},
            {0.292117643179847, -0.45583460067814, 0.639106481433035, 0.700575423717089},
            {-0.269878634713958, -0.332445110009012, -1.31249355400408, -0.333249694829888}, {0.892774193648107, 0.938790039018615},
            {0.0132383774532403, 2.34820444598691, 1.23027756821002, 0.394733918208587},
            {0.0844571172962856, -0.0222521926751438, 0.804987532919576, 0.00406756286224808}});
}

namespace p94 {
constexpr auto q = xg::input<"q", double, rows, 2>;
constexpr auto turns = xg::input<"turns", std::int32_t>;
struct b0 : xg::region {
    static constexpr auto value(auto a0) {
        auto n0 = a0 / (1.5_c + xg::square(a0));
        auto n1 = 0.8_c * a0 + xg::sin(n0);
        return xg::carry(n1);
    }
};
constexpr auto e0 = xg::scan<b0, rows>(xg::carry(q).turns(turns));
constexpr auto e1 = std::get<0>(e0);
constexpr auto e2 = xg::sum(xg::sin(e1));
constexpr auto e3 = xg::flip<0>(q);
constexpr auto e4 = xg::concat<1>(e3, q);
constexpr auto e5 = xg::sum(xg::sin(e4));
constexpr auto loss = e2 + e5;
constexpr auto g = of(xg::gradients(xg::ys(loss), xg::unconnected_zeros, q));
constexpr auto results = list_of(
    std::tuple_cat(std::tuple(loss, e1), g, of(xg::gradients(xg::ys(of_sines(g)), xg::unconnected_zeros, q)), std::tuple(read(q, turns))));
}
TEST_CASE("bodies, program 94") {
    using namespace p94;
    xg::function f{results};
    random_bodies::expect(f(q = xg::array(fuzz::data<double>(2) + 0, 3, 2), turns = 1),
        {{-4.78295857541275},
            {-0.957270912876545, 0.613623255799669, -0.130735099339145, -0.679075294873432, -0.387099790393071, -0.524909734515169},
            {2.03981560916581, 2.81764005725116, 3.43455864067155, 2.68610573446771, 3.19441381618406, 2.98080718256823},
            {-1.15836104248375, 2.27573489475781, -0.681193088300753, -2.225641333312, -1.85142969705116, -2.21221109069639}});
    random_bodies::expect(f(q = xg::array(fuzz::data<double>(2) + 32, 3, 2), turns = 0),
        {{-3.89584091833284},
            {-0.492065701633692, -0.576785224489868, 0.66197193833068, -0.024444944690913, -0.157909004483372, -0.794925516005605},
            {2.64407641237384, 2.51466029545767, 2.36634500310398, 2.99910371165174, 2.96267477574333, 2.10101380653359},
            {-1.2455190138544, -1.32488042802597, 1.3170873970292, -0.0725844012422756, -0.464229928271904, -1.08296825090942}});
}

namespace p96 {
constexpr auto e = xg::input<"e", double, 3, 2>;
constexpr auto q = xg::input<"q", double, rows, 2>;
constexpr auto w = xg::variable<"w", double, 2, 2>;
constexpr auto t0 = xg::input<"t0", double, 3, 2>;
constexpr auto t1 = xg::input<"t1", double, 2, 2>;
struct b0 : xg::region {
    static constexpr auto value(auto a0, auto) {
        auto n0 = xg::uniform_like<"d1">(a0);
        auto n1 = xg::sin(w - n0);
        return n1;
    }
};
constexpr auto e0 = xg::call<b0>(w, e);
constexpr auto e1 = xg::sum(xg::sin(e0));
constexpr auto e2 = xg::log_sum_exp<1>(q);
constexpr auto e3 = xg::dropout<"d0">(e2, 0.4_c);
constexpr auto e4 = xg::sum(xg::sin(e3));
constexpr auto e5 = e1 + e4;
constexpr auto e6 = xg::dropout<"d2">(w, 0.4_c);
constexpr auto e7 = xg::sum(xg::sin(e6));
constexpr auto loss = e5 + e7;
constexpr auto g = of(xg::gradients(xg::ys(loss), xg::unconnected_zeros, e, q, w));
constexpr auto results = list_of(
    std::tuple_cat(std::tuple(loss, e0), g, of(xg::hvp(loss, std::tuple(e, w), std::tuple(t0, t1))), std::tuple(read(e, q, w, t0, t1))));
}
TEST_CASE("bodies, program 96") {
    using namespace p96;
    xg::variables owner{loss};
    xg::function f{results, owner};
    owner.assign(w, xg::array(fuzz::data<double>(3) + 0, 2, 2));
    random_bodies::expect(f(e = xg::array(fuzz::data<double>(0) + 0, 3, 2), q = xg::array(fuzz::data<double>(1) + 0, 4, 2),
                              t0 = xg::array(fuzz::data<double>(40) + 0, 3, 2), t1 = xg::array(fuzz::data<double>(41) + 0, 2, 2)),
        {{-0.911500981413502}, {-0.845558099481638, -0.805673690733176, -0.622197760051805, 0.741266686076362}, {0, 0, 0, 0, 0, 0},
            {0, 0, 0, 0, -0.790378267668194, -0.684493226865646, 0, 0},
            {0.354132202790915, 0.410283345817639, 0.63615174437137, 0.495094255253566}, {0, 0, 0, 0, 0, 0},
            {0.440229253215586, -0.226843483511453, 0.0859985955620826, -0.0494893942922395}});
    owner.assign(w, xg::array(fuzz::data<double>(3) + 32, 2, 2));
    random_bodies::expect(f(e = xg::array(fuzz::data<double>(0) + 32, 3, 2), q = xg::array(fuzz::data<double>(1) + 32, 4, 2),
                              t0 = xg::array(fuzz::data<double>(40) + 32, 3, 2), t1 = xg::array(fuzz::data<double>(41) + 32, 2, 2)),
        {{-0.745330451976405}, {-0.0543008795689105, -0.36948831568651, -0.980935216940348, -0.159541675859415}, {0, 0, 0, 0, 0, 0},
            {0, 0, 0, 0, 0.736191304408529, 0.515968191383333, 0, 0},
            {0.99705286293353, 0.866523377566332, 0.10809800161033, 0.97465406242706}, {0, 0, 0, 0, 0, 0},
            {0.0459901338051937, 0.482985881943705, -0.375674353066305, -0.136459884748123}});
}
