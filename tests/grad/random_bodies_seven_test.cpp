// SPDX-License-Identifier: MIT
// Made by clang-format and this command in tests/reference:
// python3 random_bodies.py --numbers 163,164,165,173,183 --name seven --out ../grad
// Bodies in bodies, with the values and derivatives of JAX.
#include <support/random_bodies.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using random_bodies::list_of, random_bodies::of, random_bodies::of_sines, random_bodies::read, random_bodies::rows;
}

namespace p163 {
constexpr auto q = xg::input<"q", double, 2, 2>;
constexpr auto v = xg::input<"v", double, 2, 3>;
constexpr auto w = xg::variable<"w", double, 2, 2>;
constexpr auto x = xg::variable<"x", double, 2>;
constexpr auto ids = xg::input<"ids", std::int32_t, 3>;
constexpr auto t0 = xg::input<"t0", double, 2, 3>;
struct b0 : xg::region {
    static constexpr auto value(auto a0, auto a1, auto) {
        auto n0 = xg::dropout<"d0">(a1, 0.4_c);
        auto n1 = xg::gather(n0, ids);
        return std::tuple{a0, n1};
    }
};
constexpr auto e0 = xg::map<b0>(q, v, x);
constexpr auto e1 = std::get<0>(e0);
constexpr auto e2 = xg::sum(xg::sin(e1));
constexpr auto e3 = std::get<1>(e0);
constexpr auto e4 = xg::sum(xg::sin(e3));
constexpr auto e5 = e2 + e4;
constexpr auto e6 = xg::matmul(q, w);
constexpr auto e7 = xg::sum(xg::sin(e6));
constexpr auto loss = e5 + e7;
constexpr auto g = of(xg::gradients(xg::ys(loss), xg::unconnected_zeros, q, v, w, x));
constexpr auto results = list_of(std::tuple_cat(std::tuple(loss, e1), g, of(xg::jvp(e1, v, t0)), std::tuple(read(q, v, w, x, ids, t0))));
}
TEST_CASE("bodies, program 163") {
    using namespace p163;
    xg::variables owner{loss};
    xg::function f{results, owner};
    owner.assign(w, xg::array(fuzz::data<double>(3) + 0, 2, 2));
    owner.assign(x, xg::array(fuzz::data<double>(4) + 0, 2));
    random_bodies::expect(f(q = xg::array(fuzz::data<double>(1) + 0, 2, 2), v = xg::array(fuzz::data<double>(2) + 0, 2, 3),
                              ids = xg::array(fuzz::integers(70, 3) + 0, 3), t0 = xg::array(fuzz::data<double>(40) + 0, 2, 3)),
        {{-1.22788172332925}, {-0.0183119662106037, 0.76321835257113, 0.792587955482304, -0.79256986360997},
            {0.141403165902668, 1.27632080666642, 0.111158717353789, 0.843266258962914},
            {0, 0, 1.6482097560383, 1.12545014155443, 1.50049419577764, 0},
            {0.758247461605723, 0.226430447740182, -0.0180478432739656, 0.314981166046133}, {0, 0}, {0, 0, 0, 0}});
    owner.assign(w, xg::array(fuzz::data<double>(3) + 32, 2, 2));
    owner.assign(x, xg::array(fuzz::data<double>(4) + 32, 2));
    random_bodies::expect(f(q = xg::array(fuzz::data<double>(1) + 32, 2, 2), v = xg::array(fuzz::data<double>(2) + 32, 2, 3),
                              ids = xg::array(fuzz::integers(70, 3) + 32, 3), t0 = xg::array(fuzz::data<double>(40) + 32, 2, 3)),
        {{1.86220911878177}, {0.663736453279853, -0.875053273513913, -0.242300784215331, -0.257347823586315},
            {0.968323355064902, 0.241944041144896, 1.45062368445786, 0.0914264489712014}, {0, 0, 1.50221555672613, 0, 1.6092785692798, 0},
            {0.0523702208308128, 0.421300315938332, -0.643467216507598, -1.13212048301667}, {0, 0}, {0, 0, 0, 0}});
}

namespace p164 {
constexpr auto p = xg::input<"p", double, 3>;
constexpr auto q = xg::input<"q", double, 3, 2>;
constexpr auto s = xg::input<"s", double>;
constexpr auto x = xg::variable<"x", double, 2>;
constexpr auto k = xg::input<"k", std::int32_t>;
template<class C0>
struct b1 : xg::region {
    static constexpr auto value(auto a0, auto) {
        auto n0 = xg::square(a0);
        auto n1 = xg::mean(n0);
        auto n2 = xg::sin(C0{} - n1);
        return n2;
    }
};
template<class C0>
struct b2 : xg::region {
    static constexpr auto value(auto, auto a1) {
        auto n0 = C0{} + a1;
        auto n1 = xg::softmax(n0);
        auto n2 = xg::tanh(n0 + n1);
        return n2;
    }
};
template<class C0>
struct b3 : xg::region {
    static constexpr auto value(auto a0, auto) {
        auto n0 = C0{} * a0;
        auto n1 = xg::mean(n0);
        auto n2 = 0.8_c * x + xg::sin(n1);
        return n2;
    }
};
struct b0 : xg::region {
    static constexpr auto value(auto a0, auto a1) {
        auto n0 = xg::switch_case<b1<decltype(a1)>, b2<decltype(a1)>, b3<decltype(a0)>>(k, q, a0);
        auto n1 = a0 * n0;
        return n1;
    }
};
constexpr auto e0 = xg::map<b0>(p, q);
constexpr auto e1 = xg::jvp(e0, x, x);
constexpr auto e2 = xg::sum(xg::sin(e1));
constexpr auto e3 = s - s;
constexpr auto e4 = xg::sum(xg::sin(e3));
constexpr auto loss = e2 + e4;
constexpr auto g = of(xg::gradients(xg::ys(loss), xg::unconnected_zeros, p, q, s, x));
constexpr auto results = list_of(std::tuple_cat(std::tuple(loss, e1), g, std::tuple<>(), std::tuple(read(p, q, s, x, k))));
}
TEST_CASE("bodies, program 164") {
    using namespace p164;
    xg::variables owner{loss};
    xg::function f{results, owner};
    owner.assign(x, xg::array(fuzz::data<double>(3) + 0, 2));
    random_bodies::expect(
        f(p = xg::array(fuzz::data<double>(0) + 0, 3), q = xg::array(fuzz::data<double>(1) + 0, 3, 2), s = fuzz::data<double>(2)[0], k = 2),
        {{0.88021519948645},
            {0.0623437540758999, 0.0932137188475316, 0.183620981773839, 0.274542250836172, 0.109040426286724, 0.163032589063077},
            {-0.820889451069583, -0.799639698473127, -0.815168068785062}, {0, 0, 0, 0, 0, 0}, {0},
            {-0.850991098943822, -0.839509504454504}});
    owner.assign(x, xg::array(fuzz::data<double>(3) + 32, 2));
    random_bodies::expect(f(p = xg::array(fuzz::data<double>(0) + 32, 3), q = xg::array(fuzz::data<double>(1) + 32, 3, 2),
                              s = fuzz::data<double>(2)[32], k = -1),
        {{-0.120808734457952},
            {0.427318429021333, -0.0463182931098879, -0.404988701604689, 0.0438979087096251, -0.156403370810329, 0.0169530183595373},
            {0.346793576341427, 0.350692572646864, 0.380362452746043}, {0, 0, 0, 0, 0, 0}, {0}, {-0.254932201218594, -0.248072329056738}});
}

namespace p165 {
constexpr auto p = xg::input<"p", double, rows>;
constexpr auto q = xg::input<"q", double, rows, 2>;
constexpr auto w = xg::variable<"w", double, 2, 2>;
constexpr auto t0 = xg::input<"t0", double, rows, 2>;
constexpr auto e0 = xg::softmax(p);
constexpr auto e1 = xg::dropout<"d0">(e0, 0.4_c);
constexpr auto e2 = xg::stop_gradient(w);
template<class C0>
struct b1 : xg::region {
    static constexpr auto value(auto a0, auto, auto) {
        auto n0 = C0{} - p;
        auto n1 = xg::sin(a0 - n0);
        return n1;
    }
};
struct b0 : xg::region {
    static constexpr auto value(auto a0, auto a1, auto) {
        auto n0 = xg::layers<rows, b1<decltype(a0)>>(a0, q, a0);
        auto n1 = xg::tanh(e0) * xg::sigmoid(n0);
        return xg::carry(n1).emit(a1);
    }
};
constexpr auto e3 = xg::scan<b0>(xg::carry(e1), e2, w);
constexpr auto e4 = std::get<0>(e3);
constexpr auto e5 = xg::sum(xg::sin(e4));
constexpr auto e6 = std::get<1>(e3);
constexpr auto e7 = xg::sum(xg::sin(e6));
constexpr auto e8 = e5 + e7;
constexpr auto e9 = xg::sum(xg::sin(e2));
constexpr auto e10 = e8 + e9;
constexpr auto e11 = xg::sum(xg::sin(e1));
constexpr auto loss = e10 + e11;
constexpr auto g = of(xg::gradients(xg::ys(loss), xg::unconnected_zeros, p, q, w));
constexpr auto results = list_of(std::tuple_cat(std::tuple(loss, e6), g, of(xg::jvp(e6, q, t0)), std::tuple(read(p, q, w, t0))));
}
TEST_CASE("bodies, program 165") {
    using namespace p165;
    xg::variables owner{loss};
    xg::function f{results, owner};
    owner.assign(w, xg::array(fuzz::data<double>(2) + 0, 2, 2));
    random_bodies::expect(f(p = xg::array(fuzz::data<double>(0) + 0, 4), q = xg::array(fuzz::data<double>(1) + 0, 4, 2),
                              t0 = xg::array(fuzz::data<double>(40) + 0, 4, 2)),
        {{-0.936390289115958}, {-0.751587086357176, 0.443822296336293, -0.089376425370574, -0.497679302468896},
            {-0.0012117999443218, -0.0625048481993866, 0.295091405562144, 0.153881088862434}, {0, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 0},
            {0, 0, 0, 0}});
    owner.assign(w, xg::array(fuzz::data<double>(2) + 32, 2, 2));
    random_bodies::expect(f(p = xg::array(fuzz::data<double>(0) + 32, 4), q = xg::array(fuzz::data<double>(1) + 32, 4, 2),
                              t0 = xg::array(fuzz::data<double>(40) + 32, 4, 2)),
        {{-0.0536728104466525}, {-0.492065701633692, -0.576785224489868, 0.66197193833068, -0.024444944690913},
            {-0.0756441847645797, -0.03258884017025, 0.152565953362579, -0.0364196043236183}, {0, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 0},
            {0, 0, 0, 0}});
}

namespace p173 {
constexpr auto e = xg::input<"e", double, 3, 1>;
constexpr auto s = xg::input<"s", double>;
constexpr auto w = xg::input<"w", double, 1, 1>;
constexpr auto x = xg::variable<"x", double, 1>;
constexpr auto ids = xg::input<"ids", std::int32_t, 2>;
constexpr auto k = xg::input<"k", std::int32_t>;
constexpr auto e0 = xg::greater(xg::mean(w), 0.15_c);
constexpr auto e1 = xg::flip<0>(e);
struct b0 : xg::region {
    static constexpr auto value(auto a0, auto) {
        auto n0 = xg::gather(a0, ids);
        auto n1 = xg::mean(n0);
        auto n2 = 0.8_c * s + xg::sin(n1);
        auto n3 = xg::tanh(w) * xg::sigmoid(n2);
        return std::tuple{n2, n3};
    }
};
struct b1 : xg::region {
    static constexpr auto value(auto, auto a1) {
        auto n0 = 0.2_c * xg::cast<double>(k);
        auto n1 = xg::tanh(a1 + n0);
        auto n2 = xg::sin(w - n1);
        return std::tuple{n1, n2};
    }
};
constexpr auto e2 = xg::cond<b0, b1>(e0, e1, s);
constexpr auto e3 = std::get<0>(e2);
constexpr auto e4 = xg::sum(xg::sin(e3));
constexpr auto e5 = std::get<1>(e2);
constexpr auto e6 = xg::sum(xg::sin(e5));
constexpr auto e7 = e4 + e6;
constexpr auto e8 = xg::sum(xg::sin(e1));
constexpr auto e9 = e7 + e8;
constexpr auto e10 = x + s;
constexpr auto e11 = xg::sum(xg::sin(e10));
constexpr auto loss = e9 + e11;
constexpr auto g = of(xg::gradients(xg::ys(loss), xg::unconnected_zeros, e, s, w, x));
constexpr auto results = list_of(std::tuple_cat(std::tuple(loss, e5), g,
    of(xg::gradients(xg::ys(of_sines(g)), xg::unconnected_zeros, e, s, w, x)), std::tuple(read(e, s, w, x, ids, k))));
}
TEST_CASE("bodies, program 173") {
    using namespace p173;
    xg::variables owner{loss};
    xg::function f{results, owner};
    owner.assign(x, xg::array(fuzz::data<double>(4) + 0, 1));
    random_bodies::expect(f(e = xg::array(fuzz::data<double>(0) + 0, 3, 1), s = fuzz::data<double>(2)[0],
                              w = xg::array(fuzz::data<double>(3) + 0, 1, 1), ids = xg::array(fuzz::integers(70, 3) + 0, 2), k = 3),
        {{-1.95239433835899}, {-0.259205470639345}, {0.982219237118941, 0.849244384421759, 0.945939704269415}, {0.916355892876935},
            {0.933557878060055}, {0.862456087931316}, {0.104227751640651, 0.348770720816271, 0.189734214504744}, {0.734365213367213},
            {1.89439654743287e-05}, {0.637366612640486}});
    owner.assign(x, xg::array(fuzz::data<double>(4) + 32, 1));
    random_bodies::expect(f(e = xg::array(fuzz::data<double>(0) + 32, 3, 1), s = fuzz::data<double>(2)[32],
                              w = xg::array(fuzz::data<double>(3) + 32, 1, 1), ids = xg::array(fuzz::integers(70, 3) + 32, 2), k = 3),
        {{-0.211574335437176}, {0.201862934196707}, {1.07518762483461, 1.11753974271756, 0.935327660973741}, {1.80233077190792},
            {0.303164548939687}, {0.962353321272174}, {-0.269735310368491, 0.480005663898192, 0.209989378147517}, {0.120702571433808},
            {-0.256999610762852}, {-0.0929885539261174}});
}

namespace p183 {
constexpr auto a = xg::variable<"a", double, 3, 2>;
constexpr auto q = xg::input<"q", double, rows, 2>;
constexpr auto s = xg::variable<"s", double>;
constexpr auto x = xg::input<"x", double, 2>;
constexpr auto t0 = xg::input<"t0", double, 3, 2>;
constexpr auto e0 = xg::relu(q);
struct b0 : xg::region {
    static constexpr auto value(auto a0, auto) {
        auto n0 = xg::softmax(a0);
        auto n1 = n0 * n0;
        auto n2 = 0.8_c * n1 + xg::sin(n0);
        return n2;
    }
};
constexpr auto e1 = xg::call<b0>(e0, s);
constexpr auto e2 = xg::sum(xg::sin(e1));
constexpr auto e3 = xg::stop_gradient(s);
constexpr auto e4 = s * e3;
constexpr auto e5 = xg::sum(xg::sin(e4));
constexpr auto e6 = e2 + e5;
constexpr auto e7 = xg::uniform_like<"d0">(a);
constexpr auto e8 = xg::sum(xg::sin(e7));
constexpr auto e9 = e6 + e8;
constexpr auto e10 = xg::tanh(x);
constexpr auto e11 = -e10;
constexpr auto e12 = xg::dropout<"d1">(e11, 0.4_c);
constexpr auto e13 = xg::sum(xg::sin(e12));
constexpr auto loss = e9 + e13;
constexpr auto g = of(xg::gradients(xg::ys(loss), xg::unconnected_zeros, a, q, s, x));
constexpr auto results = list_of(std::tuple_cat(std::tuple(loss, e1), g, of(xg::jvp(e1, a, t0)), std::tuple(read(a, q, s, x, t0))));
}
TEST_CASE("bodies, program 183") {
    using namespace p183;
    xg::variables owner{loss};
    xg::function f{results, owner};
    owner.assign(a, xg::array(fuzz::data<double>(0) + 0, 3, 2));
    owner.assign(s, fuzz::data<double>(2)[0]);
    random_bodies::expect(f(q = xg::array(fuzz::data<double>(1) + 0, 2, 2), x = xg::array(fuzz::data<double>(3) + 0, 2),
                              t0 = xg::array(fuzz::data<double>(40) + 0, 3, 2)),
        {{5.1935581198549}, {0.393490718715579, 1.00254334382098, 1.01439318558842, 0.384276852959482}, {0, 0, 0, 0, 0, 0},
            {0, -0.0741814399139594, -0.0761682839191323, 0}, {-0.634828903478173}, {-1.12325489505898, 0}, {0, 0, 0, 0}});
    owner.assign(a, xg::array(fuzz::data<double>(0) + 32, 3, 2));
    owner.assign(s, fuzz::data<double>(2)[32]);
    random_bodies::expect(f(q = xg::array(fuzz::data<double>(1) + 32, 2, 2), x = xg::array(fuzz::data<double>(3) + 32, 2),
                              t0 = xg::array(fuzz::data<double>(40) + 32, 3, 2)),
        {{3.59872647613009}, {0.961780035944823, 0.425819566661101, 0.679425538604203, 0.679425538604203}, {0, 0, 0, 0, 0, 0},
            {-0.0668163646798089, 0, 0, 0}, {-0.47771204068449}, {-0.857873630874467, 0}, {0, 0, 0, 0}});
}
