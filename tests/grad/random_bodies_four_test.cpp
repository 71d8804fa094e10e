// SPDX-License-Identifier: MIT
// Made by clang-format and this command in tests/reference:
// python3 random_bodies.py --numbers 233,234,239,240,243,245,261 --name four --out ../grad
// Bodies in bodies, with the values and derivatives of JAX.
#include <support/random_bodies.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using random_bodies::list_of, random_bodies::of, random_bodies::of_sines, random_bodies::read, random_bodies::rows;
}

namespace p233 {
constexpr auto q = xg::input<"q", double, 4, 2>;
constexpr auto w = xg::variable<"w", double, 2, 2>;
constexpr auto x = xg::input<"x", double, 2>;
constexpr auto e0 = q * x;
struct b0 : xg::region {
    static constexpr auto value(auto a0, auto) {
        auto n0 = xg::sin(a0);
        auto n1 = n0 / (1.5_c + xg::square(n0));
        return n1;
    }
};
struct b1 : xg::region {
    static constexpr auto value(auto a0, auto a1, auto, auto a3) {
        auto n0 = xg::erf(a0);
        auto n1 = xg::matmul(a0, n0);
        auto n2 = xg::tanh(a0 + n1);
        auto n3 = n2 * a3;
        auto n4 = xg::mean(n2);
        auto n5 = xg::tanh(a1) * xg::sigmoid(n4);
        auto n6 = xg::mean(a3);
        auto n7 = n5 * n6;
        return std::tuple{n3, n7};
    }
};
constexpr auto e1 = xg::custom_gradient<b0, b1>(w, e0);
constexpr auto e2 = xg::sum(xg::sin(e1));
constexpr auto e3 = -x;
constexpr auto e4 = xg::sum(xg::sin(e3));
constexpr auto e5 = e2 + e4;
constexpr auto e6 = xg::erf(e0);
constexpr auto e7 = xg::sum(xg::sin(e6));
constexpr auto loss = e5 + e7;
constexpr auto g = of(xg::gradients(xg::ys(loss), xg::unconnected_zeros, q, w, x));
constexpr auto results = list_of(std::tuple_cat(
    std::tuple(loss, e1), g, of(xg::gradients(xg::ys(of_sines(g)), xg::unconnected_zeros, q, w, x)), std::tuple(read(q, w, x))));
}
TEST_CASE("bodies, program 233") {
    using namespace p233;
    xg::variables owner{loss};
    xg::function f{results, owner};
    owner.assign(w, xg::array(fuzz::data<double>(2) + 0, 2, 2));
    random_bodies::expect(f(q = xg::array(fuzz::data<double>(0) + 0, 4, 2), x = xg::array(fuzz::data<double>(3) + 0, 2)),
        {{1.26394564160627}, {-0.347265819733782, 0.25492742168705, -0.0591906102394173, -0.276282152836152},
            {-0.475281504367652, -0.666992669538246, -0.476569102736212, -0.663889062999226, -0.347081686923794, -0.611674688994291,
                -0.452472712015621, -0.550186593795437},
            {-0.239965633086044, -0.133986291276133, 0.0242856861637969, -0.264015183021258}, {-1.73723792608565, -1.63769746914312},
            {-0.168522422283926, -0.238038651457339, -0.196783311728182, 0.158661705531932, 0.141526399197815, -0.280173336770831,
                -0.236031614472584, 0.37193315450491},
            {0.239862660550597, -0.361057699265348, 0.553320242167453, 0.32265965190134}, {3.29718863630617, 2.54048082643159}});
    owner.assign(w, xg::array(fuzz::data<double>(2) + 32, 2, 2));
    random_bodies::expect(f(q = xg::array(fuzz::data<double>(0) + 32, 4, 2), x = xg::array(fuzz::data<double>(3) + 32, 2)),
        {{-0.39679834136061}, {-0.274167649534439, -0.303402689435053, 0.327332936870574, -0.0162885192509415},
            {0.504166633733301, -0.0671770905846118, 0.528579573498157, -0.0647472492511454, 0.534809393653995, -0.0654888506005325,
                0.421813806531744, -0.0643574459427261},
            {-0.527028412373025, -0.254121264264717, 0.281156210737104, -0.389473999807933}, {0.0511344532698171, 0.295125609413908},
            {0.274197217878829, 1.10948327021101, 1.04135469546888, 1.03288586297414, 0.419164072033117, 1.05958956994509,
                0.665572128620944, 1.01836876629342},
            {0.0661837917578798, 1.40380411426939, -0.380352079244743, 0.780028659947469}, {1.72753124489866, 5.52644518783787}});
}

namespace p234 {
constexpr auto e = xg::input<"e", double, 4, 2>;
constexpr auto q = xg::input<"q", double, rows, 2>;
constexpr auto v = xg::variable<"v", double, 2, 3>;
constexpr auto x = xg::input<"x", double, 2>;
constexpr auto ids = xg::input<"ids", std::int32_t, 3>;
struct b0 : xg::region {
    static constexpr auto value(auto a0, auto a1, auto) {
        auto n0 = xg::gather(e, ids);
        auto n1 = xg::mean(n0);
        auto n2 = xg::tanh(a0 + n1);
        auto n3 = xg::mean(n2);
        auto n4 = xg::sin(a1 - n3);
        return xg::carry(n2, n4).emit(a0, n1);
    }
};
constexpr auto e0 = xg::scan<b0>(xg::carry(x, v), q);
constexpr auto e1 = std::get<0>(e0);
constexpr auto e2 = xg::sum(xg::sin(e1));
constexpr auto e3 = std::get<1>(e0);
constexpr auto e4 = xg::sum(xg::sin(e3));
constexpr auto e5 = e2 + e4;
constexpr auto e6 = std::get<2>(e0);
constexpr auto e7 = xg::sum(xg::sin(e6));
constexpr auto e8 = e5 + e7;
constexpr auto e9 = std::get<3>(e0);
constexpr auto e10 = xg::sum(xg::sin(e9));
constexpr auto loss = e8 + e10;
constexpr auto g = of(xg::gradients(xg::ys(loss), xg::unconnected_zeros, e, q, v, x));
constexpr auto results = list_of(std::tuple_cat(
    std::tuple(loss, e3), g, of(xg::gradients(xg::ys(of_sines(g)), xg::unconnected_zeros, e, q, v, x)), std::tuple(read(e, q, v, x, ids))));
}
TEST_CASE("bodies, program 234") {
    using namespace p234;
    xg::variables owner{loss};
    xg::function f{results, owner};
    owner.assign(v, xg::array(fuzz::data<double>(2) + 0, 2, 3));
    random_bodies::expect(f(e = xg::array(fuzz::data<double>(0) + 0, 4, 2), q = xg::array(fuzz::data<double>(1) + 0, 2, 2),
                              x = xg::array(fuzz::data<double>(3) + 0, 2), ids = xg::array(fuzz::integers(72, 4) + 0, 3)),
        {{0.41806244061323},
            {0.239909257495971, 0.963808866974899, 0.77731330131216, 0.473747436437153, 0.658625171983979, 0.578738181272001},
            {0, 0, -0.282248554647355, -0.282248554647355, -0.564497109294711, -0.564497109294711, 0, 0}, {0, 0, 0, 0},
            {0.913354689879667, 0.0891892827712574, 0.411117018083257, 0.783666551532053, 0.57940869162526, 0.67725378910037},
            {-0.348941485019342, -0.220872342160448},
            {0, 0, -4.34031010898657, -4.34031010898657, -8.68062021797314, -8.68062021797314, 0, 0}, {0, 0, 0, 0},
            {0.903282455046747, 0.733191027553005, 1.69938702798242, 1.83797313190423, 1.95229095151446, 1.98025577294867},
            {-8.75013766985868, -7.19667244457797}});
    owner.assign(v, xg::array(fuzz::data<double>(2) + 32, 2, 3));
    random_bodies::expect(f(e = xg::array(fuzz::data<double>(0) + 32, 4, 2), q = xg::array(fuzz::data<double>(1) + 32, 2, 2),
                              x = xg::array(fuzz::data<double>(3) + 32, 2), ids = xg::array(fuzz::integers(72, 4) + 32, 3)),
        {{-0.942419214736122},
            {-0.9970792647518, -0.993515671312832, -0.633463380231128, -0.972699402329399, -0.991615936784543, -0.983885150674918},
            {0, 0, 0, 0, 0.99716346446944, 0.99716346446944, 0.49858173223472, 0.49858173223472}, {0, 0, 0, 0},
            {-0.0199082328861086, -0.0250878633856699, 0.621437579520192, 0.107683724461914, 0.052435256890644, -0.019487543289328},
            {1.04894984590884, 1.67836174384218},
            {0, 0, 0, 0, -0.770685775598518, -0.770685775598518, -0.385342887799259, -0.385342887799259}, {0, 0, 0, 0},
            {-0.0707972803355901, -0.0829923435246914, -0.112212794557904, 0.0294487425152805, 0.000653375707164082, -0.0903892807150769},
            {-0.738762013357711, -0.653994103114671}});
}

namespace p239 {
constexpr auto p = xg::input<"p", double, rows>;
constexpr auto q = xg::input<"q", double, rows, 1>;
constexpr auto s = xg::variable<"s", double>;
constexpr auto v = xg::input<"v", double, 1, 3>;
constexpr auto x = xg::variable<"x", double, 1>;
constexpr auto k = xg::input<"k", std::int32_t>;
struct b0 : xg::region {
    static constexpr auto value(auto, auto) {
        auto n0 = xg::sum<0>(p);
        auto n1 = xg::broadcast_to<1>(xg::sin(n0));
        auto n2 = xg::tanh(x) * xg::sigmoid(n0);
        return std::tuple{n1, n2};
    }
};
struct b3 : xg::region {
    static constexpr auto value(auto, auto) {
        auto n0 = xg::sum(v);
        auto n1 = xg::tanh(x) * xg::sigmoid(n0);
        auto n2 = xg::select(xg::greater(n0, 0.1_c), n0, s);
        auto n3 = 0.8_c * x + xg::sin(n2);
        return std::tuple{n1, n3};
    }
};
struct b4 : xg::region {
    static constexpr auto value(auto, auto a1) {
        auto n0 = xg::dropout<"d0">(a1, 0.4_c);
        auto n1 = xg::mean(n0);
        auto n2 = xg::sin(x - n1);
        auto n3 = xg::sin(x - n2);
        return std::tuple{n2, n3};
    }
};
constexpr auto e0 = xg::switch_case<b0, b3, b4>(k, k, p);
constexpr auto e1 = std::get<0>(e0);
constexpr auto e2 = xg::sum(xg::sin(e1));
constexpr auto e3 = std::get<1>(e0);
constexpr auto e4 = xg::sum(xg::sin(e3));
constexpr auto e5 = e2 + e4;
constexpr auto e6 = xg::matmul(q, v);
constexpr auto e7 = xg::sum(xg::sin(e6));
constexpr auto e8 = e5 + e7;
constexpr auto e9 = xg::sum<0>(x);
constexpr auto e10 = xg::sum(xg::sin(e9));
constexpr auto loss = e8 + e10;
constexpr auto g = of(xg::gradients(xg::ys(loss), xg::unconnected_zeros, p, q, s, v, x));
constexpr auto results = list_of(std::tuple_cat(std::tuple(loss, e1), g,
    of(xg::gradients(xg::ys(of_sines(g)), xg::unconnected_zeros, p, q, s, v, x)), std::tuple(read(p, q, s, v, x, k))));
}
TEST_CASE("bodies, program 239") {
    using namespace p239;
    xg::variables owner{loss};
    xg::function f{results, owner};
    owner.assign(s, fuzz::data<double>(2)[0]);
    owner.assign(x, xg::array(fuzz::data<double>(4) + 0, 1));
    random_bodies::expect(f(p = xg::array(fuzz::data<double>(0) + 0, 4), q = xg::array(fuzz::data<double>(1) + 0, 4, 1),
                              v = xg::array(fuzz::data<double>(3) + 0, 1, 3), k = 3),
        {{-0.428082462967577}, {0.350893526199258}, {0, 0, 0.0172362548296637, 0},
            {-1.18708676441278, -1.09856517885396, -1.09173678830247, -1.09174106857674}, {0},
            {0.707385254609993, 0.661860640360032, 0.739413365840083}, {1.91757699362211}, {0, 0, -0.0533624444925394, 0},
            {2.28543409906604, 2.00979179038854, 1.98579960351258, 1.76771307767136}, {0},
            {1.67577294377971, 1.49306771401344, 1.77138837928611}, {0.296742894784966}});
    owner.assign(s, fuzz::data<double>(2)[32]);
    owner.assign(x, xg::array(fuzz::data<double>(4) + 32, 1));
    random_bodies::expect(f(p = xg::array(fuzz::data<double>(0) + 32, 4), q = xg::array(fuzz::data<double>(1) + 32, 4, 1),
                              v = xg::array(fuzz::data<double>(3) + 32, 1, 3), k = 0),
        {{1.75933455799885}, {0.455351328583837}, {0.940341989177707, 0.940341989177707, 0.940341989177707, 0.940341989177707},
            {-0.276654516569858, -0.205281272016749, -0.365116496294911, -0.363325314730824}, {0},
            {-0.652567356694106, -0.71026348030827, -0.567987505951226}, {1.05118355933687},
            {-1.83199251622922, -1.83199251622922, -1.83199251622922, -1.83199251622922},
            {2.13591503646068, 1.10455262029433, 2.21243757153968, 2.19619093440128}, {0},
            {3.42531914513995, 3.784977875863, 2.19707168921975}, {-0.331992198927995}});
}

namespace p240 {
constexpr auto e = xg::input<"e", double, 3, 1>;
constexpr auto w = xg::input<"w", double, 1, 1>;
constexpr auto x = xg::input<"x", double, 1>;
struct b0 : xg::region {
    static constexpr auto value(auto a0, auto) { return a0; }
};
constexpr auto e0 = xg::map<b0>(x, w);
constexpr auto e1 = e0 / (1.5_c + xg::square(e0));
constexpr auto e2 = xg::jvp(e1, x, e0);
constexpr auto e3 = xg::sum(xg::sin(e2));
constexpr auto e4 = xg::softmax(e);
constexpr auto e5 = xg::sum(xg::sin(e4));
constexpr auto loss = e3 + e5;
constexpr auto g = of(xg::gradients(xg::ys(loss), xg::unconnected_zeros, e, w, x));
constexpr auto results = list_of(std::tuple_cat(std::tuple(loss, e2), g, std::tuple<>(), std::tuple(read(e, w, x))));
}
TEST_CASE("bodies, program 240") {
    using namespace p240;
    xg::function f{results};
    random_bodies::expect(f(e = xg::array(fuzz::data<double>(0) + 0, 3, 1), w = xg::array(fuzz::data<double>(3) + 0, 1, 1),
                              x = xg::array(fuzz::data<double>(4) + 0, 1)),
        {{2.65765180147834}, {0.133636252497581}, {0, 0, 0}, {0}, {0.483708912322784}});
    random_bodies::expect(f(e = xg::array(fuzz::data<double>(0) + 32, 3, 1), w = xg::array(fuzz::data<double>(3) + 32, 1, 1),
                              x = xg::array(fuzz::data<double>(4) + 32, 1)),
        {{2.68398090800587}, {0.160252983353517}, {0, 0, 0}, {0}, {-0.29273467880837}});
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
