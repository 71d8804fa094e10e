// SPDX-License-Identifier: MIT
// Made by clang-format and this command in tests/reference:
// python3 random_bodies.py --numbers 185,191,194,210,212 --name three --out ../grad
// Bodies in bodies, with the values and derivatives of JAX.
#include <support/random_bodies.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using random_bodies::list_of, random_bodies::of, random_bodies::of_sines, random_bodies::read, random_bodies::rows;
}

namespace p185 {
constexpr auto e = xg::input<"e", double, 4, 2>;
constexpr auto q = xg::input<"q", double, rows, 2>;
constexpr auto s = xg::input<"s", double>;
constexpr auto k = xg::input<"k", std::int32_t>;
constexpr auto e0 = xg::sin(s);
struct b0 : xg::region {
    static constexpr auto value(auto, auto a1) {
        auto n0 = xg::less(a1 + 0.1_c * xg::sin(xg::mean(s)), 0.7_c);
        return n0;
    }
};
struct b1 : xg::region {
    static constexpr auto value(auto a0, auto a1) {
        auto n0 = a0 * xg::sigmoid(a1);
        auto n1 = xg::tanh(a0) * xg::sigmoid(n0);
        auto n2 = 0.2_c * xg::cast<double>(k);
        auto n3 = a1 + 0.6_c + 0.2_c * xg::sin(xg::mean(n2));
        return xg::carry(n1, n3);
    }
};
constexpr auto e1 = xg::while_loop<b0, b1, 8>(xg::carry(q, e0));
constexpr auto e2 = std::get<0>(e1);
constexpr auto e3 = xg::sum(xg::sin(e2));
constexpr auto e4 = std::get<1>(e1);
constexpr auto e5 = xg::sum(xg::sin(e4));
constexpr auto e6 = e3 + e5;
constexpr auto e7 = xg::prod<1>(e);
constexpr auto e8 = xg::sum(xg::sin(e7));
constexpr auto e9 = e6 + e8;
constexpr auto e10 = xg::sum(xg::sin(e0));
constexpr auto loss = e9 + e10;
constexpr auto g = of(xg::gradients(xg::ys(loss), xg::unconnected_zeros, e, q, s));
constexpr auto results = list_of(std::tuple_cat(
    std::tuple(loss, e2), g, of(xg::gradients(xg::ys(of_sines(g)), xg::unconnected_zeros, e, q, s)), std::tuple(read(e, q, s, k))));
}
TEST_CASE("bodies, program 185") {
    using namespace p185;
    xg::function f{results};
    random_bodies::expect(f(e = xg::array(fuzz::data<double>(0) + 0, 4, 2), q = xg::array(fuzz::data<double>(1) + 0, 3, 2),
                              s = fuzz::data<double>(2)[0], k = -1),
        {{-0.230399567955658},
            {-0.00227358976462195, 0.098434668918673, 0.101532344310496, -0.0620908510615866, 0.11847770739111, 0.105015846043213},
            {-0.553177311846053, -0.18781704550831, 0.140522686487585, -0.329960054739951, -0.645042736677556, 0.623678115258621,
                0.40674786816974, -0.726307035794636},
            {0.123302591701443, 0.106401514942242, 0.103486449045755, 0.0342322715473769, 0.086044299281921, 0.100096506670952},
            {1.01520456348562},
            {0.938571413509826, 0.83312200184162, 0.943902291002098, 0.991731778827548, 0.691518194074791, 0.67215076825345,
                0.682301327325537, 0.913401393532244},
            {0.0939835009328627, -0.0873669271490799, -0.087941480968287, 0.0792177570184745, -0.0835260995294474, -0.0880670627962262},
            {0.519415121338922}});
    random_bodies::expect(f(e = xg::array(fuzz::data<double>(0) + 32, 4, 2), q = xg::array(fuzz::data<double>(1) + 32, 3, 2),
                              s = fuzz::data<double>(2)[32], k = 2),
        {{-1.20378056599877},
            {0.17223023614462, -0.131113992409536, -0.0546522309223053, -0.0575968922590347, -0.0237830580271918, -0.0907456241992273},
            {-0.563455474757923, 0.594522531969415, 0.751603853644928, -0.347222728083997, 0.371372555344139, 0.809648638114322,
                0.781518554582592, -0.526315016653109},
            {0.225152436731621, 0.0549142745765818, 0.197300534382211, 0.19347181338395, 0.231230125119541, 0.142626179539665},
            {1.38743339156826},
            {0.478422007919302, 0.529921113758077, 0.953587353612207, 0.678107711339294, 0.525727666054953, 0.606547908853119,
                0.769002937428284, 0.526315267861666},
            {-0.172625421771786, 0.152733792512313, 0.245540086529804, 0.247692289638508, 0.205997830431781, 0.245963905992519},
            {0.0450776766715886}});
}

namespace p191 {
constexpr auto p = xg::input<"p", double, 2>;
constexpr auto s = xg::variable<"s", double>;
constexpr auto t0 = xg::input<"t0", double>;
struct b0 : xg::region {
    static constexpr auto value(auto, auto a1) {
        auto n0 = a1 / (1.5_c + xg::square(a1));
        return n0;
    }
};
struct b1 : xg::region {
    static constexpr auto value(auto a0, auto a1, auto, auto a3) {
        auto n0 = xg::sum(a0);
        auto n1 = xg::broadcast_to<2>(xg::sin(n0));
        auto n2 = xg::mean(a3);
        auto n3 = n1 * n2;
        auto n4 = xg::log_sum_exp<0>(a0);
        auto n5 = xg::tanh(a1 + n4);
        auto n6 = n5 * a3;
        return std::tuple{n3, n6};
    }
};
constexpr auto e0 = xg::custom_gradient<b0, b1>(p, s);
constexpr auto e1 = xg::sum(xg::sin(e0));
constexpr auto e2 = xg::exp(-xg::square(s));
constexpr auto e3 = xg::sum(xg::sin(e2));
constexpr auto loss = e1 + e3;
constexpr auto g = of(xg::gradients(xg::ys(loss), xg::unconnected_zeros, p, s));
constexpr auto results = list_of(std::tuple_cat(std::tuple(loss, e0), g, of(xg::hvp(loss, s, t0)), std::tuple(read(p, s, t0))));
}
TEST_CASE("bodies, program 191") {
    using namespace p191;
    xg::variables owner{loss};
    xg::function f{results, owner};
    owner.assign(s, fuzz::data<double>(2)[0]);
    random_bodies::expect(f(p = xg::array(fuzz::data<double>(0) + 0, 2), t0 = fuzz::data<double>(40)[0]),
        {{0.182305460576294}, {-0.363985287471228}, {-0.633624848121483, -0.633624848121483}, {0.353722177103704}, {-0.241574103682991}});
    owner.assign(s, fuzz::data<double>(2)[32]);
    random_bodies::expect(f(p = xg::array(fuzz::data<double>(0) + 32, 2), t0 = fuzz::data<double>(40)[32]),
        {{0.428083268097595}, {-0.282450839838563}, {0.0495596734136463, 0.0495596734136463}, {1.08385356418535}, {-0.0810463592725877}});
}

namespace p194 {
constexpr auto e = xg::input<"e", double, 4, 2>;
constexpr auto p = xg::input<"p", double, rows>;
constexpr auto x = xg::input<"x", double, 2>;
constexpr auto ids = xg::input<"ids", std::int32_t, 3>;
constexpr auto t0 = xg::input<"t0", double, rows>;
constexpr auto t1 = xg::input<"t1", double, 2>;
struct b0 : xg::region {
    static constexpr auto value(auto a0, auto) {
        auto n0 = xg::uniform_like<"d0">(a0);
        auto n1 = xg::tanh(a0) * xg::sigmoid(n0);
        return n1;
    }
};
constexpr auto e0 = xg::call<b0>(x, ids);
constexpr auto e1 = xg::sum(xg::sin(e0));
constexpr auto e2 = xg::softmax(p);
constexpr auto e3 = xg::sum(xg::sin(e2));
constexpr auto e4 = e1 + e3;
constexpr auto e5 = xg::softmax(x);
constexpr auto e6 = xg::sum(xg::sin(e5));
constexpr auto e7 = e4 + e6;
constexpr auto e8 = xg::gather(e, ids);
constexpr auto e9 = xg::sum(xg::sin(e8));
constexpr auto loss = e7 + e9;
constexpr auto g = of(xg::gradients(xg::ys(loss), xg::unconnected_zeros, e, p, x));
constexpr auto results = list_of(
    std::tuple_cat(std::tuple(loss, e0), g, of(xg::jvp(e0, std::tuple(p, x), std::tuple(t0, t1))), std::tuple(read(e, p, x, ids, t0, t1))));
}
TEST_CASE("bodies, program 194") {
    using namespace p194;
    xg::function f{results};
    random_bodies::expect(f(e = xg::array(fuzz::data<double>(1) + 0, 4, 2), p = xg::array(fuzz::data<double>(2) + 0, 2),
                              x = xg::array(fuzz::data<double>(4) + 0, 2), ids = xg::array(fuzz::integers(72, 4) + 0, 3),
                              t0 = xg::array(fuzz::data<double>(40) + 0, 2), t1 = xg::array(fuzz::data<double>(41) + 0, 2)),
        {{5.4633297818429}, {0.110391463402885, 0.369919032623141},
            {0, 0, 0.702004598053122, 0.70201748247059, 1.12983944618569, 1.35472123554285, 0, 0},
            {0.0452316744930611, -0.0452316744930611}, {0.516500385652163, 0.188728247266874}, {0.27514304697411, -0.0672850515844206}});
    random_bodies::expect(f(e = xg::array(fuzz::data<double>(1) + 32, 4, 2), p = xg::array(fuzz::data<double>(2) + 32, 2),
                              x = xg::array(fuzz::data<double>(4) + 32, 2), ids = xg::array(fuzz::integers(72, 4) + 32, 3),
                              t0 = xg::array(fuzz::data<double>(40) + 32, 2), t1 = xg::array(fuzz::data<double>(41) + 32, 2)),
        {{1.31799919225047}, {0.327754844763031, -0.02630413616977},
            {0, 0, 0, 0, 1.99027192367973, 1.79729839038816, 0.99580557087947, 0.994392670176246},
            {-0.00506458138479549, 0.0050645813847955}, {0.2412936516116, 0.547008721511231}, {0.125796368295133, 0.373743290498438}});
}

namespace p210 {
constexpr auto e = xg::variable<"e", double, 3, 2>;
constexpr auto q = xg::input<"q", double, rows, 2>;
constexpr auto s = xg::input<"s", double>;
constexpr auto w = xg::input<"w", double, 2, 2>;
constexpr auto e0 = xg::uniform_like<"d0">(q);
constexpr auto e1 = xg::jvp(e0, q, q);
constexpr auto e2 = xg::slice<1, 1, 2>(e1);
constexpr auto e3 = w / (1.5_c + xg::square(s));
constexpr auto e4 = xg::matmul(e, w);
struct b0 : xg::region {
    static constexpr auto value(auto a0, auto a1, auto) {
        auto n0 = xg::uniform_like<"d1">(a1);
        auto n1 = xg::sin(a0 - n0);
        return xg::carry(n1);
    }
};
constexpr auto e5 = xg::scan<b0>(xg::carry(e3), e, e4);
constexpr auto e6 = std::get<0>(e5);
struct b1 : xg::region {
    static constexpr auto value(auto a0, auto, auto) {
        auto n0 = s / (1.5_c + xg::square(a0));
        auto n1 = xg::sin(a0 - n0);
        return n1;
    }
};
constexpr auto e7 = xg::fold<b1>(e2, w, e6);
constexpr auto e8 = xg::sum(xg::sin(e7));
constexpr auto e9 = xg::tanh(s);
constexpr auto e10 = e9 / (1.5_c + xg::square(e9));
constexpr auto e11 = xg::sum(xg::sin(e10));
constexpr auto e12 = e8 + e11;
constexpr auto e13 = xg::matmul(e0, w);
constexpr auto e14 = xg::relu(e13);
constexpr auto e15 = xg::sum(xg::sin(e14));
constexpr auto e16 = e12 + e15;
constexpr auto e17 = xg::sum(xg::sin(e4));
constexpr auto loss = e16 + e17;
constexpr auto g = of(xg::gradients(xg::ys(loss), xg::unconnected_zeros, e, q, s, w));
constexpr auto results = list_of(std::tuple_cat(std::tuple(loss, e7), g, std::tuple<>(), std::tuple(read(e, q, s, w))));
}
TEST_CASE("bodies, program 210") {
    using namespace p210;
    xg::variables owner{loss};
    xg::function f{results, owner};
    owner.assign(e, xg::array(fuzz::data<double>(0) + 0, 3, 2));
    random_bodies::expect(
        f(q = xg::array(fuzz::data<double>(1) + 0, 4, 2), s = fuzz::data<double>(2)[0], w = xg::array(fuzz::data<double>(3) + 0, 2, 2)),
        {{1.78795008688404}, {0.792325629435605, 0.792325629435605, 0.792325629435605, 0.792325629435605},
            {-0.968540222633578, 0.7340619236267, -0.991329297399629, 0.764344295209878, -0.629673098019968, 0.199913927463765},
            {0, 0, 0, 0, 0, 0, 0, 0}, {-1.58071721181802}, {0.209911296954792, 0.391747184730441, -1.15804589650932, -0.0808462395219788}});
    owner.assign(e, xg::array(fuzz::data<double>(0) + 32, 3, 2));
    random_bodies::expect(
        f(q = xg::array(fuzz::data<double>(1) + 32, 4, 2), s = fuzz::data<double>(2)[32], w = xg::array(fuzz::data<double>(3) + 32, 2, 2)),
        {{2.43032039428106}, {0.588338623954266, 0.588338623954266, 0.588338623954266, 0.588338623954266},
            {0.0648313093479931, -0.214491520297616, 0.290177992875098, -0.573546326069132, 0.477924447712615, -0.872434918525054},
            {0, 0, 0, 0, 0, 0, 0, 0}, {-2.82786988817226}, {1.80671555135991, 1.48227170012856, 1.02276469038395, 0.240134613090098}});
}

namespace p212 {
constexpr auto q = xg::variable<"q", double, 1, 2>;
constexpr auto t0 = xg::input<"t0", double, 1, 2>;
constexpr auto e0 = xg::abs(q);
struct b0 : xg::region {
    static constexpr auto value(auto a0, auto) { return a0; }
};
constexpr auto e1 = xg::map<b0>(q, e0);
constexpr auto loss = xg::sum(xg::sin(e1));
constexpr auto g = of(xg::gradients(xg::ys(loss), xg::unconnected_zeros, q));
constexpr auto results = list_of(std::tuple_cat(std::tuple(loss, e1), g, of(xg::vjp(e1, q, t0)), std::tuple(read(q, t0))));
}
TEST_CASE("bodies, program 212") {
    using namespace p212;
    xg::variables owner{loss};
    xg::function f{results, owner};
    owner.assign(q, xg::array(fuzz::data<double>(0) + 0, 1, 2));
    random_bodies::expect(f(t0 = xg::array(fuzz::data<double>(40) + 0, 1, 2)),
        {{-0.715737480360675}, {-0.188858183566481, -0.556243774481118}, {0.982219237118941, 0.849244384421759},
            {-0.418748284224421, 0.501156606245786}});
    owner.assign(q, xg::array(fuzz::data<double>(0) + 32, 1, 2));
    random_bodies::expect(f(t0 = xg::array(fuzz::data<double>(40) + 32, 1, 2)),
        {{0.0295143460419163}, {0.987981068901718, -0.936353649012744}, {0.550376620029834, 0.592728737912781},
            {0.327319914475083, 0.889360891655087}});
}
