// SPDX-License-Identifier: MIT
// Made by clang-format and this command in tests/reference:
// python3 random_bodies.py --numbers 266,283,296 --name ten --out ../grad
// Bodies in bodies, with the values and derivatives of JAX.
#include <support/random_bodies.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using random_bodies::list_of, random_bodies::of, random_bodies::of_sines, random_bodies::read, random_bodies::rows;
}

namespace p266 {
constexpr auto a = xg::variable<"a", double, 2, 2>;
constexpr auto e = xg::input<"e", double, 4, 2>;
constexpr auto x = xg::input<"x", double, 2>;
constexpr auto ids = xg::input<"ids", std::int32_t, 1>;
struct b0 : xg::region {
    static constexpr auto value(auto a0, auto) {
        auto n0 = xg::gather(a0, ids);
        auto n1 = n0 - n0;
        return n1;
    }
};
struct b1 : xg::region {
    static constexpr auto value(auto a0, auto a1, auto a2, auto a3) {
        auto n0 = a2 * xg::sigmoid(a2);
        auto n1 = xg::mean(n0);
        auto n2 = xg::sin(a0 - n1);
        auto n3 = xg::mean(a3);
        auto n4 = n2 * n3;
        auto n5 = xg::mean(n2);
        auto n6 = xg::tanh(a1 + n5);
        auto n7 = n6 * n3;
        return std::tuple{n4, n7};
    }
};
constexpr auto e0 = xg::custom_gradient<b0, b1>(e, x);
constexpr auto e1 = xg::sum(xg::sin(e0));
constexpr auto e2 = xg::softplus(a);
constexpr auto e3 = xg::sum(xg::sin(e2));
constexpr auto loss = e1 + e3;
constexpr auto g = of(xg::gradients(xg::ys(loss), xg::unconnected_zeros, a, e, x));
constexpr auto results = list_of(std::tuple_cat(
    std::tuple(loss, e0), g, of(xg::gradients(xg::ys(of_sines(g)), xg::unconnected_zeros, a, e, x)), std::tuple(read(a, e, x, ids))));
}
TEST_CASE("bodies, program 266") {
    using namespace p266;
    xg::variables owner{loss};
    xg::function f{results, owner};
    owner.assign(a, xg::array(fuzz::data<double>(0) + 0, 2, 2));
    random_bodies::expect(f(e = xg::array(fuzz::data<double>(1) + 0, 4, 2), x = xg::array(fuzz::data<double>(4) + 0, 2),
                              ids = xg::array(fuzz::integers(72, 4) + 0, 1)),
        {{2.21381682464669}, {0, 0}, {0.373002822039439, 0.327627329769927, 0.358325433635846, 0.385664972278829},
            {-0.01831094280827, 0.691250651072422, 0.712172411928652, -0.712159711234534, 0.825145869807699, 0.735651135724205,
                -0.457777639148495, -0.231887659419953},
            {0.391782258461879, 0.805462186621941}, {0.0816627984648685, 0.142103810532083, 0.110832868297245, -0.0177984202545523},
            {1.15553945666868, -0.395732784825444, -0.455367499667329, 1.6981319935356, -0.791859176865616, -0.52321232001187,
                1.60363930845416, 1.42201977789758},
            {0.190021756683021, -0.97447292468036}});
    owner.assign(a, xg::array(fuzz::data<double>(0) + 32, 2, 2));
    random_bodies::expect(f(e = xg::array(fuzz::data<double>(1) + 32, 4, 2), x = xg::array(fuzz::data<double>(4) + 32, 2),
                              ids = xg::array(fuzz::integers(72, 4) + 32, 1)),
        {{2.71035044420044}, {0, 0}, {0.191769348300078, 0.266369627375361, 0.354532739445047, 0.274539254925873},
            {0.616064334286875, -0.767577649301882, -0.239936834383714, -0.254516614033597, -0.0985110016853111, -0.438668011116647,
                0.0914946173575963, 0.10575073285683},
            {0.567679793088317, -0.173170052339991}, {-0.451803929701064, 0.159748553594225, 0.116250865749938, -0.33257271885444},
            {-0.462191944260058, 2.14774434808648, 1.61721625650092, 1.63915313399453, 1.38099725824568, 1.87900890000861,
                0.995258710141762, 0.963134961063936},
            {-0.585387293418707, 1.30839194427153}});
}

namespace p283 {
constexpr auto a = xg::input<"a", double, 3, 2>;
constexpr auto q = xg::input<"q", double, rows, 2>;
constexpr auto w = xg::variable<"w", double, 2, 2>;
constexpr auto x = xg::input<"x", double, 2>;
constexpr auto ids = xg::input<"ids", std::int32_t, rows, 2>;
constexpr auto k = xg::input<"k", std::int32_t>;
constexpr auto t0 = xg::input<"t0", double, 2, 2>;
template<class C0>
struct b1 : xg::region {
    static constexpr auto value(auto a0, auto) {
        auto n0 = a0 / (1.5_c + xg::square(C0{}));
        auto n1 = xg::sin(a0 - n0);
        auto n2 = a + a;
        auto n3 = xg::mean(n2);
        auto n4 = xg::sin(n0 - n3);
        return std::tuple{n1, n4};
    }
};
struct b0 : xg::region {
    static constexpr auto value(auto, auto a1) {
        auto n0 = xg::call<b1<decltype(a1)>>(a1, ids);
        auto n1 = std::get<1>(n0);
        auto n2 = std::get<0>(n0);
        auto n3 = 0.8_c * n1 + xg::sin(n2);
        return n3;
    }
};
struct b2 : xg::region {
    static constexpr auto value(auto, auto a1) {
        auto n0 = xg::mean(x);
        auto n1 = xg::tanh(a1) * xg::sigmoid(n0);
        return n1;
    }
};
struct b3 : xg::region {
    static constexpr auto value(auto, auto a1) {
        auto n0 = 0.2_c * xg::cast<double>(k);
        auto n1 = xg::sin(a1 - n0);
        return n1;
    }
};
constexpr auto e0 = xg::switch_case<b0, b2, b3>(k, x, q);
constexpr auto e1 = xg::sum(xg::sin(e0));
constexpr auto e2 = xg::erf(w);
constexpr auto e3 = xg::jvp(e2, w, e2);
constexpr auto e4 = xg::sum(xg::sin(e3));
constexpr auto loss = e1 + e4;
constexpr auto g = of(xg::gradients(xg::ys(loss), xg::unconnected_zeros, a, q, w, x));
constexpr auto results = list_of(std::tuple_cat(std::tuple(loss, e0), g, of(xg::jvp(e0, w, t0)), std::tuple(read(a, q, w, x, ids, k, t0))));
}
TEST_CASE("bodies, program 283") {
    using namespace p283;
    xg::variables owner{loss};
    xg::function f{results, owner};
    owner.assign(w, xg::array(fuzz::data<double>(3) + 0, 2, 2));
    random_bodies::expect(f(a = xg::array(fuzz::data<double>(0) + 0, 3, 2), q = xg::array(fuzz::data<double>(2) + 0, 4, 2),
                              x = xg::array(fuzz::data<double>(4) + 0, 2), ids = xg::array(fuzz::integers(72, 4) + 0, 4, 2), k = 1,
                              t0 = xg::array(fuzz::data<double>(40) + 0, 2, 2)),
        {{-1.53589546082213},
            {-0.406450098148652, 0.266330632584333, -0.0569579165766538, -0.294114878163211, -0.168573713690459, -0.228259394704568,
                -0.232889802883967, 0.275514164371822},
            {0, 0, 0, 0, 0, 0},
            {0.349442270837221, 0.509354030193373, 0.632872050434961, 0.481974049068197, 0.586077359084563, 0.542978025759509,
                0.539136590602435, 0.500562627778676},
            {0.511328850322501, 0.00668890002691458, 1.12882994877625, -0.484867681484985}, {-0.145266387554061, -0.145266387554061},
            {0, 0, 0, 0, 0, 0, 0, 0}});
    owner.assign(w, xg::array(fuzz::data<double>(3) + 32, 2, 2));
    random_bodies::expect(f(a = xg::array(fuzz::data<double>(0) + 32, 3, 2), q = xg::array(fuzz::data<double>(2) + 32, 4, 2),
                              x = xg::array(fuzz::data<double>(4) + 32, 2), ids = xg::array(fuzz::integers(72, 4) + 32, 4, 2), k = 3,
                              t0 = xg::array(fuzz::data<double>(40) + 32, 2, 2)),
        {{-4.94456522361062},
            {-0.88758037887548, -0.923376648924273, 0.06193227852395, -0.584647053448367, -0.687404311294191, -0.984574550314704,
                -0.723871556136641, -0.775440336546143},
            {0, 0, 0, 0, 0, 0},
            {0.290805738261243, 0.231538835513235, 0.996166843600517, 0.676538482547186, 0.561334767379171, 0.0967940357946561,
                0.516931724458165, 0.450905742393226},
            {0.181753187843473, 1.25235679486288, -0.39326021360239, 1.27126448618558}, {0, 0}, {0, 0, 0, 0, 0, 0, 0, 0}});
}

namespace p296 {
constexpr auto q = xg::input<"q", double, 3, 2>;
constexpr auto s = xg::input<"s", double>;
constexpr auto x = xg::variable<"x", double, 2>;
constexpr auto e0 = xg::sin(s);
constexpr auto e1 = xg::constant<std::int32_t, 0>;
struct b0 : xg::region {
    static constexpr auto value(auto, auto a1, auto) {
        auto n0 = xg::less(a1 + 0.1_c * xg::sin(xg::mean(x)), 0.7_c);
        return n0;
    }
};
struct b1 : xg::region {
    static constexpr auto value(auto a0, auto a1, auto a2) {
        auto n0 = xg::sum<1>(a0);
        auto n1 = xg::dropout<"d0">(n0, 0.4_c);
        auto n2 = xg::mean(n1);
        auto n3 = 0.8_c * q + xg::sin(n2);
        auto n4 = a1 + 0.6_c + 0.2_c * xg::sin(xg::mean(n0));
        auto n5 = a2 + 1_c;
        return xg::carry(n3, n4, n5);
    }
};
constexpr auto e2 = xg::while_loop<b0, b1, 8>(xg::carry(q, e0, e1));
constexpr auto e3 = std::get<0>(e2);
constexpr auto e4 = xg::sum(xg::sin(e3));
constexpr auto e5 = std::get<1>(e2);
constexpr auto e6 = xg::sum(xg::sin(e5));
constexpr auto e7 = e4 + e6;
constexpr auto e8 = xg::stop_gradient(q);
constexpr auto e9 = xg::sum(xg::sin(e8));
constexpr auto e10 = e7 + e9;
constexpr auto e11 = xg::sum(xg::sin(e0));
constexpr auto loss = e10 + e11;
constexpr auto g = of(xg::gradients(xg::ys(loss), xg::unconnected_zeros, q, s, x));
constexpr auto results = list_of(std::tuple_cat(
    std::tuple(loss, e3), g, of(xg::gradients(xg::ys(of_sines(g)), xg::unconnected_zeros, q, s, x)), std::tuple(read(q, s, x))));
}
TEST_CASE("bodies, program 296") {
    using namespace p296;
    xg::variables owner{loss};
    xg::function f{results, owner};
    owner.assign(x, xg::array(fuzz::data<double>(3) + 0, 2));
    random_bodies::expect(f(q = xg::array(fuzz::data<double>(1) + 0, 3, 2), s = fuzz::data<double>(2)[0]),
        {{7.18861538574222}, {0.7943949118509, 1.41961916687629, 1.44311484920523, 0.174988593931407, 1.58541277649543, 1.47034645567378},
            {0.0296795371767892, -0.410412157124079, -0.429025863177861, 0.256889086381867, -0.87165634513836, -0.779738777594119},
            {1.07155682034354}, {0, 0},
            {-2.70431127741884, -2.49276339061803, -2.4858855923107, -3.01292522246533, -2.92690879648765, -2.97389538446688},
            {0.499846500306347}, {0, 0}});
    owner.assign(x, xg::array(fuzz::data<double>(3) + 32, 2));
    random_bodies::expect(f(q = xg::array(fuzz::data<double>(1) + 32, 3, 2), s = fuzz::data<double>(2)[32]),
        {{-1.82229869992024},
            {0.530989162623882, -0.700042618811131, -0.193840627372265, -0.205878258869052, -0.0789368268102408, -0.36329273916781},
            {0.70743384587341, 0.629440355466598, 0.802605897053065, 0.80069402865632, 0.850142555885483, 0.800419115060717},
            {1.33076264221133}, {0, 0},
            {0.0949202308492224, 0.674538989950364, 0.426898085245602, 0.432324289104561, 0.841522461752307, 0.966601629467698},
            {-0.0292271516764735}, {0, 0}});
}
