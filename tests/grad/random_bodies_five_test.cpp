// SPDX-License-Identifier: MIT
// Made by clang-format and this command in tests/reference:
// python3 random_bodies.py --numbers 100,105,113 --name five --out ../grad
// Bodies in bodies, with the values and derivatives of JAX.
#include <support/random_bodies.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using random_bodies::list_of, random_bodies::of, random_bodies::of_sines, random_bodies::read, random_bodies::rows;
}

namespace p100 {
constexpr auto a = xg::variable<"a", double, 3, 2>;
constexpr auto q = xg::variable<"q", double, 2, 2>;
constexpr auto s = xg::input<"s", double>;
constexpr auto ids = xg::input<"ids", std::int32_t, 2>;
constexpr auto turns = xg::input<"turns", std::int32_t>;
constexpr auto t0 = xg::input<"t0", double, 2, 2>;
template<class C0>
struct b1 : xg::region {
    static constexpr auto value(auto a0, auto a1, auto) {
        auto n0 = xg::softmax(C0{});
        auto n1 = 0.8_c * a0 + xg::sin(n0);
        auto n2 = a1 + 1_c;
        return xg::carry(n1, n2);
    }
};
struct b0 : xg::region {
    static constexpr auto value(auto a0, auto, auto) {
        auto n0 = xg::constant<std::int32_t, 0>;
        auto n1 = xg::scan<b1<decltype(a0)>>(xg::carry(a0, n0).turns(turns), a0);
        auto n2 = std::get<0>(n1);
        auto n3 = 0.8_c * a0 + xg::sin(n2);
        return n3;
    }
};
constexpr auto e0 = xg::layers<2, b0>(q, q, ids);
constexpr auto e1 = xg::sum(xg::sin(e0));
constexpr auto e2 = s - a;
constexpr auto e3 = xg::sum(xg::sin(e2));
constexpr auto loss = e1 + e3;
constexpr auto g = of(xg::gradients(xg::ys(loss), xg::unconnected_zeros, a, q, s));
constexpr auto results =
    list_of(std::tuple_cat(std::tuple(loss, e0), g, of(xg::vjp(e0, std::tuple(a, q, s), t0)), std::tuple(read(a, q, s, ids, turns, t0))));
}
TEST_CASE("bodies, program 100") {
    using namespace p100;
    xg::variables owner{loss};
    xg::function f{results, owner};
    owner.assign(a, xg::array(fuzz::data<double>(0) + 0, 3, 2));
    owner.assign(q, xg::array(fuzz::data<double>(2) + 0, 2, 2));
    random_bodies::expect(f(s = fuzz::data<double>(3)[0], ids = xg::array(fuzz::integers(72, 4) + 0, 2), turns = 0,
                              t0 = xg::array(fuzz::data<double>(40) + 0, 2, 2)),
        {{-2.47893677885952}, {-1.98642957941095, 1.33399964623234, -0.28867398921143, -1.46830868970762},
            {-0.975066047475511, -0.98970611830618, -0.996613667961211, -0.850789461357303, -0.409013572834833, -0.939581462116052},
            {-0.669192398034425, 0.602407545474952, 3.07684940779819, 0.247412872857621}, {5.16077033005109}, {0, 0, 0, 0, 0, 0},
            {-0.694017931207953, 1.28692886125322, -1.91269269893355, 0.676003189385867}, {0}});
    owner.assign(a, xg::array(fuzz::data<double>(0) + 32, 3, 2));
    owner.assign(q, xg::array(fuzz::data<double>(2) + 32, 2, 2));
    random_bodies::expect(f(s = fuzz::data<double>(3)[32], ids = xg::array(fuzz::integers(72, 4) + 32, 2), turns = 1,
                              t0 = xg::array(fuzz::data<double>(40) + 32, 2, 2)),
        {{2.17851657446617}, {0.0495190027830497, -0.29820269446911, 2.11620168932116, 0.675854941825718},
            {-0.901603066938481, -0.0936591804598837, -0.619839434998193, -0.970835321930841, -0.950021247262745, -0.989210253228515},
            {2.47955776655784, 2.46284328124665, -0.74891831155325, 2.29794062679992}, {4.52516850481866}, {0, 0, 0, 0, 0, 0},
            {0.348639457999714, 2.74458452096888, 0.470518620022511, 0.140921683065299}, {0}});
}

namespace p105 {
constexpr auto e = xg::input<"e", double, 4, 1>;
constexpr auto q = xg::input<"q", double, rows, 1>;
constexpr auto v = xg::input<"v", double, 1, 3>;
constexpr auto w = xg::input<"w", double, 1, 1>;
constexpr auto x = xg::variable<"x", double, 1>;
constexpr auto k = xg::input<"k", std::int32_t>;
constexpr auto e0 = xg::sqrt(0.5_c + xg::square(q));
constexpr auto e1 = xg::vjp(e0, q, e0);
constexpr auto e2 = xg::matmul(e1, w);
struct b0 : xg::region {
    static constexpr auto value(auto, auto) {
        auto n0 = xg::stop_gradient(w);
        auto n1 = xg::mean(n0);
        auto n2 = xg::sin(x - n1);
        auto n3 = xg::tanh(e2) * xg::sigmoid(n1);
        return std::tuple{n2, n3};
    }
};
struct b1 : xg::region {
    static constexpr auto value(auto, auto) {
        auto n0 = -e;
        auto n1 = xg::mean(n0);
        auto n2 = 0.8_c * x + xg::sin(n1);
        auto n3 = xg::broadcast_to<rows, 1>(xg::sin(n1));
        return std::tuple{n2, n3};
    }
};
struct b2 : xg::region {
    static constexpr auto value(auto a0, auto a1) {
        auto n0 = xg::prod<0>(a0);
        auto n1 = xg::mean(n0);
        auto n2 = xg::tanh(x + n1);
        auto n3 = xg::tanh(a1 + n1);
        return std::tuple{n2, n3};
    }
};
constexpr auto e3 = xg::switch_case<b0, b1, b2>(k, v, e2);
constexpr auto e4 = std::get<0>(e3);
constexpr auto e5 = xg::sum(xg::sin(e4));
constexpr auto e6 = std::get<1>(e3);
constexpr auto e7 = xg::sum(xg::sin(e6));
constexpr auto e8 = e5 + e7;
constexpr auto e9 = xg::sum(xg::sin(e2));
constexpr auto e10 = e8 + e9;
constexpr auto e11 = xg::erf(x);
constexpr auto e12 = x / (1.5_c + xg::square(e11));
constexpr auto e13 = xg::sum(xg::sin(e12));
constexpr auto loss = e10 + e13;
constexpr auto g = of(xg::gradients(xg::ys(loss), xg::unconnected_zeros, e, q, v, w, x));
constexpr auto results = list_of(std::tuple_cat(std::tuple(loss, e6), g, std::tuple<>(), std::tuple(read(e, q, v, w, x, k))));
}
TEST_CASE("bodies, program 105") {
    using namespace p105;
    xg::variables owner{loss};
    xg::function f{results, owner};
    owner.assign(x, xg::array(fuzz::data<double>(4) + 0, 1));
    random_bodies::expect(f(e = xg::array(fuzz::data<double>(0) + 0, 4, 1), q = xg::array(fuzz::data<double>(1) + 0, 2, 1),
                              v = xg::array(fuzz::data<double>(2) + 0, 1, 3), w = xg::array(fuzz::data<double>(3) + 0, 1, 1), k = 1),
        {{0.694949550453017}, {0.231564907470607, 0.231564907470607},
            {-0.696641401457015, -0.696641401457015, -0.696641401457015, -0.696641401457015}, {-0.412624258076835, -0.392341620034165},
            {0, 0, 0}, {0.707370022478364}, {1.32143607066439}});
    owner.assign(x, xg::array(fuzz::data<double>(4) + 32, 1));
    random_bodies::expect(f(e = xg::array(fuzz::data<double>(0) + 32, 4, 1), q = xg::array(fuzz::data<double>(1) + 32, 2, 1),
                              v = xg::array(fuzz::data<double>(2) + 32, 1, 3), w = xg::array(fuzz::data<double>(3) + 32, 1, 1), k = 0),
        {{0.429837825581313}, {0.217520022795804, -0.278503349142822}, {0, 0, 0, 0}, {0.800300927993051, 0.745966408709328}, {0, 0, 0},
            {-0.224863298844264}, {1.25163046183197}});
}

namespace p113 {
constexpr auto p = xg::input<"p", double, 3>;
constexpr auto q = xg::variable<"q", double, 3, 1>;
constexpr auto x = xg::input<"x", double, 1>;
constexpr auto k = xg::input<"k", std::int32_t>;
constexpr auto turns = xg::input<"turns", std::int32_t>;
constexpr auto t0 = xg::input<"t0", double, 3, 1>;
constexpr auto e0 = xg::greater(xg::mean(x), -0.2_c);
struct b0 : xg::region {
    static constexpr auto value(auto a0, auto, auto a2) {
        auto n0 = 0.7_c * a2;
        auto n1 = xg::mean(n0);
        auto n2 = xg::tanh(a0 + n1);
        auto n3 = xg::broadcast_to<1>(xg::sin(n1));
        return std::tuple{n2, n3};
    }
};
struct b2 : xg::region {
    static constexpr auto value(auto a0, auto, auto a2) {
        auto n0 = xg::log_sum_exp(a0);
        auto n1 = xg::sin(a0 - n0);
        return xg::carry(n1).emit(a2, a2);
    }
};
struct b1 : xg::region {
    static constexpr auto value(auto a0, auto, auto a2) {
        auto n0 = a0 / (1.5_c + xg::square(a0));
        auto n1 = xg::scan<b2>(xg::carry(a2).turns(turns), p, a0);
        auto n2 = std::get<1>(n1);
        auto n3 = xg::tanh(n0 + n2);
        auto n4 = std::get<2>(n1);
        auto n5 = xg::mean(n4);
        auto n6 = xg::tanh(x) * xg::sigmoid(n5);
        return std::tuple{n3, n6};
    }
};
constexpr auto e1 = xg::cond<b0, b1>(e0, q, k, p);
constexpr auto e2 = std::get<1>(e1);
constexpr auto e3 = xg::sum(xg::sin(e2));
constexpr auto e4 = std::get<0>(e1);
constexpr auto e5 = e4 + x;
constexpr auto e6 = xg::sum(xg::sin(e5));
constexpr auto loss = e3 + e6;
constexpr auto g = of(xg::gradients(xg::ys(loss), xg::unconnected_zeros, p, q, x));
constexpr auto results =
    list_of(std::tuple_cat(std::tuple(loss, e5), g, of(xg::vjp(e5, std::tuple(p, q, x), t0)), std::tuple(read(p, q, x, k, turns, t0))));
}
TEST_CASE("bodies, program 113") {
    using namespace p113;
    xg::variables owner{loss};
    xg::function f{results, owner};
    owner.assign(q, xg::array(fuzz::data<double>(1) + 0, 3, 1));
    random_bodies::expect(f(p = xg::array(fuzz::data<double>(0) + 0, 3), x = xg::array(fuzz::data<double>(3) + 0, 1), k = 2, turns = 3,
                              t0 = xg::array(fuzz::data<double>(40) + 0, 3, 1)),
        {{0.115770328203215}, {-0.443143783054241, 0.398283730444683, 0.410030015732767}, {0, 0, 0},
            {1.47427044595151, 0.352773181832647, 0.323881328523603}, {3.25642780187928}, {0, 0, 0},
            {-0.697077262779899, 0.20790446028108, -0.229687942009606}, {-0.51350959809497}});
    owner.assign(q, xg::array(fuzz::data<double>(1) + 32, 3, 1));
    random_bodies::expect(f(p = xg::array(fuzz::data<double>(0) + 32, 3), x = xg::array(fuzz::data<double>(3) + 32, 1), k = 1, turns = 3,
                              t0 = xg::array(fuzz::data<double>(40) + 32, 3, 1)),
        {{0.842898774876374}, {1.07155256503568, -0.197949989554721, 0.236002202801025},
            {0.622123887646689, 0.622123887646689, 0.622123887646689}, {0.343817115434272, 0.445600829067697, 0.882045227215552},
            {2.43151402953566}, {0.308614732886941, 0.308614732886941, 0.308614732886941},
            {0.235060948686708, 0.404193117786997, 0.683380503041755}, {1.96997271757573}});
}
