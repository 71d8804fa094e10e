// SPDX-License-Identifier: MIT
// Made by programs.py from the numbers of its cases.
#include <support/programs.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using fuzz::b;
using fuzz::t;

}
namespace p1183 {
using T = double;
constexpr auto d = xg::input<"d", T, t, b>;
constexpr auto n = xg::input<"n", T, b>;
constexpr auto xb = xg::input<"xb", T, 1, 1, 4>;
constexpr auto e0 = d * 1.5_c;
constexpr auto e1 = xg::squeeze<1>(xb);
constexpr auto e2 = xg::maximum(e0, n);
constexpr auto slopes = xg::gradients(xg::ys(e2, e1), xg::unconnected_zeros, n);
constexpr auto g0 = fuzz::dense(std::get<0>(slopes));
constexpr auto h_ = fuzz::dense(std::get<0>(xg::gradients(xg::sum(g0), xg::unconnected_zeros, d)));
constexpr auto results = xg::outputs(e2, e1, g0, h_);
}
TEST_CASE("program 1183") {
    using namespace p1183;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(
            fn(d = xg::array(fuzz::data<T>(17), N, B), n = xg::array(fuzz::data<T>(11), B), xb = xg::array(fuzz::data<T>(21), 1, 1, 4)));
    };
    test::both_ways on{xg::function{results}};
    fuzz::expect(call(on, 9, 2),
        {{0.92065626313, 0.994688744657, 1.3596317817, 0.793733304832, 1.2034458057, 1.19280954916, 0.599777569529, 0.751056051813,
             1.18619826995, 0.696123032365, 0.994688744657, -0.165223245975, 0.84592668456, 1.28108987957, 0.254317395156, 0.599777569529,
             0.751056051813, 0.505168770906},
            {0.481630447321, -0.470742082689, -0.374276148621, -0.382730002515}, {1, 2, 1, 0, 0, 0, 2, 2, 1},
            {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
        1e-8);
    fuzz::expect(call(on, 4, 1),
        {{0.92065626313, 0.994688744657, 1.3596317817, 0.793733304832}, {0.481630447321, -0.470742082689, -0.374276148621, -0.382730002515},
            {0, 1, 0, 0}, {0, 0, 0, 0}},
        1e-8);
}

namespace p1202 {
using T = float;
constexpr auto k = xg::input<"k", T, t, 5>;
constexpr auto e0 = xg::log_sum_exp<0>(k);
constexpr auto e1 = e0 - e0;
constexpr auto e2 = xg::concat<0>(e1, e0);
constexpr auto slopes = xg::gradients(xg::ys(e2), xg::unconnected_zeros, k);
constexpr auto g0 = fuzz::dense(std::get<0>(slopes));
constexpr auto h_ = fuzz::dense(std::get<0>(xg::gradients(xg::sum(xg::square(g0)), xg::unconnected_zeros, k)));
constexpr auto results = xg::outputs(e2, g0, h_);
}
TEST_CASE("program 1202") {
    using namespace p1202;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(fn(k = xg::array(fuzz::data<T>(13), N, 5)));
    };
    test::both_ways on{xg::function{results}};
    fuzz::expect(call(on, 9, 2),
        {{0, 0, 0, 0, 0, 1.07724787365, 1.34178436467, 1.33459008204, 0.395133578734, 0.583039065999},
            {0.572948999819, 0.709398634356, 0.669559044293, 0.588025422747, 0.375089035101, 0.427051000181, 0.290601365644, 0.330440955707,
                0.411974577253, 0.624910964899},
            {0.0713961909009, 0.17267196659, 0.150059571413, 0.0852971715793, -0.117115147092, -0.0713961909009, -0.17267196659,
                -0.150059571413, -0.0852971715793, 0.117115147092}},
        1e-3);
    fuzz::expect(call(on, 17, 1),
        {{0, 0, 0, 0, 0, 0.520289301872, 0.998446702957, 0.933454155922, -0.13585151732, -0.397552788258}, {1, 1, 1, 1, 1},
            {0, 0, 0, 0, 0}},
        1e-3);
}

namespace p1221 {
using T = float;
constexpr auto y = xg::input<"y", T, b, 1>;
constexpr auto e0 = xg::broadcast_to<1, b, 1>(y);
constexpr auto slopes = xg::gradients(xg::ys(e0, y), xg::unconnected_zeros, y);
constexpr auto g0 = fuzz::dense(std::get<0>(slopes));
constexpr auto h_ = fuzz::dense(std::get<0>(xg::gradients(xg::sum(g0), xg::unconnected_zeros, y)));
constexpr auto results = xg::outputs(e0, y, g0, h_);
}
TEST_CASE("program 1221") {
    using namespace p1221;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(fn(y = xg::array(fuzz::data<T>(1), B, 1)));
    };
    test::both_ways on{xg::function{results}};
    auto off = fuzz::without_planner(results);
    fuzz::agree(call(on, 9, 2), call(off, 9, 2), 1e-3);
    fuzz::expect(call(on, 9, 2),
        {{-0.0183119662106, 0.763218343258, 0.792587935925, -0.792569875717, 0.970460355282, 0.826627492905, -0.475493937731,
             -0.234017789364, 0.995729923248},
            {-0.0183119662106, 0.763218343258, 0.792587935925, -0.792569875717, 0.970460355282, 0.826627492905, -0.475493937731,
                -0.234017789364, 0.995729923248},
            {2, 2, 2, 2, 2, 2, 2, 2, 2}, {0, 0, 0, 0, 0, 0, 0, 0, 0}},
        1e-3);
    fuzz::agree(call(on, 1, 3), call(off, 1, 3), 1e-3);
    fuzz::expect(call(on, 1, 3), {{-0.0183119662106}, {-0.0183119662106}, {2}, {0}}, 1e-3);
}

namespace p1232 {
using T = float;
constexpr auto g = xg::input<"g", T, 6, 5>;
constexpr auto o = xg::input<"o", T, 1>;
constexpr auto v = xg::input<"v", T, 4, 5>;
constexpr auto e0 = xg::minimum(g, o);
constexpr auto e1 = std::get<1>(xg::moments<1>(e0));
constexpr auto e2 = xg::matmul<false, true>(e0, v);
constexpr auto e3 = xg::sum<1>(e2);
constexpr auto e4 = e1 - e3;
constexpr auto results = xg::outputs(e4);
}
TEST_CASE("program 1232") {
    using namespace p1232;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(
            fn(g = xg::array(fuzz::data<T>(14), 6, 5), o = xg::array(fuzz::data<T>(15), 1), v = xg::array(fuzz::data<T>(9), 4, 5)));
    };
    test::both_ways on{xg::function{results}};
    fuzz::expect(
        call(on, 9, 2), {{-0.0432447953881, 0.985676695262, 1.38496497614, 0.404913336404, -0.0915173182011, 1.09259852888}}, 1e-3);
}

namespace p1235 {
using T = double;
constexpr auto g = xg::input<"g", T, 6, 5>;
constexpr auto w = xg::input<"w", T, 5, 4>;
constexpr auto e0 = xg::broadcast_to<5>(xg::constant<T, 2>);
constexpr auto e1 = xg::matmul<false, false>(g, w);
constexpr auto slopes = xg::gradients(xg::ys(e1, e0), xg::unconnected_zeros, g);
constexpr auto g0 = fuzz::dense(std::get<0>(slopes));
constexpr auto h_ = fuzz::dense(std::get<0>(xg::gradients(xg::sum(g0), xg::unconnected_zeros, w)));
constexpr auto results = xg::outputs(e1, e0, g0, h_);
}
TEST_CASE("program 1235") {
    using namespace p1235;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(fn(g = xg::array(fuzz::data<T>(14), 6, 5), w = xg::array(fuzz::data<T>(8), 5, 4)));
    };
    test::both_ways on{xg::function{results}};
    auto off = fuzz::without_planner(results);
    fuzz::agree(call(on, 9, 2), call(off, 9, 2), 1e-8);
    fuzz::expect(call(on, 9, 2),
        {{-0.334809572389, 0.368595764947, 0.565237911386, 0.90001260352, -0.88539405173, -0.30574141277, 0.419680576049, -1.25438402987,
             -0.860491316471, 1.09150465799, -0.820917052068, -0.0474752968648, -0.513939574528, -0.0767878022671, 0.198934842403,
             -1.32675601867, -0.237573760962, -0.783347381847, 0.52999900485, -0.73613060711, -1.00695831349, 0.211021785251,
             -0.317741411127, -0.662663919485},
            {2, 2, 2, 2, 2},
            {-1.20425090659, 1.36751462054, 0.0301096444018, -0.68086633645, 1.08117517689, -1.20425090659, 1.36751462054, 0.0301096444018,
                -0.68086633645, 1.08117517689, -1.20425090659, 1.36751462054, 0.0301096444018, -0.68086633645, 1.08117517689,
                -1.20425090659, 1.36751462054, 0.0301096444018, -0.68086633645, 1.08117517689, -1.20425090659, 1.36751462054,
                0.0301096444018, -0.68086633645, 1.08117517689, -1.20425090659, 1.36751462054, 0.0301096444018, -0.68086633645,
                1.08117517689},
            {6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6}},
        1e-8);
}

namespace p1240 {
using T = float;
constexpr auto l = xg::input<"l", std::int32_t, 4>;
constexpr auto n = xg::input<"n", T, b>;
constexpr auto v = xg::input<"v", T, 4, 5>;
constexpr auto y = xg::input<"y", T, b, 1>;
constexpr auto e0 = xg::square(n);
constexpr auto e1 = xg::reshape<b, 1>(e0);
constexpr auto e2 = xg::matmul<true, false>(e1, y);
constexpr auto e3 = xg::sparse_softmax_cross_entropy(v, l);
constexpr auto slopes = xg::gradients(xg::ys(e3, e2, e1), xg::unconnected_zeros, v);
constexpr auto g0 = fuzz::dense(std::get<0>(slopes));
constexpr auto h_ = fuzz::dense(std::get<0>(xg::gradients(xg::sum(xg::square(g0)), xg::unconnected_zeros, v)));
constexpr auto results = xg::outputs(e3, e2, e1, g0, h_);
}
TEST_CASE("program 1240") {
    using namespace p1240;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(fn(l = xg::array(fuzz::integers(102, 3), 4), n = xg::array(fuzz::data<T>(11), B),
            v = xg::array(fuzz::data<T>(9), 4, 5), y = xg::array(fuzz::data<T>(1), B, 1)));
    };
    test::both_ways on{xg::function{results}};
    fuzz::expect(call(on, 9, 2),
        {{1.52715054779, 1.14619534559, 2.69520262293, 1.75324649468}, {0.394934854526},
            {0.484587236642, 0.989405708011, 0.0272987193178, 0.541864910993, 0.0406961464066, 0.0797968706622, 0.35973314464,
                0.564085227939, 0.255195512033},
            {0.15472895986, 0.25746715479, -0.782846444745, 0.0835451074907, 0.287105222604, 0.0811012737194, -0.68215624251,
                0.223147770953, 0.291264146545, 0.0866430512926, -0.932471302475, 0.195179043047, 0.243266802524, 0.24739768583,
                0.246627771074, 0.0768437766245, 0.156579106025, -0.826789297958, 0.380612448651, 0.212753966658},
            {0.0448984041047, 0.127613833603, -0.344183232762, 0.0123485375902, 0.159322457465, 0.0242016275753, -0.390344748066,
                0.129984785411, 0.209342659196, 0.0268156758841, -0.14705146393, 0.0151627365634, 0.0422948073711, 0.0450569521734,
                0.044536967822, -7.67726933171e-05, 0.0248133389275, -0.313210888949, 0.230856015799, 0.0576183069163}},
        1e-3);
    fuzz::expect(call(on, 4, 1),
        {{1.52715054779, 1.14619534559, 2.69520262293, 1.75324649468}, {0.338429670611},
            {0.484587236642, 0.989405708011, 0.0272987193178, 0.541864910993},
            {0.15472895986, 0.25746715479, -0.782846444745, 0.0835451074907, 0.287105222604, 0.0811012737194, -0.68215624251,
                0.223147770953, 0.291264146545, 0.0866430512926, -0.932471302475, 0.195179043047, 0.243266802524, 0.24739768583,
                0.246627771074, 0.0768437766245, 0.156579106025, -0.826789297958, 0.380612448651, 0.212753966658},
            {0.0448984041047, 0.127613833603, -0.344183232762, 0.0123485375902, 0.159322457465, 0.0242016275753, -0.390344748066,
                0.129984785411, 0.209342659196, 0.0268156758841, -0.14705146393, 0.0151627365634, 0.0422948073711, 0.0450569521734,
                0.044536967822, -7.67726933171e-05, 0.0248133389275, -0.313210888949, 0.230856015799, 0.0576183069163}},
        1e-3);
}

namespace p1243 {
using T = float;
constexpr auto ib = xg::input<"ib", std::int32_t>;
constexpr auto j = xg::input<"j", std::int32_t, b, t>;
constexpr auto e0 = xg::equal(ib, j);
constexpr auto e1 = xg::cast<T>(e0);
constexpr auto results = xg::outputs(e1, e0);
}
TEST_CASE("program 1243") {
    using namespace p1243;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(fn(ib = xg::array(fuzz::integers(104, 3)), j = xg::array(fuzz::integers(101, 6), B, N)));
    };
    test::both_ways on{xg::function{results}};
    fuzz::expect(call(on, 9, 2),
        {{0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, {0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}}, 1e-3);
    fuzz::expect(
        call(on, 17, 1), {{0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, {0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}}, 1e-3);
}

namespace p1250 {
using T = float;
constexpr auto ia = xg::input<"ia", std::int32_t, t, 2>;
constexpr auto e0 = xg::one_hot<1, T>(ia);
constexpr auto e1 = xg::log(1.25_c + e0);
constexpr auto e2 = std::get<0>(xg::top_k<1>(e1));
constexpr auto results = xg::outputs(e2, ia);
}
TEST_CASE("program 1250") {
    using namespace p1250;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(fn(ia = xg::array(fuzz::integers(103, 3), N, 2)));
    };
    test::both_ways on{xg::function{results}};
    auto off = fuzz::without_planner(results);
    fuzz::agree(call(on, 9, 2), call(off, 9, 2), 1e-3);
    fuzz::expect(call(on, 9, 2), {{0.223143551314, 0.223143551314, 0.223143551314, 0.223143551314}, {1, 2, 2, 1}}, 1e-3);
    fuzz::agree(call(on, 0, 2), call(off, 0, 2), 1e-3);
    fuzz::expect(call(on, 0, 2), {{0.223143551314, 0.223143551314, 0.223143551314, 0.223143551314}, {1, 2, 2, 1}}, 1e-3);
}

namespace p1251 {
using T = double;
constexpr auto e0 = xg::broadcast_to<5>(xg::constant<T, 2>);
constexpr auto e1 = xg::slice<0, 0, 2, 2>(e0);
constexpr auto e2 = xg::log_sum_exp<0>(e1);
constexpr auto e3 = xg::softplus(e0);
constexpr auto results = xg::outputs(e3, e2);
}
TEST_CASE("program 1251") {
    using namespace p1251;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) { return fuzz::copies(fn()); };
    test::both_ways on{xg::function{results}};
    fuzz::expect(call(on, 9, 2), {{2.12692801104, 2.12692801104, 2.12692801104, 2.12692801104, 2.12692801104}, {2}}, 1e-8);
}

namespace p1275 {
using T = double;
constexpr auto c = xg::input<"c", T, 3, 1>;
constexpr auto ia = xg::input<"ia", std::int32_t, t, 2>;
constexpr auto e0 = xg::embedding_bag(c, ia);
constexpr auto slopes = xg::gradients(xg::ys(e0), xg::unconnected_zeros, c);
constexpr auto results = xg::outputs(e0, fuzz::dense(std::get<0>(slopes)));
}
TEST_CASE("program 1275") {
    using namespace p1275;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(fn(c = xg::array(fuzz::data<T>(12), 3, 1), ia = xg::array(fuzz::integers(103, 3), N, 2)));
    };
    test::both_ways on{xg::function{results}};
    fuzz::expect(call(on, 9, 2), {{0.358164827805, 0.358164827805}, {0, 2, 2}}, 1e-8);
    fuzz::expect(call(on, 1, 3), {{0.358164827805, 0.358164827805, 1.4567471128}, {0, 4, 2}}, 1e-8);
}

namespace p1297 {
using T = double;
constexpr auto c = xg::input<"c", T, 3, 1>;
constexpr auto o = xg::input<"o", T, 1>;
constexpr auto r = xg::input<"r", T, b, 3, 4>;
constexpr auto e0 = c + r;
constexpr auto e1 = e0 / (1.5_c + xg::square(o));
constexpr auto e2 = xg::sum<2>(e1);
constexpr auto slopes = xg::gradients(xg::ys(e2), xg::unconnected_zeros, o);
constexpr auto g0 = fuzz::dense(std::get<0>(slopes));
constexpr auto h_ = fuzz::dense(std::get<0>(xg::gradients(xg::sum(g0), xg::unconnected_zeros, o)));
constexpr auto results = xg::outputs(e2, g0, h_);
}
TEST_CASE("program 1297") {
    using namespace p1297;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(
            fn(c = xg::array(fuzz::data<T>(12), 3, 1), o = xg::array(fuzz::data<T>(15), 1), r = xg::array(fuzz::data<T>(6), B, 3, 4)));
    };
    test::both_ways on{xg::function{results}};
    fuzz::expect(call(on, 9, 2),
        {{-2.78058352106, 1.85437432191, -1.03614011593, -2.85944070131, 1.0721210505, -0.303401377345, -2.08441376068, 2.94414038259,
             -0.04517100631, -3.62102896712, 1.87812271489, 0.430122638002, -3.41568439418, 2.55586280041, -0.358587985478, -2.95956154724,
             2.81918463375, 0.134341775845, -2.20476058263, 1.37076124647, 0.0452358390804, -2.48367264686, 1.17103428822, -0.0689334920492,
             -0.701942903217, 1.10258195287, -2.160002202},
            {-0.211000088221}, {12.9291202778}},
        1e-8);
    fuzz::expect(call(on, 4, 1),
        {{-2.78058352106, 1.85437432191, -1.03614011593, -2.85944070131, 1.0721210505, -0.303401377345, -2.08441376068, 2.94414038259,
             -0.04517100631, -3.62102896712, 1.87812271489, 0.430122638002},
            {-0.098947002651}, {6.06301973232}},
        1e-8);
}

namespace p1315 {
using T = double;
constexpr auto o = xg::input<"o", T, 1>;
constexpr auto p = xg::input<"p", T, b, 3, 1>;
constexpr auto xa = xg::input<"xa", T, 3>;
constexpr auto e0 = o - xa;
constexpr auto e1 = (e0 <= p);
constexpr auto e2 = xg::select(e1, e0, e0);
constexpr auto e3 = xg::slice<2, 0, 3, 2>(e2);
constexpr auto slopes = xg::gradients(xg::ys(e3), xg::unconnected_zeros, xa, o);
constexpr auto g0 = fuzz::dense(std::get<0>(slopes));
constexpr auto g1 = fuzz::dense(std::get<1>(slopes));
constexpr auto h_ = fuzz::dense(std::get<0>(xg::gradients(xg::sum(g0) + xg::sum(g1), xg::unconnected_zeros, xa)));
constexpr auto results = xg::outputs(e3, g0, g1, h_);
}
TEST_CASE("program 1315") {
    using namespace p1315;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(
            fn(o = xg::array(fuzz::data<T>(15), 1), p = xg::array(fuzz::data<T>(5), B, 3, 1), xa = xg::array(fuzz::data<T>(20), 3)));
    };
    test::both_ways on{xg::function{results}};
    auto off = fuzz::without_planner(results);
    fuzz::agree(call(on, 9, 2), call(off, 9, 2), 1e-8);
    fuzz::expect(call(on, 9, 2),
        {{0.623524257448, 0.40295200469, 0.623524257448, 0.40295200469, 0.623524257448, 0.40295200469, 0.623524257448, 0.40295200469,
             0.623524257448, 0.40295200469, 0.623524257448, 0.40295200469, 0.623524257448, 0.40295200469, 0.623524257448, 0.40295200469,
             0.623524257448, 0.40295200469, 0.623524257448, 0.40295200469, 0.623524257448, 0.40295200469, 0.623524257448, 0.40295200469,
             0.623524257448, 0.40295200469, 0.623524257448, 0.40295200469, 0.623524257448, 0.40295200469, 0.623524257448, 0.40295200469,
             0.623524257448, 0.40295200469, 0.623524257448, 0.40295200469, 0.623524257448, 0.40295200469, 0.623524257448, 0.40295200469,
             0.623524257448, 0.40295200469, 0.623524257448, 0.40295200469, 0.623524257448, 0.40295200469, 0.623524257448, 0.40295200469,
             0.623524257448, 0.40295200469, 0.623524257448, 0.40295200469, 0.623524257448, 0.40295200469},
            {-27, 0, -27}, {54}, {0, 0, 0}},
        1e-8);
    fuzz::agree(call(on, 3, 3), call(off, 3, 3), 1e-8);
    fuzz::expect(call(on, 3, 3),
        {{0.623524257448, 0.40295200469, 0.623524257448, 0.40295200469, 0.623524257448, 0.40295200469, 0.623524257448, 0.40295200469,
             0.623524257448, 0.40295200469, 0.623524257448, 0.40295200469, 0.623524257448, 0.40295200469, 0.623524257448, 0.40295200469,
             0.623524257448, 0.40295200469},
            {-9, 0, -9}, {18}, {0, 0, 0}},
        1e-8);
}

namespace p1339 {
using T = double;
constexpr auto h = xg::input<"h", T, 2, 1, 3>;
constexpr auto xa = xg::input<"xa", T, 3>;
constexpr auto e0 = xg::broadcast_to<1, 3>(xg::constant<T, 2>);
struct body_1 : xg::region {
    static constexpr auto value(auto h, auto row) {
        auto const next = xg::tanh(h * xa + row);
        return xg::carry(next).emit(xg::softmax<0>(next));
    }
};
constexpr auto e1 = std::get<0>(xg::scan<body_1>(xg::carry(e0), h));
constexpr auto slopes = xg::gradients(xg::ys(e1), xg::unconnected_zeros, xa);
constexpr auto results = xg::outputs(e1, fuzz::dense(std::get<0>(slopes)));
}
TEST_CASE("program 1339") {
    using namespace p1339;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(fn(h = xg::array(fuzz::data<T>(19), 2, 1, 3), xa = xg::array(fuzz::data<T>(20), 3)));
    };
    test::both_ways on{xg::function{results}};
    fuzz::expect(
        call(on, 9, 2), {{0.84521964888, 0.248427757989, -0.456897128231}, {-0.309259678993, -0.981372598135, -0.829717370357}}, 1e-8);
}

namespace p1353 {
using T = double;
constexpr auto ia = xg::input<"ia", std::int32_t, t, 2>;
constexpr auto ib = xg::input<"ib", std::int32_t>;
constexpr auto xe = xg::input<"xe", T, t, 3>;
constexpr auto e0 = xg::square(xe);
constexpr auto e1 = ib * ia;
constexpr auto e2 = xg::transpose<1, 0>(e0);
constexpr auto slopes = xg::gradients(xg::ys(e2), xg::unconnected_zeros, xe);
constexpr auto results = xg::outputs(e2, e1, fuzz::dense(std::get<0>(slopes)));
}
TEST_CASE("program 1353") {
    using namespace p1353;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(fn(
            ia = xg::array(fuzz::integers(103, 3), N, 2), ib = xg::array(fuzz::integers(104, 3)), xe = xg::array(fuzz::data<T>(24), N, 3)));
    };
    test::both_ways on{xg::function{results}};
    auto off = fuzz::without_planner(results);
    fuzz::agree(call(on, 9, 2), call(off, 9, 2), 1e-8);
    fuzz::expect(call(on, 9, 2),
        {{0.940711313949, 0.0739948738312, 0.0128160619314, 0.613899221722, 0.196762443634, 0.502430450771}, {2, 4, 4, 2},
            {1.93980546854, 0.226416094229, -0.887158257887, 0.544039975852, -1.56703442428, -1.41764657199}},
        1e-8);
    fuzz::agree(call(on, 4, 1), call(off, 4, 1), 1e-8);
    fuzz::expect(call(on, 4, 1),
        {{0.940711313949, 0.0128160619314, 0.196762443634}, {2, 4}, {1.93980546854, 0.226416094229, -0.887158257887}}, 1e-8);
}

namespace p1373 {
using T = double;
constexpr auto xb = xg::input<"xb", T, 1, 1, 4>;
constexpr auto xd = xg::input<"xd", T, 2, 3, 2>;
constexpr auto e0 = xg::tanh(xd);
constexpr auto e1 = xg::tanh(e0);
constexpr auto e2 = xg::softmax<1>(e0);
constexpr auto e3 = -xb;
constexpr auto slopes = xg::gradients(xg::ys(e3, e1, e2), xg::unconnected_zeros, xb, xd);
constexpr auto g0 = fuzz::dense(std::get<0>(slopes));
constexpr auto g1 = fuzz::dense(std::get<1>(slopes));
constexpr auto h_ = fuzz::dense(std::get<0>(xg::gradients(xg::sum(g0) + xg::sum(g1), xg::unconnected_zeros, xb)));
constexpr auto results = xg::outputs(e3, e1, e2, g0, g1, h_);
}
TEST_CASE("program 1373") {
    using namespace p1373;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(fn(xb = xg::array(fuzz::data<T>(21), 1, 1, 4), xd = xg::array(fuzz::data<T>(23), 2, 3, 2)));
    };
    test::both_ways on{xg::function{results}};
    fuzz::expect(call(on, 9, 2),
        {{-0.481630447321, 0.470742082689, 0.374276148621, 0.382730002515},
            {-0.118851988327, 0.13824909401, 0.613633999834, -0.347214579134, -0.483630967472, -0.220041579996, 0.0239147900215,
                -0.413643555853, 0.459481808618, 0.0346434149515, 0.348257086975, -0.604304368437},
            {0.252039759465, 0.434523412297, 0.580408828429, 0.263179607742, 0.167551412105, 0.302296979961, 0.249458874417, 0.295981523889,
                0.400225819049, 0.475778898808, 0.350315306534, 0.228239577302},
            {-1, -1, -1, -1},
            {0.971815364592, 0.961897241057, 0.304969531412, 0.764022546418, 0.552756470574, 0.903963029809, 0.998856274695, 0.66842494059,
                0.594287929635, 0.997600148003, 0.762636397466, 0.323845048623},
            {0, 0, 0, 0}},
        1e-8);
}

namespace p1669 {
using T = double;
constexpr auto w = xg::input<"w", T, 5, 4>;
constexpr auto e0 = xg::transpose<1, 0>(w);
constexpr auto e1 = xg::sigmoid_cross_entropy(e0, e0);
constexpr auto e2 = xg::minimum(e0, e0);
constexpr auto slopes = xg::gradients(xg::ys(e2, e1), xg::unconnected_zeros, w);
constexpr auto g0 = fuzz::dense(std::get<0>(slopes));
constexpr auto h_ = fuzz::dense(std::get<0>(xg::gradients(xg::sum(xg::square(g0)), xg::unconnected_zeros, w)));
constexpr auto results = xg::outputs(e2, e1, g0, h_);
}
TEST_CASE("program 1669") {
    using namespace p1669;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(fn(w = xg::array(fuzz::data<T>(8), 5, 4)));
    };
    test::both_ways on{xg::function{results}};
    auto off = fuzz::without_planner(results);
    fuzz::agree(call(on, 9, 2), call(off, 9, 2), 1e-8);
    fuzz::expect(call(on, 9, 2),
        {{-0.594778547063, 0.766719123349, -0.706113926601, 0.826849337202, 0.0996547546238, 0.510691305157, -0.619302557781,
             0.163301202934, -0.558743814006, 0.803881853353, -0.458543809596, 0.360341085121, 0.651744834147, -0.0758039471693,
             -0.0404454660602, -0.661619855091, 0.859756969847, -0.0788224660791, -0.873167912476, 0.218084034976},
            {0.0855797396757, 0.56039845741, -0.0974353630805, 0.50602303589, 0.73428435818, 0.719939696832, 0.0471550936253,
                0.751460212204, 0.140107643461, 0.527554622437, 0.279668568745, 0.759615678413, 0.646430724122, 0.65021707646,
                0.671493077335, -0.0216557908927, 0.473528405705, 0.648299388042, -0.413438246207, 0.760561888418},
            {2.54509628055, 0.603585908234, 2.30441894869, 2.66361553768, 0.149372500585, 2.58854520595, 0.868440828398, -0.0169040638136,
                2.74268594146, 1.21413241117, 0.353913880978, 1.63794951186, 0.0419896524984, 2.48132579472, 1.63266597708, 3.04093137809,
                1.32558358156, 0.0830405275479, 1.57078094376, 1.11813787373},
            {-9.01406383716, -2.13140323877, -8.12397196556, -9.45839157149, -0.532787741074, -9.17648582091, -3.05333879214,
                0.0605520727419, -9.75707484689, -4.25349272038, -1.25623563722, -5.73409404411, -0.150179680639, -8.77664806455,
                -5.71550250856, -10.8998596145, -4.64118537355, -0.296688235795, -5.49805440805, -3.92007763829}},
        1e-8);
}

namespace p1671 {
using T = float;
constexpr auto l = xg::input<"l", std::int32_t, 4>;
constexpr auto xf = xg::variable<"xf", T, 3, 3>;
constexpr auto e0 = xg::slice<1, 1, 3, 3>(xf);
constexpr auto e1 = xg::reshape<3>(e0);
constexpr auto e2 = xg::embedding_bag(e1, l);
constexpr auto e3 = xg::sign(e2);
}
TEST_CASE("program 1671") {
    using namespace p1671;
    auto const call = [](auto& train, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        train.assign(xf, xg::array(fuzz::data<T>(25), 3, 3));
        std::vector<std::vector<double>> all;
        all.push_back(fuzz::flat(train(l = xg::array(fuzz::integers(102, 3), 4))));
        all.push_back(fuzz::flat(train(l = xg::array(fuzz::integers(102, 3), 4))));
        all.push_back(fuzz::flat(train.value(xf)));
        return all;
    };
    auto on = xg::minimize(e3, xg::gradient_descent{.learning_rate = 0.5});
    auto off = xg::minimize<xg::gating::graph, false>(e3, xg::gradient_descent{.learning_rate = 0.5});
    fuzz::agree(call(on, 9, 2), call(off, 9, 2), 1e-3);
    fuzz::expect(call(on, 9, 2),
        {{1}, {1},
            {0.213330417871, 0.632023632526, -0.0955120325089, 0.231956392527, -0.624967873096, 0.242243796587, 0.111192256212,
                0.696905910969, 0.72514051199}},
        1e-3);
}
