// SPDX-License-Identifier: MIT
// Made by clang-format and this command in tests/reference:
// python3 random_bodies.py --numbers 243,245,261 --name nine --out ../grad
// Bodies in bodies, with the values and derivatives of JAX.
#include <support/random_bodies.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using random_bodies::list_of, random_bodies::of, random_bodies::of_sines, random_bodies::read, random_bodies::rows;
}

namespace p243 {
constexpr auto a = xg::input<"a", double, 3, 2>;
constexpr auto e = xg::variable<"e", double, 3, 2>;
constexpr auto x = xg::input<"x", double, 2>;
constexpr auto ids = xg::input<"ids", std::int32_t, 3>;
constexpr auto t0 = xg::input<"t0", double, 3, 2>;
struct b0 : xg::region {
    static constexpr auto value(auto a0, auto a1, auto) {
        auto n0 = -a1;
        auto n1 = xg::sin(a0 - n0);
        auto n2 = xg::softplus(a1);
        auto n3 = xg::tanh(a1 + n2);
        return xg::carry(n1, n3).emit(a0);
    }
};
constexpr auto e0 = xg::scan<b0>(xg::carry(e, x), x);
constexpr auto e1 = std::get<0>(e0);
constexpr auto e2 = xg::sum(xg::sin(e1));
constexpr auto e3 = std::get<1>(e0);
constexpr auto e4 = xg::sum(xg::sin(e3));
constexpr auto e5 = e2 + e4;
constexpr auto e6 = std::get<2>(e0);
constexpr auto e7 = xg::sum(xg::sin(e6));
constexpr auto e8 = e5 + e7;
constexpr auto e9 = xg::gather(a, ids);
constexpr auto e10 = xg::sum(xg::sin(e9));
constexpr auto loss = e8 + e10;
constexpr auto g = of(xg::gradients(xg::ys(loss), xg::unconnected_zeros, a, e, x));
constexpr auto results = list_of(std::tuple_cat(std::tuple(loss, e6), g, of(xg::jvp(e6, e, t0)), std::tuple(read(a, e, x, ids, t0))));
}
TEST_CASE("bodies, program 243") {
    using namespace p243;
    xg::variables owner{loss};
    xg::function f{results, owner};
    owner.assign(e, xg::array(fuzz::data<double>(1) + 0, 3, 2));
    random_bodies::expect(f(a = xg::array(fuzz::data<double>(0) + 0, 3, 2), x = xg::array(fuzz::data<double>(4) + 0, 2),
                              ids = xg::array(fuzz::integers(70, 3) + 0, 3), t0 = xg::array(fuzz::data<double>(40) + 0, 3, 2)),
        {{11.3018038627256},
            {-0.0183119662106037, 0.76321835257113, 0.792587955482304, -0.79256986360997, 0.970460364595056, 0.826627463568002,
                0.201198462182351, 0.99357889728815, 0.848678207746668, 0.128039833506395, 0.92887118799034, 0.984412728934962},
            {0.982219237118941, 0.849244384421759, 0.945939704269415, 0.990121644793727, 0.740630913547688, 0.723438251758151},
            {2.33126717807938, 0.687330185383967, 1.03671042366951, 1.96649779514272, 0.759953849023041, 0.620078639681564},
            {2.08405123903858, 1.16004873032829},
            {-0.418748284224421, 0.501156606245786, -0.595917920116335, 0.279535765759647, -0.765117947943509, 0.546335760969669,
                -0.410185090494752, -0.0567015566606954, -0.315186671988461, 0.277234914154078, -0.283401914809085, -0.0960861239672281}});
    owner.assign(e, xg::array(fuzz::data<double>(1) + 32, 3, 2));
    random_bodies::expect(f(a = xg::array(fuzz::data<double>(0) + 32, 3, 2), x = xg::array(fuzz::data<double>(4) + 32, 2),
                              ids = xg::array(fuzz::integers(70, 3) + 32, 3), t0 = xg::array(fuzz::data<double>(40) + 32, 3, 2)),
        {{6.02302342019575},
            {0.663736453279853, -0.875053273513913, -0.242300784215331, -0.257347823586315, -0.0986710335128009, -0.454115923959762,
                0.990253691951859, -0.799671910451866, 0.50123851903386, -0.304147257819758, 0.619934509543692, -0.484517267822269},
            {0, 0, 0.935327660973741, 0.708975708308894, 1.30769427287487, 1.84705803276166},
            {0.833419823219169, 1.62309315477919, 1.78240312492579, 2.77346901224757, 1.63092730031192, 2.54397424410952},
            {1.47633834865532, 7.59612263621043},
            {0.327319914475083, 0.889360891655087, 0.753291911445558, 0.0418382524512708, -0.734884928911924, 0.133003867231309,
                0.0455875985389449, 0.534005366900466, 0.651830393154747, 0.0398561664477504, -0.576630073158636, 0.116349348667127}});
}

namespace p245 {
constexpr auto e = xg::input<"e", double, 4, 2>;
constexpr auto q = xg::input<"q", double, rows, 2>;
constexpr auto w = xg::input<"w", double, 2, 2>;
constexpr auto ids = xg::input<"ids", std::int32_t, rows>;
constexpr auto e0 = xg::flip<0>(e);
constexpr auto e1 = xg::gather(e0, ids);
constexpr auto e2 = xg::gather(e, ids);
constexpr auto e3 = xg::matmul(e2, w);
struct b0 : xg::region {
    static constexpr auto value(auto, auto, auto a2) { return a2; }
};
constexpr auto e4 = xg::map<b0>(e1, e3, e2);
constexpr auto e5 = xg::sum(xg::sin(e4));
constexpr auto e6 = xg::log_sum_exp<0>(q);
constexpr auto e7 = xg::sum(xg::sin(e6));
constexpr auto e8 = e5 + e7;
constexpr auto e9 = e / (1.5_c + xg::square(e));
constexpr auto e10 = xg::sin(e9);
constexpr auto e11 = xg::sum(xg::sin(e10));
constexpr auto e12 = e8 + e11;
constexpr auto e13 = e2 * q;
constexpr auto e14 = xg::sum(xg::sin(e13));
constexpr auto loss = e12 + e14;
constexpr auto g = of(xg::gradients(xg::ys(loss), xg::unconnected_zeros, e, q, w));
constexpr auto results = list_of(std::tuple_cat(
    std::tuple(loss, e4), g, of(xg::gradients(xg::ys(of_sines(g)), xg::unconnected_zeros, e, q, w)), std::tuple(read(e, q, w, ids))));
}
TEST_CASE("bodies, program 245") {
    using namespace p245;
    xg::function f{results};
    random_bodies::expect(f(e = xg::array(fuzz::data<double>(0) + 0, 4, 2), q = xg::array(fuzz::data<double>(1) + 0, 2, 2),
                              w = xg::array(fuzz::data<double>(2) + 0, 2, 2), ids = xg::array(fuzz::integers(72, 4) + 0, 2)),
        {{-0.0396612471639559}, {0.736787471454591, -0.762026749551296, -0.330316599458456, 0.140674530994147},
            {0.611613330415289, 0.330859109532829, 2.22653580651004, 0.837856272020635, 0.923691961072071, 1.546864278951, 0.18221522648222,
                0.434064176715853},
            {0.859505831994813, -0.159568451534503, -0.0428020322851533, 0.240495436535207}, {0, 0, 0, 0},
            {0.451967802486411, 0.747155008559401, 0.124163334155025, 0.617463518469427, -0.134590698661735, 0.548277084186105,
                0.593063539830477, -0.752617615795058},
            {0.326241439879102, -0.334833095049391, -1.05657778165771, 0.517398036716404}, {0, 0, 0, 0}});
    random_bodies::expect(f(e = xg::array(fuzz::data<double>(0) + 32, 4, 2), q = xg::array(fuzz::data<double>(1) + 32, 2, 2),
                              w = xg::array(fuzz::data<double>(2) + 32, 2, 2), ids = xg::array(fuzz::integers(72, 4) + 32, 2)),
        {{3.98125740718168}, {0.858138400129974, 0.393614014144987, 0.858138400129974, 0.393614014144987},
            {0.0728686517687966, 0.0944629590973611, 0.490164137534919, 0.173287047547007, 1.76133043556415, 1.23147461872584,
                0.259109612897347, 0.0813264771586073},
            {1.10557110290175, 0.715515771758046, 0.994396572481028, 1.03149353862957}, {0, 0, 0, 0},
            {-0.395060259465807, 0.438953669124789, 0.710744355119942, -0.579284146439823, 1.17647450562552, 0.687800308877548,
                0.691642964574352, -0.412517456618071},
            {-0.576150281695913, 0.331894935198961, -0.199303483183839, 0.214478447938299}, {0, 0, 0, 0}});
}

namespace p261 {
constexpr auto e = xg::input<"e", double, 4, 1>;
constexpr auto x = xg::input<"x", double, 1>;
constexpr auto t0 = xg::input<"t0", double, 4, 1>;
constexpr auto t1 = xg::input<"t1", double, 1>;
constexpr auto e0 = e * xg::sigmoid(x);
struct b0 : xg::region {
    static constexpr auto value(auto a0, auto) { return a0; }
};
constexpr auto e1 = xg::map<b0>(e0, e);
constexpr auto loss = xg::sum(xg::sin(e1));
constexpr auto g = of(xg::gradients(xg::ys(loss), xg::unconnected_zeros, e, x));
constexpr auto results = list_of(
    std::tuple_cat(std::tuple(loss, e1), g, of(xg::hvp(loss, std::tuple(e, x), std::tuple(t0, t1))), std::tuple(read(e, x, t0, t1))));
}
TEST_CASE("bodies, program 261") {
    using namespace p261;
    xg::function f{results};
    random_bodies::expect(f(e = xg::array(fuzz::data<double>(0) + 0, 4, 1), x = xg::array(fuzz::data<double>(3) + 0, 1),
                              t0 = xg::array(fuzz::data<double>(40) + 0, 4, 1), t1 = xg::array(fuzz::data<double>(41) + 0, 1)),
        {{-0.370061511108572}, {-0.0752184784199025, -0.221540891460945, -0.131558567062863, 0.0560278827953906},
            {0.397154049791491, 0.388546258002609, 0.394838537099444, 0.397655255546343}, {-0.219997168083469},
            {0.13013043109796, 0.143781263609162, 0.120348040622614, 0.133153244381087}, {-0.0833312446453439}});
    random_bodies::expect(f(e = xg::array(fuzz::data<double>(0) + 32, 4, 1), x = xg::array(fuzz::data<double>(3) + 32, 1),
                              t0 = xg::array(fuzz::data<double>(40) + 32, 4, 1), t1 = xg::array(fuzz::data<double>(41) + 32, 1)),
        {{0.274976985379501}, {0.624367170499579, -0.591740567530248, -0.228525435500387, 0.494669801501088},
            {0.512732323817407, 0.524510726221571, 0.615532607048699, 0.556206485914385}, {0.083997043310117},
            {-0.0323491345623288, 0.247485338633598, 0.159212576313258, 0.0557808759238524}, {0.28795945037353}});
}
