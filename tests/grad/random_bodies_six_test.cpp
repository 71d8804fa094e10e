// SPDX-License-Identifier: MIT
// Made by clang-format and this command in tests/reference:
// python3 random_bodies.py --numbers 85,94,96 --name six --out ../grad
// Bodies in bodies, with the values and derivatives of JAX.
#include <support/random_bodies.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using random_bodies::list_of, random_bodies::of, random_bodies::of_sines, random_bodies::read, random_bodies::rows;
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
