// SPDX-License-Identifier: MIT
// Made by clang-format and this command in tests/reference:
// python3 random_bodies.py --numbers 121,147,149,158,160 --name two --out ../grad
// Bodies in bodies, with the values and derivatives of JAX.
#include <support/random_bodies.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using random_bodies::list_of, random_bodies::of, random_bodies::of_sines, random_bodies::read, random_bodies::rows;
}

namespace p121 {
constexpr auto p = xg::input<"p", double, rows>;
constexpr auto q = xg::input<"q", double, rows, 2>;
constexpr auto v = xg::input<"v", double, 2, 2>;
constexpr auto w = xg::input<"w", double, 2, 2>;
constexpr auto t0 = xg::input<"t0", double, rows>;
struct b0 : xg::region {
    static constexpr auto value(auto, auto) {
        auto n0 = v * v;
        auto n1 = xg::mean(n0);
        auto n2 = xg::broadcast_to<rows>(xg::sin(n1));
        return n2;
    }
};
constexpr auto e0 = xg::fold<b0>(p, q);
constexpr auto e1 = xg::sum(xg::sin(e0));
constexpr auto e2 = xg::prod<1>(w);
constexpr auto e3 = xg::sum(xg::sin(e2));
constexpr auto loss = e1 + e3;
constexpr auto g = of(xg::gradients(xg::ys(loss), xg::unconnected_zeros, p, q, v, w));
constexpr auto results =
    list_of(std::tuple_cat(std::tuple(loss, e0), g, of(xg::vjp(e0, std::tuple(p, q, v, w), t0)), std::tuple(read(p, q, v, w, t0))));
}
TEST_CASE("bodies, program 121") {
    using namespace p121;
    xg::function f{results};
    random_bodies::expect(f(p = xg::array(fuzz::data<double>(0) + 0, 3), q = xg::array(fuzz::data<double>(1) + 0, 3, 2),
                              v = xg::array(fuzz::data<double>(2) + 0, 2, 2), w = xg::array(fuzz::data<double>(3) + 0, 2, 2),
                              t0 = xg::array(fuzz::data<double>(40) + 0, 3)),
        {{0.845490709606674}, {0.251648847759529, 0.251648847759529, 0.251648847759529}, {0, 0, 0}, {0, 0, 0, 0, 0, 0},
            {-1.05673376520035, 0.62401551969246, -0.125663530170222, -0.699738636688481},
            {-0.597071057247761, -0.399336617175184, 0.96566005258946, -0.15568327536403}, {0, 0, 0}, {0, 0, 0, 0, 0, 0},
            {0.186763432479464, -0.11028632207671, 0.0222093331404318, 0.123669361129636}, {0, 0, 0, 0}});
    random_bodies::expect(f(p = xg::array(fuzz::data<double>(0) + 32, 3), q = xg::array(fuzz::data<double>(1) + 32, 3, 2),
                              v = xg::array(fuzz::data<double>(2) + 32, 2, 2), w = xg::array(fuzz::data<double>(3) + 32, 2, 2),
                              t0 = xg::array(fuzz::data<double>(40) + 32, 3)),
        {{0.728039095285608}, {0.250700274454235, 0.250700274454235, 0.250700274454235}, {0, 0, 0}, {0, 0, 0, 0, 0, 0},
            {-0.692190313121909, -0.811365522567842, 0.931197930987143, -0.0343867777487303},
            {-0.0585727917787529, 0.540374691850361, -0.0179611006504373, -0.861113593633253}, {0, 0, 0}, {0, 0, 0, 0, 0, 0},
            {-0.469199693570807, -0.549982349284482, 0.631210485888418, -0.0233090022739889}, {0, 0, 0, 0}});
}

namespace p147 {
constexpr auto e = xg::input<"e", double, 3, 2>;
constexpr auto p = xg::variable<"p", double, 4>;
constexpr auto q = xg::input<"q", double, 4, 2>;
constexpr auto s = xg::variable<"s", double>;
constexpr auto x = xg::variable<"x", double, 2>;
constexpr auto t0 = xg::input<"t0", double, 4, 2>;
constexpr auto t1 = xg::input<"t1", double, 3, 2>;
constexpr auto e0 = xg::uniform_like<"d0">(q);
constexpr auto e1 = xg::maximum(e0, q);
constexpr auto e2 = q - q;
struct b1 : xg::region {
    static constexpr auto value(auto, auto a1, auto) {
        auto n0 = xg::less(a1 + 0.1_c * xg::sin(xg::mean(p)), 0.7_c);
        return n0;
    }
};
struct b2 : xg::region {
    static constexpr auto value(auto, auto a1, auto a2) {
        auto n0 = xg::stop_gradient(x);
        auto n1 = s * xg::sigmoid(s);
        auto n2 = xg::sin(n0 - n1);
        auto n3 = a1 + 0.6_c + 0.2_c * xg::sin(xg::mean(n1));
        auto n4 = a2 + 1_c;
        return xg::carry(n2, n3, n4);
    }
};
struct b0 : xg::region {
    static constexpr auto value(auto a0, auto a1, auto) {
        auto n0 = xg::sin(s);
        auto n1 = xg::constant<std::int32_t, 0>;
        auto n2 = xg::while_loop<b1, b2, 8>(xg::carry(a1, n0, n1));
        auto n3 = std::get<0>(n2);
        auto n4 = xg::sin(a0 - n3);
        return n4;
    }
};
constexpr auto e3 = xg::fold<b0>(e, e1, e2);
constexpr auto e4 = xg::sum(xg::sin(e3));
constexpr auto e5 = xg::slice<1, 1, 2>(e);
constexpr auto e6 = xg::sum(xg::sin(e5));
constexpr auto loss = e4 + e6;
constexpr auto g = of(xg::gradients(xg::ys(loss), xg::unconnected_zeros, e, p, q, s, x));
constexpr auto results = list_of(std::tuple_cat(
    std::tuple(loss, e3), g, of(xg::hvp(loss, std::tuple(q, e), std::tuple(t0, t1))), std::tuple(read(e, p, q, s, x, t0, t1))));
}
TEST_CASE("bodies, program 147") {
    using namespace p147;
    xg::variables owner{loss};
    xg::function f{results, owner};
    owner.assign(p, xg::array(fuzz::data<double>(1) + 0, 4));
    owner.assign(s, fuzz::data<double>(3)[0]);
    owner.assign(x, xg::array(fuzz::data<double>(4) + 0, 2));
    random_bodies::expect(f(e = xg::array(fuzz::data<double>(0) + 0, 3, 2), q = xg::array(fuzz::data<double>(2) + 0, 4, 2),
                              t0 = xg::array(fuzz::data<double>(40) + 0, 4, 2), t1 = xg::array(fuzz::data<double>(41) + 0, 3, 2)),
        {{-5.82254023546985},
            {-0.962180057001827, -0.961578356684628, -0.968309897962844, -0.965124630912916, -0.691576048137883, -0.961455709176123},
            {0.0317791674364097, 0.847625998973729, 0.0186792809227277, 0.990435671092132, 0.479613938323388, 0.72439379920365},
            {0, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 0}, {0.66554544559343}, {0, 0}, {0, 0, 0, 0, 0, 0, 0, 0},
            {0.0674184059004998, -0.144344114991896, 0.00703736234707221, -0.00668950790574633, 0.609705102886741, 0.109475577588186}});
    owner.assign(p, xg::array(fuzz::data<double>(1) + 32, 4));
    owner.assign(s, fuzz::data<double>(3)[32]);
    owner.assign(x, xg::array(fuzz::data<double>(4) + 32, 2));
    random_bodies::expect(f(e = xg::array(fuzz::data<double>(0) + 32, 3, 2), q = xg::array(fuzz::data<double>(2) + 32, 4, 2),
                              t0 = xg::array(fuzz::data<double>(40) + 32, 4, 2), t1 = xg::array(fuzz::data<double>(41) + 32, 3, 2)),
        {{0.406685968833435},
            {-0.637714050360162, 0.583253872470371, -0.981666782591676, 0.977544277484588, -0.715901405322915, 0.972932138279675},
            {0.494508813561989, 1.14723466742133, 0.00865014436611751, 0.711698827663359, 0.438725828369226, 0.936486994626239},
            {0, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 0}, {5.05551938106499}, {0, 0}, {0, 0, 0, 0, 0, 0, 0, 0},
            {0.126016010491028, 0.390923058280608, -0.0228324051199892, 0.31327972358541, 0.391586326801837, 0.170970836472424}});
}

namespace p149 {
constexpr auto a = xg::variable<"a", double, 2, 1>;
constexpr auto q = xg::input<"q", double, rows, 1>;
constexpr auto w = xg::variable<"w", double, 1, 1>;
constexpr auto x = xg::variable<"x", double, 1>;
constexpr auto k = xg::input<"k", std::int32_t>;
constexpr auto t0 = xg::input<"t0", double, 1, 1>;
constexpr auto e0 = xg::greater(xg::mean(x), 0.15_c);
struct b1 : xg::region {
    static constexpr auto value(auto a0, auto a1, auto) {
        auto n0 = xg::dropout<"d0">(a0, 0.4_c);
        auto n1 = xg::tanh(a0 + n0);
        return xg::carry(n1).emit(a1);
    }
};
struct b0 : xg::region {
    static constexpr auto value(auto, auto a1, auto) {
        auto n0 = xg::scan<b1>(xg::carry(a1), w, a1);
        auto n1 = std::get<1>(n0);
        auto n2 = xg::tanh(w) * xg::sigmoid(n1);
        return n2;
    }
};
struct b2 : xg::region {
    static constexpr auto value(auto, auto, auto a2) {
        auto n0 = 0.2_c * xg::cast<double>(a2);
        auto n1 = 0.8_c * w + xg::sin(n0);
        return n1;
    }
};
constexpr auto e1 = xg::cond<b0, b2>(e0, q, x, k);
constexpr auto e2 = e1 * e1;
constexpr auto e3 = xg::sum(xg::sin(e2));
constexpr auto e4 = xg::sqrt(0.5_c + xg::square(a));
constexpr auto e5 = xg::sum(xg::sin(e4));
constexpr auto loss = e3 + e5;
constexpr auto g = of(xg::gradients(xg::ys(loss), xg::unconnected_zeros, a, q, w, x));
constexpr auto results =
    list_of(std::tuple_cat(std::tuple(loss, e2), g, of(xg::vjp(e2, std::tuple(a, q, w, x), t0)), std::tuple(read(a, q, w, x, k, t0))));
}
TEST_CASE("bodies, program 149") {
    using namespace p149;
    xg::variables owner{loss};
    xg::function f{results, owner};
    owner.assign(a, xg::array(fuzz::data<double>(0) + 0, 2, 1));
    owner.assign(w, xg::array(fuzz::data<double>(2) + 0, 1, 1));
    owner.assign(x, xg::array(fuzz::data<double>(3) + 0, 1));
    random_bodies::expect(f(q = xg::array(fuzz::data<double>(1) + 0, 3, 1), k = 0, t0 = xg::array(fuzz::data<double>(40) + 0, 1, 1)),
        {{1.80510243759993}, {0.361525214962477}, {-0.191959220249933, -0.384485395302691}, {0, 0, 0}, {-0.899844256835963}, {0}, {0, 0},
            {0, 0, 0}, {0.402849027657343}, {0}});
    owner.assign(a, xg::array(fuzz::data<double>(0) + 32, 2, 1));
    owner.assign(w, xg::array(fuzz::data<double>(2) + 32, 1, 1));
    owner.assign(x, xg::array(fuzz::data<double>(3) + 32, 1));
    random_bodies::expect(f(q = xg::array(fuzz::data<double>(1) + 32, 3, 1), k = -1, t0 = xg::array(fuzz::data<double>(40) + 32, 1, 1)),
        {{1.88931492463624}, {0.0299132190364583}, {0.283299771378967, -0.308881194299569}, {0, 0, 0}, {-0.0668103165918243}, {0}, {0, 0},
            {0, 0, 0}, {-0.0218781346678444}, {0}});
}

namespace p158 {
constexpr auto e = xg::variable<"e", double, 4, 1>;
constexpr auto turns = xg::input<"turns", std::int32_t>;
constexpr auto e0 = xg::constant<std::int32_t, 0>;
struct b0 : xg::region {
    static constexpr auto value(auto a0, auto a1) {
        auto n0 = e * xg::sigmoid(a0);
        auto n1 = xg::prod<0>(n0);
        auto n2 = xg::mean(n1);
        auto n3 = xg::broadcast_to<4, 1>(xg::sin(n2));
        auto n4 = a1 + 1_c;
        return xg::carry(n3, n4);
    }
};
constexpr auto e1 = xg::scan<b0, 1>(xg::carry(e, e0).turns(turns));
constexpr auto e2 = std::get<0>(e1);
constexpr auto e3 = xg::sum(xg::sin(e2));
constexpr auto e4 = xg::sum(e);
constexpr auto e5 = xg::sum(xg::sin(e4));
constexpr auto loss = e3 + e5;
constexpr auto g = of(xg::gradients(xg::ys(loss), xg::unconnected_zeros, e));
constexpr auto results = list_of(
    std::tuple_cat(std::tuple(loss, e2), g, of(xg::gradients(xg::ys(of_sines(g)), xg::unconnected_zeros, e)), std::tuple(read(e, turns))));
}
TEST_CASE("bodies, program 158") {
    using namespace p158;
    xg::variables owner{loss};
    xg::function f{results, owner};
    owner.assign(e, xg::array(fuzz::data<double>(1) + 0, 4, 1));
    random_bodies::expect(f(turns = 0), {{1.35086870234323}, {-0.0183119662106037, 0.76321835257113, 0.792587955482304, -0.79256986360997},
                                            {1.73497144254609, 1.45775417053091, 1.43714369996731, 1.43715658438478},
                                            {-0.149327959685722, -0.224309395315566, -0.241235833363788, -0.0514454428755034}});
    owner.assign(e, xg::array(fuzz::data<double>(1) + 32, 4, 1));
    random_bodies::expect(
        f(turns = 0), {{-1.29853237438518}, {0.663736453279853, -0.875053273513913, -0.242300784215331, -0.257347823586315},
                          {1.54542806386326, 1.39868819158935, 1.72852072601866, 1.72480062557562},
                          {-0.0899163496844206, 0.0571655875048314, -0.111976725004817, -0.113331440251687}});
}

namespace p160 {
constexpr auto p = xg::variable<"p", double, 4>;
constexpr auto q = xg::variable<"q", double, 4, 1>;
constexpr auto t0 = xg::input<"t0", double, 4>;
constexpr auto e0 = xg::mean<0>(p);
struct b0 : xg::region {
    static constexpr auto value(auto a0, auto) {
        auto n0 = xg::cos(a0);
        auto n1 = xg::uniform_like<"d0">(n0);
        auto n2 = xg::tanh(a0 + n1);
        return n2;
    }
};
constexpr auto e1 = xg::fold<b0>(e0, p);
constexpr auto e2 = xg::sum(xg::sin(e1));
constexpr auto e3 = xg::prod(q);
constexpr auto e4 = xg::sum(xg::sin(e3));
constexpr auto loss = e2 + e4;
constexpr auto g = of(xg::gradients(xg::ys(loss), xg::unconnected_zeros, p, q));
constexpr auto results = list_of(std::tuple_cat(std::tuple(loss, e1), g, of(xg::hvp(loss, p, t0)), std::tuple(read(p, q, t0))));
}
TEST_CASE("bodies, program 160") {
    using namespace p160;
    xg::variables owner{loss};
    xg::function f{results, owner};
    owner.assign(p, xg::array(fuzz::data<double>(1) + 0, 4));
    owner.assign(q, xg::array(fuzz::data<double>(2) + 0, 4, 1));
    random_bodies::expect(f(t0 = xg::array(fuzz::data<double>(40) + 0, 4)),
        {{0.699214985322053}, {0.795268991275611}, {0.0118988462402496, 0.0118988462402496, 0.0118988462402496, 0.0118988462402496},
            {0.0197393964533847, -0.0334275127439905, 0.165993162126767, 0.0298101114377281},
            {0.00200251679072951, 0.00200251679072951, 0.00200251679072951, 0.00200251679072951}});
    owner.assign(p, xg::array(fuzz::data<double>(1) + 32, 4));
    owner.assign(q, xg::array(fuzz::data<double>(2) + 32, 4, 1));
    random_bodies::expect(f(t0 = xg::array(fuzz::data<double>(40) + 32, 4)),
        {{0.679413535555788}, {0.753240474210936}, {0.0321420764753686, 0.0321420764753686, 0.0321420764753686, 0.0321420764753686},
            {0.00933336359850032, 0.00796245796996677, -0.00693779878234692, 0.187876395948879},
            {-0.0395624640595181, -0.0395624640595181, -0.0395624640595181, -0.0395624640595181}});
}
