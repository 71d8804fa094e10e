// SPDX-License-Identifier: MIT
// Made by clang-format and this command in tests/reference:
// python3 random_bodies.py --numbers 233,234,239,240 --name four --out ../grad
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
