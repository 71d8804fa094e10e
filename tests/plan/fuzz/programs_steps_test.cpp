// SPDX-License-Identifier: MIT
// Made by programs.py from the numbers of its cases.
#include <support/programs.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using fuzz::b;
using fuzz::t;

}
namespace p1000012 {
using T = double;
constexpr auto v = xg::input<"v", T, 4, 5>;
constexpr auto we = xg::variable<"we", T, 5, 1>;
constexpr auto e0 = xg::matmul<true, true>(we, v);
constexpr auto e1 = xg::sin(e0);
constexpr auto e2 = e1 * 1.5_c;
constexpr auto e3 = xg::sum<0, 1>(e2);
}
TEST_CASE("program 1000012") {
    using namespace p1000012;
    auto const call = [](auto& train, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        train.assign(we, xg::array(fuzz::data<T>(44), 5, 1));
        std::vector<std::vector<double>> all;
        all.push_back(fuzz::flat(train(v = xg::array(fuzz::data<T>(9), 4, 5))));
        all.push_back(fuzz::flat(train(v = xg::array(fuzz::data<T>(9), 4, 5))));
        all.push_back(fuzz::flat(train.value(we)));
        return all;
    };
    auto on = xg::minimize(e3, xg::gradient_descent{.learning_rate = 0.5});
    auto off = xg::minimize<xg::gating::graph, false>(e3, xg::gradient_descent{.learning_rate = 0.5});
    fuzz::agree(call(on, 9, 2), call(off, 9, 2), 1e-8);
    fuzz::expect(call(on, 9, 2),
        {{-3.60441815672}, {-4.56620400714}, {1.4767636549, -0.356002090973, -0.090360403557, 0.570009608119, -0.363957552959}}, 1e-8);
}

namespace p1000014 {
using T = float;
constexpr auto g = xg::variable<"g", T, 6, 5>;
constexpr auto z = xg::input<"z", T, 5>;
constexpr auto e0 = g + z;
constexpr auto e1 = xg::square(e0);
constexpr auto e2 = xg::expand_dims<2>(e1);
constexpr auto e3 = xg::transpose<2, 0, 1>(e2);
constexpr auto e4 = xg::mean<0, 1, 2>(e3);
}
TEST_CASE("program 1000014") {
    using namespace p1000014;
    auto const call = [](auto& train, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        train.assign(g, xg::array(fuzz::data<T>(14), 6, 5));
        std::vector<std::vector<double>> all;
        all.push_back(fuzz::flat(train(z = xg::array(fuzz::data<T>(2), 5))));
        all.push_back(fuzz::flat(train(z = xg::array(fuzz::data<T>(2), 5))));
        all.push_back(fuzz::flat(train.value(g)));
        return all;
    };
    auto on = xg::minimize(e4, xg::gradient_descent{.learning_rate = 0.5});
    fuzz::expect(call(on, 9, 2),
        {{0.428311026381}, {0.400232859096},
            {-0.169535019928, 0.263624472155, 0.471152019393, -0.4232196687, 0.399327828586, -0.0699004745483, -0.752098019818,
                0.933377782429, 0.493725319008, -0.686898165478, 0.977954612242, -0.148526585599, -0.514943946741, -0.633489825527,
                0.24731857477, 0.503993777202, -0.277011850112, 0.813548981274, 0.728610420691, -0.231741104888, -0.283772069911,
                -0.343354351454, 0.714210410971, 0.511542055011, -0.73440834754, 0.5274027935, -0.479504947133, 0.0698307448046,
                -0.217738638123, -0.574743996925}},
        1e-3);
}

namespace p1000050 {
using T = float;
constexpr auto l = xg::input<"l", std::int32_t, 4>;
constexpr auto wd = xg::variable<"wd", T, 4>;
constexpr auto y = xg::input<"y", T, b, 1>;
constexpr auto e0 = (l > 1_c);
constexpr auto e1 = xg::logical_not(e0);
constexpr auto e2 = xg::select(e1, wd, y);
constexpr auto e3 = xg::sum<0, 1>(e2);
}
TEST_CASE("program 1000050") {
    using namespace p1000050;
    auto const call = [](auto& train, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        train.assign(wd, xg::array(fuzz::data<T>(43), 4));
        std::vector<std::vector<double>> all;
        all.push_back(fuzz::flat(train(l = xg::array(fuzz::integers(102, 3), 4), y = xg::array(fuzz::data<T>(1), B, 1))));
        all.push_back(fuzz::flat(train(l = xg::array(fuzz::integers(102, 3), 4), y = xg::array(fuzz::data<T>(1), B, 1))));
        all.push_back(fuzz::flat(train.value(wd)));
        return all;
    };
    auto on = xg::minimize(e3, xg::gradient_descent{.learning_rate = 0.5});
    fuzz::expect(
        call(on, 9, 2), {{1.99075268954}, {-79.0092473105}, {-0.753196895123, -9.36517006159, -9.04213085771, -0.904458701611}}, 1e-3);
    fuzz::expect(
        call(on, 4, 1), {{-0.139354802668}, {-16.1393548027}, {-0.753196895123, -4.36517006159, -4.04213085771, -0.904458701611}}, 1e-3);
}

namespace p1000052 {
using T = double;
constexpr auto g = xg::input<"g", T, 6, 5>;
constexpr auto s = xg::variable<"s", T>;
constexpr auto wa = xg::input<"wa", T, 5, 4>;
constexpr auto e0 = xg::matmul<true, true>(wa, g);
constexpr auto e1 = xg::maximum(s, e0);
constexpr auto e2 = xg::max<0, 1>(e1, xg::keep_dims);
constexpr auto e3 = xg::tanh(e2);
constexpr auto e4 = xg::mean<0, 1>(e3);
}
TEST_CASE("program 1000052") {
    using namespace p1000052;
    auto const call = [](auto& train, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        train.assign(s, xg::array(fuzz::data<T>(3)));
        std::vector<std::vector<double>> all;
        all.push_back(fuzz::flat(train(g = xg::array(fuzz::data<T>(14), 6, 5), wa = xg::array(fuzz::data<T>(40), 5, 4))));
        all.push_back(fuzz::flat(train(g = xg::array(fuzz::data<T>(14), 6, 5), wa = xg::array(fuzz::data<T>(40), 5, 4))));
        all.push_back(fuzz::flat(train.value(s)));
        return all;
    };
    auto on = xg::minimize(e4, xg::gradient_descent{.learning_rate = 0.5});
    fuzz::expect(call(on, 9, 2), {{0.726934899473}, {0.726934899473}, {-0.412636037916}}, 1e-8);
}

namespace p1000073 {
using T = double;
constexpr auto v = xg::input<"v", T, 4, 5>;
constexpr auto wb = xg::variable<"wb", T, 4, 5>;
constexpr auto e0 = v - wb;
constexpr auto e1 = xg::reshape<20, 1>(e0);
constexpr auto e2 = xg::concat<0>(e1, e1, e1);
constexpr auto e3 = xg::broadcast_to<60, 2>(e2);
constexpr auto e4 = xg::mean<0, 1>(e3);
}
TEST_CASE("program 1000073") {
    using namespace p1000073;
    auto const call = [](auto& train, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        train.assign(wb, xg::array(fuzz::data<T>(41), 4, 5));
        std::vector<std::vector<double>> all;
        all.push_back(fuzz::flat(train(v = xg::array(fuzz::data<T>(9), 4, 5))));
        all.push_back(fuzz::flat(train(v = xg::array(fuzz::data<T>(9), 4, 5))));
        all.push_back(fuzz::flat(train.value(wb)));
        return all;
    };
    auto on = xg::minimize(e4, xg::gradient_descent{.learning_rate = 0.5});
    auto off = xg::minimize<xg::gating::graph, false>(e4, xg::gradient_descent{.learning_rate = 0.5});
    fuzz::agree(call(on, 9, 2), call(off, 9, 2), 1e-8);
    fuzz::expect(call(on, 9, 2),
        {{-0.0541939498857}, {-0.0791939498857},
            {0.618645880558, -0.229664881993, 0.149674774799, 0.108156283107, 0.972431261279, 0.211479623523, -0.497595471609,
                0.101331997849, -0.799603827577, -0.319991924614, 0.51984176198, -0.358397778869, 0.490465353429, 0.695500458311,
                -0.573369681183, 0.748595663067, 0.223118405975, 0.564932567719, 0.376737581752, -0.106631655525}},
        1e-8);
}

namespace p1000081 {
using T = double;
constexpr auto l = xg::input<"l", std::int32_t, 4>;
constexpr auto s = xg::variable<"s", T>;
constexpr auto wa = xg::variable<"wa", T, 5, 4>;
constexpr auto e0 = wa * s;
constexpr auto e1 = xg::matmul<true, false>(e0, e0);
constexpr auto e2 = xg::sparse_softmax_cross_entropy(e1, l);
constexpr auto e3 = xg::expand_dims<0>(e2);
constexpr auto e4 = xg::sum<0, 1>(e3);
}
TEST_CASE("program 1000081") {
    using namespace p1000081;
    auto const call = [](auto& train, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        train.assign(s, xg::array(fuzz::data<T>(3)));
        train.assign(wa, xg::array(fuzz::data<T>(40), 5, 4));
        std::vector<std::vector<double>> all;
        all.push_back(fuzz::flat(train(l = xg::array(fuzz::integers(102, 3), 4))));
        all.push_back(fuzz::flat(train(l = xg::array(fuzz::integers(102, 3), 4))));
        all.push_back(fuzz::flat(train.value(s)));
        all.push_back(fuzz::flat(train.value(wa)));
        return all;
    };
    auto on = xg::minimize(e4, xg::gradient_descent{.learning_rate = 0.5});
    auto off = xg::minimize<xg::gating::graph, false>(e4, xg::gradient_descent{.learning_rate = 0.5});
    fuzz::agree(call(on, 9, 2), call(off, 9, 2), 1e-8);
    fuzz::expect(call(on, 9, 2),
        {{5.44303199728}, {5.09993329984}, {-1.0874924909},
            {-0.600495545033, 0.675804539531, -0.668054565888, 0.172570334156, -0.724020634347, 0.672721469627, -0.0642370493032,
                0.49232329389, 0.204178434435, 0.907169727119, -0.49179242151, -0.280903422969, 0.101600549874, -1.250744567,
                0.789325688228, 0.0678755344429, 0.565682448468, -1.16229272412, -0.214616407672, -0.579734749007}},
        1e-8);
}

namespace p1000090 {
using T = float;
constexpr auto v = xg::variable<"v", T, 4, 5>;
constexpr auto w = xg::variable<"w", T, 5, 4>;
constexpr auto wa = xg::variable<"wa", T, 5, 4>;
constexpr auto wb = xg::variable<"wb", T, 4, 5>;
constexpr auto x = xg::input<"x", T, b, 5>;
constexpr auto e0 = w + wa;
constexpr auto e1 = xg::matmul<true, true>(e0, x);
constexpr auto e2 = v - wb;
constexpr auto e3 = xg::sum<0, 1>(e1);
constexpr auto e4 = xg::sum<0, 1>(e2);
constexpr auto e5 = e3 + e4;
}
TEST_CASE("program 1000090") {
    using namespace p1000090;
    auto const call = [](auto& train, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        train.assign(v, xg::array(fuzz::data<T>(9), 4, 5));
        train.assign(w, xg::array(fuzz::data<T>(8), 5, 4));
        train.assign(wa, xg::array(fuzz::data<T>(40), 5, 4));
        train.assign(wb, xg::array(fuzz::data<T>(41), 4, 5));
        std::vector<std::vector<double>> all;
        all.push_back(fuzz::flat(train(x = xg::array(fuzz::data<T>(0), B, 5))));
        all.push_back(fuzz::flat(train(x = xg::array(fuzz::data<T>(0), B, 5))));
        all.push_back(fuzz::flat(train.value(v)));
        all.push_back(fuzz::flat(train.value(w)));
        all.push_back(fuzz::flat(train.value(wa)));
        all.push_back(fuzz::flat(train.value(wb)));
        return all;
    };
    auto on = xg::minimize(e5, xg::gradient_descent{.learning_rate = 0.5});
    auto off = xg::minimize<xg::gating::graph, false>(e5, xg::gradient_descent{.learning_rate = 0.5});
    fuzz::agree(call(on, 9, 2), call(off, 9, 2), 1e-3);
    fuzz::expect(call(on, 9, 2),
        {{0.796585030144}, {-116.149686474},
            {-1.30058658123, -0.791369363666, -0.961656790227, -1.91687482595, -0.682412743568, -1.94341355562, -0.577552288771,
                -0.931278020144, -0.664881646633, -1.87731540203, -1.4741461277, -0.412781476974, -0.192539989948, -0.175701677799,
                -0.178818583488, -1.84995675087, -1.13816988468, -1.03722245246, -0.249949574471, -0.831594824791},
            {-0.538212329149, 0.567257493734, -0.401977598667, -0.605053633451, 2.0976579655, 0.711636291817, 1.69127993472, 2.1906958092,
                -1.45235247025, -0.582937336061, -0.0944936932065, -0.825060999487, 4.90652178973, 3.52092861384, 4.00386849791,
                3.2065045163, -2.1941130273, -1.48988595977, -2.33421324939, -2.07568374649},
            {-0.362182080746, 0.557722836733, -0.539351731539, 0.336101979017, 0.56582091935, 1.87727461942, 1.48967440613, 1.87134973891,
                -0.276499545667, -0.039318150375, -1.36139792809, -0.878416842315, 3.82286056131, 3.10394214839, 4.96321051568,
                3.93275230378, -1.66227916256, -3.27052393928, -2.74573597685, -2.96364120021},
            {1.56864589453, 0.720335125923, 1.0996747762, 1.05815628171, 1.92243129015, 1.16147962213, 0.452404499054, 1.05133199692,
                0.150396168232, 0.630008071661, 1.46984174848, 0.59160220623, 1.44046536088, 1.64550048113, 0.376630306244, 1.69859564304,
                1.17311841249, 1.51493257284, 1.32673758268, 0.84336835146}},
        1e-3);
    fuzz::agree(call(on, 17, 1), call(off, 17, 1), 1e-3);
    fuzz::expect(call(on, 17, 1),
        {{5.95705229988}, {-143.365253942},
            {-1.30058658123, -0.791369363666, -0.961656790227, -1.91687482595, -0.682412743568, -1.94341355562, -0.577552288771,
                -0.931278020144, -0.664881646633, -1.87731540203, -1.4741461277, -0.412781476974, -0.192539989948, -0.175701677799,
                -0.178818583488, -1.84995675087, -1.13816988468, -1.03722245246, -0.249949574471, -0.831594824791},
            {-0.168982893229, 0.936486929655, -0.0327481627464, -0.235824197531, -0.0703699868172, -1.4563916605, -0.476748017594,
                0.022667856887, -0.483068256173, 0.386346878018, 0.874790520873, 0.144223214593, 5.86597295851, 4.48037978262,
                4.96331966668, 4.16595568508, -2.35106764361, -1.64684057608, -2.49116786569, -2.2326383628},
            {0.00704735517502, 0.926952272654, -0.170122295618, 0.705331414938, -1.60220703296, -0.290753332898, -0.678353546187,
                -0.296678213403, 0.692784668412, 0.929966063704, -0.392113714013, 0.090867371764, 4.78231173009, 4.06339331716,
                5.92266168445, 4.89220347255, -1.81923377886, -3.42747855559, -2.90269059315, -3.12059581652},
            {1.56864589453, 0.720335125923, 1.0996747762, 1.05815628171, 1.92243129015, 1.16147962213, 0.452404499054, 1.05133199692,
                0.150396168232, 0.630008071661, 1.46984174848, 0.59160220623, 1.44046536088, 1.64550048113, 0.376630306244, 1.69859564304,
                1.17311841249, 1.51493257284, 1.32673758268, 0.84336835146}},
        1e-3);
}

namespace p1000150 {
using T = float;
constexpr auto we = xg::variable<"we", T, 5, 1>;
constexpr auto e0 = xg::slice<0, 2, 4, 2>(we);
constexpr auto e1 = xg::abs(e0);
constexpr auto e2 = xg::mean<0, 1>(e1);
}
TEST_CASE("program 1000150") {
    using namespace p1000150;
    auto const call = [](auto& train, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        train.assign(we, xg::array(fuzz::data<T>(44), 5, 1));
        std::vector<std::vector<double>> all;
        all.push_back(fuzz::flat(train()));
        all.push_back(fuzz::flat(train()));
        all.push_back(fuzz::flat(train.value(we)));
        return all;
    };
    auto on = xg::minimize(e2, xg::gradient_descent{.learning_rate = 0.5});
    auto off = xg::minimize<xg::gating::graph, false>(e2, xg::gradient_descent{.learning_rate = 0.5});
    fuzz::agree(call(on, 9, 2), call(off, 9, 2), 1e-3);
    fuzz::expect(call(on, 9, 2),
        {{0.0602915026248}, {0.439708497375}, {0.93854624033, 0.0241485908628, -0.0602915026248, -0.787799596786, -0.17941686511}}, 1e-3);
}

namespace p1000163 {
using T = float;
constexpr auto g = xg::variable<"g", T, 6, 5>;
constexpr auto i = xg::input<"i", std::int32_t, b>;
constexpr auto e0 = xg::gather(g, i);
constexpr auto e1 = xg::minimum(e0, e0);
constexpr auto e2 = xg::mean<0, 1>(e1);
}
TEST_CASE("program 1000163") {
    using namespace p1000163;
    auto const call = [](auto& train, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        train.assign(g, xg::array(fuzz::data<T>(14), 6, 5));
        std::vector<std::vector<double>> all;
        all.push_back(fuzz::flat(train(i = xg::array(fuzz::integers(100, 6), B))));
        all.push_back(fuzz::flat(train(i = xg::array(fuzz::integers(100, 6), B))));
        all.push_back(fuzz::flat(train.value(g)));
        return all;
    };
    auto on = xg::minimize(e2, xg::gradient_descent{.learning_rate = 0.5});
    auto off = xg::minimize<xg::gating::graph, false>(e2, xg::gradient_descent{.learning_rate = 0.5});
    fuzz::agree(call(on, 9, 2), call(off, 9, 2), 1e-3);
    fuzz::expect(call(on, 9, 2),
        {{0.0483076989651}, {0.0248509088416},
            {-0.300822619597, 0.246588434776, 0.431268658241, -0.554491613309, 0.341719534, -0.171976032522, -0.818169417646,
                0.948143896792, 0.449003485176, -0.798487963941, 0.949390885565, -0.172254684236, -0.601784231928, -0.757290962007,
                0.20126835737, 0.464401750432, -0.287531556023, 0.842130778895, 0.722589074241, -0.289177329673, -0.378629477157,
                -0.358528287543, 0.735823153125, 0.490292368995, -0.82710898055, 0.511675238609, -0.482008248568, 0.0684595257044,
                -0.267928481102, -0.634021222591}},
        1e-3);
    fuzz::agree(call(on, 2, 0), call(off, 2, 0), 1e-3);
    fuzz::expect(call(on, 2, 0),
        {{0.206111955643}, {0.156111955643},
            {-0.33415595293, 0.213255101442, 0.397935324907, -0.587824946642, 0.308386200666, -0.127531588078, -0.773724973202,
                0.992588341236, 0.493447929621, -0.754043519497, 0.993835330009, -0.127810239792, -0.557339787483, -0.712846517563,
                0.245712801814, 0.386623972654, -0.365309333801, 0.764353001118, 0.644811296463, -0.36695510745, -0.356407254934,
                -0.336306065321, 0.758045375347, 0.512514591217, -0.804886758327, 0.511675238609, -0.482008248568, 0.0684595257044,
                -0.267928481102, -0.634021222591}},
        1e-3);
}

namespace p1000193 {
using T = double;
constexpr auto l = xg::input<"l", std::int32_t, 4>;
constexpr auto v = xg::variable<"v", T, 4, 5>;
constexpr auto z = xg::input<"z", T, 5>;
constexpr auto e0 = xg::gather(v, l);
constexpr auto e1 = xg::max<0, 1>(e0);
constexpr auto e2 = z * e0;
constexpr auto e3 = xg::mean<0, 1>(e2);
constexpr auto e4 = e1 + e3;
}
TEST_CASE("program 1000193") {
    using namespace p1000193;
    auto const call = [](auto& train, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        train.assign(v, xg::array(fuzz::data<T>(9), 4, 5));
        std::vector<std::vector<double>> all;
        all.push_back(fuzz::flat(train(l = xg::array(fuzz::integers(102, 3), 4), z = xg::array(fuzz::data<T>(2), 5))));
        all.push_back(fuzz::flat(train(l = xg::array(fuzz::integers(102, 3), 4), z = xg::array(fuzz::data<T>(2), 5))));
        all.push_back(fuzz::flat(train.value(v)));
        return all;
    };
    auto on = xg::minimize(e4, xg::gradient_descent{.learning_rate = 0.5});
    fuzz::expect(call(on, 9, 2),
        {{0.897880392592}, {0.924978714992},
            {-0.263007220393, 0.186439525243, 0.0428120324388, -0.891990875266, 0.331097630318, -0.905834222259, 0.40025659129,
                0.0731908001937, 0.36000231849, -0.863805039786, -0.398987410683, 0.542836296186, 0.816397665162, 0.374066256173,
                0.348202163354, -0.849956731778, -0.138169888407, -0.0372224538587, 0.750050409697, 0.168405180797}},
        1e-8);
}

namespace p1000239 {
using T = float;
constexpr auto c = xg::variable<"c", T, 3, 1>;
constexpr auto l = xg::input<"l", std::int32_t, 4>;
constexpr auto xa = xg::variable<"xa", T, 3>;
constexpr auto e0 = c + xa;
constexpr auto e1 = std::get<1>(xg::moments<0, 1>(e0));
constexpr auto e2 = xg::embedding_bag(e0, l);
constexpr auto e3 = xg::sum<0>(e2);
constexpr auto e4 = e1 + e3;
}
TEST_CASE("program 1000239") {
    using namespace p1000239;
    auto const call = [](auto& train, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        train.assign(c, xg::array(fuzz::data<T>(12), 3, 1));
        train.assign(xa, xg::array(fuzz::data<T>(20), 3));
        std::vector<std::vector<double>> all;
        all.push_back(fuzz::flat(train(l = xg::array(fuzz::integers(102, 3), 4))));
        all.push_back(fuzz::flat(train(l = xg::array(fuzz::integers(102, 3), 4))));
        all.push_back(fuzz::flat(train.value(c)));
        all.push_back(fuzz::flat(train.value(xa)));
        return all;
    };
    auto on = xg::minimize(e4, xg::gradient_descent{.learning_rate = 0.5});
    fuzz::expect(call(on, 9, 2),
        {{-9.33274337208}, {-59.8091128648}, {-3.68935253444, -2.94985731001, -5.93811609568},
            {-4.60756000435, -4.62813828278, -4.50952788746}},
        1e-3);
}

namespace p1000272 {
using T = double;
constexpr auto w = xg::variable<"w", T, 5, 4>;
constexpr auto we = xg::input<"we", T, 5, 1>;
constexpr auto e0 = (we > 0.25_c);
constexpr auto e1 = xg::cast<T>(e0);
constexpr auto e2 = e1 / (1.5_c + xg::square(w));
constexpr auto e3 = xg::mean<0, 1>(e2);
}
TEST_CASE("program 1000272") {
    using namespace p1000272;
    auto const call = [](auto& train, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        train.assign(w, xg::array(fuzz::data<T>(8), 5, 4));
        std::vector<std::vector<double>> all;
        all.push_back(fuzz::flat(train(we = xg::array(fuzz::data<T>(44), 5, 1))));
        all.push_back(fuzz::flat(train(we = xg::array(fuzz::data<T>(44), 5, 1))));
        all.push_back(fuzz::flat(train.value(w)));
        return all;
    };
    auto on = xg::minimize(e3, xg::gradient_descent{.learning_rate = 0.5});
    fuzz::expect(call(on, 9, 2),
        {{0.110406802553}, {0.109841933008},
            {-0.612115083929, 0.527215691242, -0.474287360118, -0.679250467143, 0.766719123349, -0.619302557781, 0.360341085121,
                0.859756969847, -0.706113926601, 0.163301202934, 0.651744834147, -0.0788224660791, 0.826849337202, -0.558743814006,
                -0.0758039471693, -0.873167912476, 0.0996547546238, 0.803881853353, -0.0404454660602, 0.218084034976}},
        1e-8);
}

namespace p1000286 {
using T = double;
constexpr auto we = xg::variable<"we", T, 5, 1>;
constexpr auto y = xg::input<"y", T, b, 1>;
constexpr auto e0 = 0.25_c + y;
constexpr auto e1 = xg::squeeze<1>(e0);
constexpr auto e2 = xg::sum<0>(e1, xg::keep_dims);
constexpr auto e3 = e2 - we;
constexpr auto e4 = xg::mean<0, 1>(e3);
}
TEST_CASE("program 1000286") {
    using namespace p1000286;
    auto const call = [](auto& train, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        train.assign(we, xg::array(fuzz::data<T>(44), 5, 1));
        std::vector<std::vector<double>> all;
        all.push_back(fuzz::flat(train(y = xg::array(fuzz::data<T>(1), B, 1))));
        all.push_back(fuzz::flat(train(y = xg::array(fuzz::data<T>(1), B, 1))));
        all.push_back(fuzz::flat(train.value(we)));
        return all;
    };
    auto on = xg::minimize(e4, xg::gradient_descent{.learning_rate = 0.5});
    fuzz::expect(call(on, 9, 2),
        {{5.09119316312}, {4.99119316312}, {1.13854622543, 0.224148591794, 0.139708497375, -0.587799587008, 0.0205831395462}}, 1e-8);
    fuzz::expect(call(on, 17, 1),
        {{8.49902395559}, {8.39902395559}, {1.13854622543, 0.224148591794, 0.139708497375, -0.587799587008, 0.0205831395462}}, 1e-8);
}
