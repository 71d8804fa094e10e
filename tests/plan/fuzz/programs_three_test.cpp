// SPDX-License-Identifier: MIT
// Made by programs.py from the numbers of its cases.
#include <support/programs.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using fuzz::b;
using fuzz::t;

}
namespace p1378 {
using T = double;
constexpr auto c = xg::input<"c", T, 3, 1>;
constexpr auto e0 = xg::reshape<3, 1>(c);
constexpr auto e1 = xg::sign(e0);
constexpr auto e2 = xg::slice<0, 1, 3, 2>(e1);
constexpr auto e3 = xg::square(e2);
constexpr auto results = xg::outputs(e3, e2);
}
TEST_CASE("program 1378") {
    using namespace p1378;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(fn(c = xg::array(fuzz::data<T>(12), 3, 1)));
    };
    xg::function on{results};
    fuzz::expect(call(on, 9, 2), {{1}, {1}}, 1e-8);
}

namespace p1380 {
using T = double;
constexpr auto c = xg::input<"c", T, 3, 1>;
constexpr auto m = xg::input<"m", T, 3, 4>;
constexpr auto e0 = xg::abs(m);
constexpr auto e1 = xg::max<0, 1>(e0);
constexpr auto e2 = xg::concat<1>(c, e0, e0);
constexpr auto slopes = xg::gradients(xg::ys(e2, e1, e0), xg::unconnected_zeros, m);
constexpr auto results = xg::outputs(e2, e1, e0, fuzz::dense(std::get<0>(slopes)));
}
TEST_CASE("program 1380") {
    using namespace p1380;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(fn(c = xg::array(fuzz::data<T>(12), 3, 1), m = xg::array(fuzz::data<T>(10), 3, 4)));
    };
    xg::function on{results};
    fuzz::expect(call(on, 9, 2),
        {{-0.935490748379, 0.50411685463, 0.387223629747, 0.489795374218, 0.432174777612, 0.50411685463, 0.387223629747, 0.489795374218,
             0.432174777612, 0.728373556398, 0.161672047339, 0.249215813819, 0.509824982844, 0.580689776689, 0.161672047339, 0.249215813819,
             0.509824982844, 0.580689776689, -0.370208728593, 0.0840277541429, 0.397243415006, 0.802583360113, 0.078866861295,
             0.0840277541429, 0.397243415006, 0.802583360113, 0.078866861295},
            {0.802583360113},
            {0.50411685463, 0.387223629747, 0.489795374218, 0.432174777612, 0.161672047339, 0.249215813819, 0.509824982844, 0.580689776689,
                0.0840277541429, 0.397243415006, 0.802583360113, 0.078866861295},
            {3, -3, 3, 3, -3, -3, -3, -3, -3, 3, -4, -3}},
        1e-8);
}

namespace p1389 {
using T = float;
constexpr auto j = xg::input<"j", std::int32_t, b, t>;
constexpr auto xb = xg::input<"xb", T, 1, 1, 4>;
constexpr auto e0 = xg::sqrt(0.5_c + xg::square(xb));
constexpr auto e1 = xg::maximum(j, j);
constexpr auto e2 = xg::max<1>(e1);
constexpr auto e3 = xg::broadcast_to<3, 2, 4>(e0);
constexpr auto e4 = e0 * e3;
constexpr auto slopes = xg::gradients(xg::ys(e4), xg::unconnected_zeros, xb);
constexpr auto results = xg::outputs(e4, e2, fuzz::dense(std::get<0>(slopes)));
}
TEST_CASE("program 1389") {
    using namespace p1389;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(fn(j = xg::array(fuzz::integers(101, 6), B, N), xb = xg::array(fuzz::data<T>(21), 1, 1, 4)));
    };
    xg::function on{results};
    auto off = fuzz::without_planner(results);
    fuzz::agree(call(on, 9, 2), call(off, 9, 2), 1e-3);
    fuzz::expect(call(on, 9, 2),
        {{0.731967885095, 0.721598102715, 0.640082644838, 0.64648225839, 0.731967885095, 0.721598102715, 0.640082644838, 0.64648225839,
             0.731967885095, 0.721598102715, 0.640082644838, 0.64648225839, 0.731967885095, 0.721598102715, 0.640082644838, 0.64648225839,
             0.731967885095, 0.721598102715, 0.640082644838, 0.64648225839, 0.731967885095, 0.721598102715, 0.640082644838, 0.64648225839},
            {5, 4, 5, 3, 5, 5, 1, 4, 4}, {5.77956533432, -5.64890491962, -4.49131393433, -4.59276008606}},
        1e-3);
    fuzz::agree(call(on, 1, 3), call(off, 1, 3), 1e-3);
    fuzz::expect(call(on, 1, 3),
        {{0.731967885095, 0.721598102715, 0.640082644838, 0.64648225839, 0.731967885095, 0.721598102715, 0.640082644838, 0.64648225839,
             0.731967885095, 0.721598102715, 0.640082644838, 0.64648225839, 0.731967885095, 0.721598102715, 0.640082644838, 0.64648225839,
             0.731967885095, 0.721598102715, 0.640082644838, 0.64648225839, 0.731967885095, 0.721598102715, 0.640082644838, 0.64648225839},
            {5}, {5.77956533432, -5.64890491962, -4.49131393433, -4.59276008606}},
        1e-3);
}

namespace p1397 {
using T = double;
constexpr auto xg_ = xg::input<"xg_", T, t, b, 3>;
constexpr auto e0 = std::get<0>(xg::top_k<1>(xg_));
constexpr auto e1 = xg::sigmoid(e0);
constexpr auto slopes = xg::gradients(xg::ys(e1, xg_), xg::unconnected_zeros, xg_);
constexpr auto g0 = fuzz::dense(std::get<0>(slopes));
constexpr auto h_ = fuzz::dense(std::get<0>(xg::gradients(xg::sum(g0), xg::unconnected_zeros, xg_)));
constexpr auto results = xg::outputs(e1, xg_, g0, h_);
}
TEST_CASE("program 1397") {
    using namespace p1397;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(fn(xg_ = xg::array(fuzz::data<T>(26), N, B, 3)));
    };
    xg::function on{results};
    fuzz::expect(call(on, 9, 2),
        {{0.621219788152, 0.620065794625, 0.605372468162, 0.712353266978, 0.497306926957, 0.611555330936, 0.718650043203, 0.723889660122,
             0.685903216708, 0.721558994273, 0.59694773976, 0.465656080896, 0.657318428875, 0.638849381522, 0.629740600531, 0.705371192978,
             0.730038190369, 0.617608778915},
            {-0.0149740204215, 0.494728824589, -0.82625713665, -0.606588054914, 0.489827498794, 0.351351206657, 0.427901555784,
                -0.843481977005, 0.0343680991791, 0.334518040996, 0.476111053489, 0.90684084408, -0.147484325804, -0.796591875143,
                -0.0107723963447, -0.217389985453, 0.453854697291, -0.854542415589, -0.631940901279, 0.937775219791, -0.161783262622,
                -0.108887072187, 0.963838409632, -0.764119927306, -0.0859627733007, -0.927595293615, 0.781035368796, 0.952207932714,
                -0.252643109299, -0.188417193014, 0.392763339914, 0.281697355676, -0.183349328116, -0.323801800143, -0.454979226924,
                -0.137592337094, 0.469576724805, -0.56803882774, 0.65136692021, 0.143854477443, -0.0676385802217, 0.570373619907,
                0.531104149763, -0.890232582577, -0.750034669414, 0.873007896356, -0.40925863944, 0.527447909117, 0.994816345163,
                0.516303199343, -0.870796361007, 0.166691732593, 0.0583237423562, 0.479410989676},
            {1, 1.23530576296, 1, 1, 1.23558420496, 1, 1.23889664295, 1, 1, 1, 1, 1.20490609, 1, 1, 1.24999274736, 1, 1.23755540814, 1, 1,
                1.20219215861, 1, 1, 1.19987342009, 1, 1, 1, 1.21543999402, 1.20091161206, 1, 1, 1.24060113576, 1, 1, 1, 1, 1.24882049522,
                1, 1, 1.22525091194, 1, 1, 1.23072084925, 1.23316737657, 1, 1, 1.20782267309, 1, 1, 1.19708243097, 1, 1, 1, 1,
                1.23616817512},
            {0, -0.057047429474, 0, 0, -0.0565712095396, 0, -0.0503462578071, 0, 0, 0, 0, -0.0870249552719, 0, 0, 0.0013464974578, 0,
                -0.0530011443412, 0, 0, -0.0884186484296, 0, 0, -0.0894991841829, 0, 0, 0, -0.0801019757909, -0.0890275494101, 0, 0,
                -0.0466514725901, 0, 0, 0, 0, 0.0170909419184, 0, 0, -0.070872239137, 0, 0, -0.0640708944455, -0.0605025509218, 0, 0,
                -0.0853615806027, 0, 0, -0.0906729715484, 0, 0, 0, 0, -0.0555509013896}},
        1e-8);
}

namespace p1398 {
using T = float;
constexpr auto s = xg::input<"s", T>;
constexpr auto xb = xg::input<"xb", T, 1, 1, 4>;
constexpr auto e0 = xg::exp(xb);
constexpr auto e1 = e0 * s;
constexpr auto e2 = xg::transpose<1, 2, 0>(e1);
constexpr auto slopes = xg::gradients(xg::ys(e2), xg::unconnected_zeros, s);
constexpr auto g0 = fuzz::dense(std::get<0>(slopes));
constexpr auto h_ = fuzz::dense(std::get<0>(xg::gradients(xg::sum(g0), xg::unconnected_zeros, s)));
constexpr auto results = xg::outputs(e2, g0, h_);
}
TEST_CASE("program 1398") {
    using namespace p1398;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(fn(s = xg::array(fuzz::data<T>(3)), xb = xg::array(fuzz::data<T>(21), 1, 1, 4)));
    };
    xg::function on{results};
    auto off = fuzz::without_planner(results);
    fuzz::agree(call(on, 9, 2), call(off, 9, 2), 1e-3);
    fuzz::expect(call(on, 9, 2), {{-0.667938693981, -0.25770715257, -0.283805682698, -0.281416546094}, {3.61303406608}, {0}}, 1e-3);
}

namespace p1399 {
using T = float;
constexpr auto c = xg::input<"c", T, 3, 1>;
constexpr auto n = xg::input<"n", T, b>;
constexpr auto e0 = n * c;
constexpr auto e1 = xg::mean<1>(e0);
constexpr auto e2 = xg::concat<0>(e1, e1, e1);
constexpr auto e3 = xg::expm1(e2);
constexpr auto slopes = xg::gradients(xg::ys(e3), xg::unconnected_zeros, c, n);
constexpr auto results = xg::outputs(e3, fuzz::dense(std::get<0>(slopes)), fuzz::dense(std::get<1>(slopes)));
}
TEST_CASE("program 1399") {
    using namespace p1399;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(fn(c = xg::array(fuzz::data<T>(12), 3, 1), n = xg::array(fuzz::data<T>(11), B)));
    };
    xg::function on{results};
    auto off = fuzz::without_planner(results);
    fuzz::agree(call(on, 9, 2), call(off, 9, 2), 1e-3);
    fuzz::expect(call(on, 9, 2),
        {{-0.23401013759, 0.230676791059, -0.10012391376, -0.23401013759, 0.230676791059, -0.10012391376, -0.23401013759, 0.230676791059,
             -0.10012391376},
            {0.654851290794, 1.05211612415, 0.769311769708},
            {-0.0511086700968, -0.0511086700968, -0.0511086700968, -0.0511086700968, -0.0511086700968, -0.0511086700968, -0.0511086700968,
                -0.0511086700968, -0.0511086700968}},
        1e-3);
    fuzz::agree(call(on, 1, 3), call(off, 1, 3), 1e-3);
    fuzz::expect(call(on, 1, 3),
        {{-0.478588965948, 0.660365183089, -0.227181316762, -0.478588965948, 0.660365183089, -0.227181316762, -0.478588965948,
             0.660365183089, -0.227181316762},
            {1.08889864597, 3.46745519677, 1.61393058987}, {1.30645988012}},
        1e-3);
}

namespace p1423 {
using T = float;
constexpr auto c = xg::input<"c", T, 3, 1>;
constexpr auto m = xg::input<"m", T, 3, 4>;
constexpr auto xa = xg::input<"xa", T, 3>;
constexpr auto e0 = c * xa;
constexpr auto e1 = xg::matmul<false, false>(e0, m);
constexpr auto e2 = xg::reshape<12, 1>(e1);
constexpr auto e3 = xg::pow(1.5_c + e2, 1.75_c);
constexpr auto results = xg::outputs(e3, c);
}
TEST_CASE("program 1423") {
    using namespace p1423;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(
            fn(c = xg::array(fuzz::data<T>(12), 3, 1), m = xg::array(fuzz::data<T>(10), 3, 4), xa = xg::array(fuzz::data<T>(20), 3)));
    };
    xg::function on{results};
    fuzz::expect(call(on, 9, 2),
        {{2.44051213628, 1.50694037034, 1.27931325872, 1.70178704257, 1.73821735581, 2.48864569717, 2.72049708907, 2.30836327041,
             2.19051742886, 1.81683525707, 1.71703453157, 1.89897455693},
            {-0.935490727425, 0.728373527527, -0.370208740234}},
        1e-3);
}

namespace p1465 {
using T = double;
constexpr auto xb = xg::input<"xb", T, 1, 1, 4>;
constexpr auto y = xg::input<"y", T, b, 1>;
constexpr auto e0 = xg::maximum(y, xb);
constexpr auto e1 = std::get<1>(xg::moments<1>(e0));
constexpr auto e2 = xg::matmul<true, true>(e1, y);
constexpr auto e3 = xg::max<0, 1>(e2);
constexpr auto e4 = xg::expand_dims<0>(e3);
constexpr auto slopes = xg::gradients(xg::ys(e4), xg::unconnected_zeros, xb, y);
constexpr auto results = xg::outputs(e4, fuzz::dense(std::get<0>(slopes)), fuzz::dense(std::get<1>(slopes)));
}
TEST_CASE("program 1465") {
    using namespace p1465;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(fn(xb = xg::array(fuzz::data<T>(21), 1, 1, 4), y = xg::array(fuzz::data<T>(1), B, 1)));
    };
    xg::function on{results};
    auto off = fuzz::without_planner(results);
    fuzz::agree(call(on, 9, 2), call(off, 9, 2), 1e-8);
    fuzz::expect(call(on, 9, 2),
        {{0.356217799956}, {0, -0.363453178898, 0, 0},
            {-0.0816158746171, 0.0913159352391, 0.0978146448402, 0, 0.137173063691, 0.105346679872, 0, -0.129345818674, 0.500509939617}},
        1e-8);
}

namespace p1500 {
using T = double;
constexpr auto ia = xg::input<"ia", std::int32_t, t, 2>;
constexpr auto y = xg::input<"y", T, b, 1>;
constexpr auto z = xg::input<"z", T, 5>;
constexpr auto e0 = z * y;
constexpr auto e1 = xg::one_hot<1, T>(ia);
constexpr auto e2 = e0 + e0;
constexpr auto slopes = xg::gradients(xg::ys(e2, e1), xg::unconnected_zeros, z);
constexpr auto results = xg::outputs(e2, e1, ia, fuzz::dense(std::get<0>(slopes)));
}
TEST_CASE("program 1500") {
    using namespace p1500;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(
            fn(ia = xg::array(fuzz::integers(103, 3), N, 2), y = xg::array(fuzz::data<T>(1), B, 1), z = xg::array(fuzz::data<T>(2), 5)));
    };
    xg::function on{results};
    auto off = fuzz::without_planner(results);
    fuzz::agree(call(on, 9, 2), call(off, 9, 2), 1e-8);
    fuzz::expect(call(on, 9, 2),
        {{0.0275260746594, -0.016254517788, 0.00327331616282, 0.0182269731411, 0.00989606654378, -1.14725011573, 0.677466643688,
             -0.13642745626, -0.759675954678, -0.412454867905, -1.19139774429, 0.703536412901, -0.141677356506, -0.788909241659,
             -0.428326650401, 1.19137054905, -0.703520353749, 0.141674122532, 0.788891233759, 0.428316873277, -1.4587709557, 0.861423895036,
             -0.173472556703, -0.965956074651, -0.524451620087, -1.24256505369, 0.733751398191, -0.147762015614, -0.82279075894,
             -0.44672212106, 0.71475019388, -0.422069615235, 0.0849958953812, 0.473286974173, 0.256964190076, 0.351769496927,
             -0.207724625318, 0.0418313469729, 0.232931620352, 0.126466791678, -1.49675554212, 0.883854304867, -0.177989566927,
             -0.991108372792, -0.538107689815},
            {0, 0, 0, 0}, {1, 2, 2, 1}, {5.65646107309, 5.65646107309, 5.65646107309, 5.65646107309, 5.65646107309}},
        1e-8);
    fuzz::agree(call(on, 0, 2), call(off, 0, 2), 1e-8);
    fuzz::expect(call(on, 0, 2), {{}, {0, 0, 0, 0}, {1, 2, 2, 1}, {0, 0, 0, 0, 0}}, 1e-8);
}

namespace p1513 {
using T = float;
constexpr auto i = xg::input<"i", std::int32_t, b>;
constexpr auto j = xg::input<"j", std::int32_t, b, t>;
constexpr auto e0 = xg::one_hot<1, T>(j);
constexpr auto e1 = (e0 > 0.25_c);
constexpr auto e2 = xg::select(e1, i, i);
constexpr auto results = xg::outputs(e2);
}
TEST_CASE("program 1513") {
    using namespace p1513;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(fn(i = xg::array(fuzz::integers(100, 6), B), j = xg::array(fuzz::integers(101, 6), B, N)));
    };
    xg::function on{results};
    fuzz::expect(call(on, 9, 2),
        {{3, 0, 0, 1, 1, 0, 2, 2, 4, 3, 0, 0, 1, 1, 0, 2, 2, 4, 3, 0, 0, 1, 1, 0, 2, 2, 4, 3, 0, 0, 1, 1, 0, 2, 2, 4, 3, 0, 0, 1, 1, 0, 2,
            2, 4, 3, 0, 0, 1, 1, 0, 2, 2, 4, 3, 0, 0, 1, 1, 0, 2, 2, 4, 3, 0, 0, 1, 1, 0, 2, 2, 4, 3, 0, 0, 1, 1, 0, 2, 2, 4, 3, 0, 0, 1, 1,
            0, 2, 2, 4, 3, 0, 0, 1, 1, 0, 2, 2, 4, 3, 0, 0, 1, 1, 0, 2, 2, 4, 3, 0, 0, 1, 1, 0, 2, 2, 4, 3, 0, 0, 1, 1, 0, 2, 2, 4, 3, 0, 0,
            1, 1, 0, 2, 2, 4, 3, 0, 0, 1, 1, 0, 2, 2, 4, 3, 0, 0, 1, 1, 0, 2, 2, 4, 3, 0, 0, 1, 1, 0, 2, 2, 4}},
        1e-3);
    fuzz::expect(call(on, 1, 3), {{3, 3, 3}}, 1e-3);
}

namespace p1537 {
using T = double;
constexpr auto m = xg::input<"m", T, 3, 4>;
constexpr auto e0 = std::get<1>(xg::moments<0, 1>(m));
constexpr auto e1 = xg::log(1.25_c + e0);
constexpr auto slopes = xg::gradients(xg::ys(e1), xg::unconnected_zeros, m);
constexpr auto g0 = fuzz::dense(std::get<0>(slopes));
constexpr auto h_ = fuzz::dense(std::get<0>(xg::gradients(xg::sum(g0), xg::unconnected_zeros, m)));
constexpr auto results = xg::outputs(e1, g0, h_);
}
TEST_CASE("program 1537") {
    using namespace p1537;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(fn(m = xg::array(fuzz::data<T>(10), 3, 4)));
    };
    xg::function on{results};
    auto off = fuzz::without_planner(results);
    fuzz::agree(call(on, 9, 2), call(off, 9, 2), 1e-8);
    fuzz::expect(call(on, 9, 2),
        {{0.362488061562},
            {0.0684360596134, -0.0349509126997, 0.0667749048417, 0.0600914666602, -0.00878908608657, -0.0189433258186, -0.0491714972242,
                -0.0573911356313, 0.000216909413101, 0.0560397626459, -0.0831286693438, 0.000815523629925},
            {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
        1e-8);
}

namespace p1538 {
using T = double;
constexpr auto ia = xg::input<"ia", std::int32_t, t, 2>;
constexpr auto ib = xg::input<"ib", std::int32_t>;
constexpr auto u = xg::input<"u", T, 1, 5>;
constexpr auto xg_ = xg::input<"xg_", T, t, b, 3>;
constexpr auto y = xg::input<"y", T, b, 1>;
constexpr auto e0 = u * y;
constexpr auto e1 = xg_ / (1.5_c + xg::square(xg_));
constexpr auto e2 = xg::equal(ia, ib);
constexpr auto e3 = xg::logical_not(e2);
constexpr auto e4 = xg::logical_or(e3, e3);
constexpr auto slopes = xg::gradients(xg::ys(e0, e1), xg::unconnected_zeros, xg_);
constexpr auto results = xg::outputs(e4, e0, e1, fuzz::dense(std::get<0>(slopes)));
}
TEST_CASE("program 1538") {
    using namespace p1538;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(fn(ia = xg::array(fuzz::integers(103, 3), N, 2), ib = xg::array(fuzz::integers(104, 3)),
            u = xg::array(fuzz::data<T>(7), 1, 5), xg_ = xg::array(fuzz::data<T>(26), N, B, 3), y = xg::array(fuzz::data<T>(1), B, 1)));
    };
    xg::function on{results};
    auto off = fuzz::without_planner(results);
    fuzz::agree(call(on, 9, 2), call(off, 9, 2), 1e-8);
    fuzz::expect(call(on, 9, 2),
        {{1, 0, 0, 1},
            {-0.00679128150282, -0.0154362238793, 0.0173308000001, 0.00428338069232, -0.00256000469876, 0.283051564251, 0.643361243876,
                -0.722324652235, -0.178525600027, 0.106697584863, 0.293943744736, 0.668118594374, -0.750120614082, -0.185395489836,
                0.110803442235, -0.29393703508, -0.66810334368, 0.750103491583, 0.185391257938, -0.110800912999, 0.359910533227,
                0.818057617712, -0.918462512075, -0.227001903595, 0.135669925597, 0.306567833213, 0.696812480192, -0.782336264764,
                -0.193357724478, 0.115562150264, -0.176344423638, -0.400821553637, 0.450016677403, 0.111223529624, -0.0664738389842,
                -0.0867891883351, -0.197267237544, 0.221478974856, 0.0547394675751, -0.032715582449, 0.369282157127, 0.839358823468,
                -0.942378136751, -0.232912751622, 0.139202602193},
            {-0.00998118828441, 0.283551769793, -0.378548042637, -0.324734793463, 0.281521224017, 0.216422871558, 0.254234223468,
                -0.38141375973, 0.0228940383426, 0.20752997058, 0.275737586011, 0.390482406042, -0.0969174753943, -0.373188100501,
                -0.00718104201606, -0.140500115974, 0.266036888004, -0.383161169072, -0.332714419816, 0.394118856085, -0.106005790475,
                -0.0720220998395, 0.396807150319, -0.36668147755, -0.0570275749496, -0.392976747199, 0.370156092301, 0.395648794463,
                -0.161554225881, -0.122707304179, 0.237424962135, 0.178362458739, -0.119553533229, -0.201764827375, -0.266536380709,
                -0.0905849430309, 0.272930018562, -0.311652365386, 0.338499233216, 0.0945979052805, -0.0449552739024, 0.312477661083,
                0.298026265852, -0.388321538163, -0.363644003874, 0.385920774469, -0.245433551613, 0.296618785543, 0.399579268148,
                0.292263252213, -0.385600514914, 0.109106719137, 0.0387945177591, 0.277142628179},
            {0.666367779416, 0.412342631841, 0.171550744302, 0.32444113001, 0.416227042844, 0.522295323286, 0.464871772732, 0.161236666367,
                0.665093842963, 0.534247609818, 0.42708309228, 0.125643384681, 0.638351466915, 0.189942210782, 0.666511960584,
                0.606823889377, 0.444620687594, 0.154756723044, 0.305098329475, 0.109610723298, 0.632758903012, 0.651064117213,
                0.0967828557809, 0.210963638729, 0.656894212393, 0.11478963152, 0.199898934623, 0.102430782442, 0.587256756235,
                0.621139057791, 0.491757560638, 0.569544177973, 0.623467198724, 0.541694032662, 0.443737704556, 0.641946206847,
                0.432244020458, 0.354391843434, 0.290511736201, 0.639696917812, 0.660597572763, 0.352562746187, 0.383505365369,
                0.134615108804, 0.22036233674, 0.144189056014, 0.479227542548, 0.386400619967, 0.0823341588387, 0.3952334147, 0.14543813567,
                0.630733322311, 0.662148209811, 0.424473779522}},
        1e-8);
    fuzz::agree(call(on, 1, 3), call(off, 1, 3), 1e-8);
    fuzz::expect(call(on, 1, 3),
        {{1, 0, 0, 1, 1, 1}, {-0.00679128150282, -0.0154362238793, 0.0173308000001, 0.00428338069232, -0.00256000469876},
            {-0.00998118828441, 0.283551769793, -0.378548042637, -0.324734793463, 0.281521224017, 0.216422871558, 0.254234223468,
                -0.38141375973, 0.0228940383426},
            {0.666367779416, 0.412342631841, 0.171550744302, 0.32444113001, 0.416227042844, 0.522295323286, 0.464871772732, 0.161236666367,
                0.665093842963}},
        1e-8);
}

namespace p1543 {
using T = float;
constexpr auto ib = xg::input<"ib", std::int32_t>;
constexpr auto l = xg::input<"l", std::int32_t, 4>;
constexpr auto q = xg::input<"q", T, b, t, 5>;
constexpr auto e0 = xg::softmax<0, 2>(q);
constexpr auto e1 = xg::minimum(xg::maximum(l, 0_c), 2_c);
constexpr auto e2 = xg::minimum(ib, e1);
constexpr auto results = xg::outputs(e2, e0, e1);
}
TEST_CASE("program 1543") {
    using namespace p1543;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(
            fn(ib = xg::array(fuzz::integers(104, 3)), l = xg::array(fuzz::integers(102, 3), 4), q = xg::array(fuzz::data<T>(4), B, N, 5)));
    };
    xg::function on{results};
    fuzz::expect(call(on, 9, 2),
        {{2, 1, 0, 2},
            {0.0228401988536, 0.0459976830562, 0.013960893925, 0.00751387467035, 0.00984316724832, 0.0263903729624, 0.0207934130353,
                0.020398370474, 0.0105506646717, 0.0204171997176, 0.0464460924748, 0.0142756566437, 0.0240056884767, 0.00850274711596,
                0.0347616953716, 0.0169755665271, 0.0272793926185, 0.00926629472041, 0.00725349460012, 0.0359870100892, 0.0292617397513,
                0.0127415643225, 0.0322220628689, 0.00901155125814, 0.0188001746303, 0.029566284475, 0.0146599800999, 0.0453719461225,
                0.0291845108955, 0.0323955630063, 0.00714134996933, 0.0179539164336, 0.0394470458424, 0.0173906645792, 0.0401702589637,
                0.0426905033088, 0.00724310249791, 0.0176681647409, 0.01234842534, 0.0183239931162, 0.00965817742862, 0.0439668490341,
                0.0239329179106, 0.00850379322216, 0.00822944588948, 0.0131005156412, 0.0295263322297, 0.0103625121668, 0.0323989886502,
                0.0280731203741, 0.0345827425513, 0.0232303251187, 0.0101542991638, 0.0440368965181, 0.0324853094635, 0.0280939379396,
                0.025378430482, 0.0103368040022, 0.0120519713622, 0.0130088228732, 0.0232298474244, 0.0124949861025, 0.00806975065825,
                0.0306138566713, 0.012329122176, 0.0320193036119, 0.0339594691573, 0.0221694555579, 0.0252906065276, 0.0077318949538,
                0.0124211240797, 0.0307325072078, 0.0301385986799, 0.0382196281073, 0.0254753849339, 0.00778682976607, 0.0146386643351,
                0.0377197999251, 0.0387693479611, 0.0098760076825, 0.0138931947348, 0.0255513445942, 0.0101673626597, 0.0109622905591,
                0.0246322186551, 0.0453182284196, 0.0224221020927, 0.0155098084679, 0.0096040769059, 0.0300887158948},
            {2, 1, 0, 2}},
        1e-3);
    fuzz::expect(call(on, 17, 1),
        {{2, 1, 0, 2},
            {0.012072066183, 0.0243118318574, 0.00737895657195, 0.00397141867689, 0.00520255393718, 0.0141859423981, 0.0111773395548,
                0.0109649874586, 0.00567142880126, 0.0109751089739, 0.0245488362816, 0.0075453227405, 0.0126880795529, 0.0044940819727,
                0.0183731100525, 0.00912508547234, 0.0146638280897, 0.00498102559351, 0.00389906034027, 0.0193445410163, 0.0154661376274,
                0.006734486366, 0.0170308007386, 0.00476300770833, 0.00993673276854, 0.0158931292516, 0.00788035976423, 0.0243893413368,
                0.0156879097947, 0.0174139862069, 0.00377452271839, 0.00948944747895, 0.0208495272386, 0.00919174369328, 0.021231777705,
                0.0229479523366, 0.0038934741455, 0.00949738632538, 0.00663780124785, 0.00984992183403, 0.00510477854735, 0.0232384452867,
                0.0126496170554, 0.00449463488659, 0.00434963005636, 0.00704208161578, 0.0158716532289, 0.00557028886659, 0.0174158276355,
                0.0150904903515, 0.0182785254868, 0.012278265355, 0.00536700106389, 0.0232754685135, 0.0171699383325, 0.0151016806741,
                0.0136419804861, 0.0055564696401, 0.00647844468781, 0.00699279287225, 0.0122780128722, 0.00660415875322, 0.00426522398736,
                0.016180791867, 0.00651649225301, 0.0172117308578, 0.0182546519529, 0.0119170206495, 0.0135947713936, 0.00415622077791,
                0.00656511937213, 0.0162435039799, 0.0159295967718, 0.0202007820929, 0.0134648798344, 0.00418575056453, 0.00786890163847,
                0.0202759888907, 0.0208401653805, 0.00530877211577, 0.00734317452339, 0.0135050279108, 0.0053739057055, 0.00579406063823,
                0.0130192287617},
            {2, 1, 0, 2}},
        1e-3);
}

namespace p1561 {
using T = double;
constexpr auto q = xg::input<"q", T, b, t, 5>;
constexpr auto xb = xg::input<"xb", T, 1, 1, 4>;
constexpr auto e0 = xg::mean<0>(xb, xg::keep_dims);
constexpr auto e1 = xg::expm1(e0);
constexpr auto e2 = xg::abs(e1);
constexpr auto e3 = std::get<0>(xg::top_k<2>(q));
constexpr auto slopes = xg::gradients(xg::ys(e3, e2), xg::unconnected_zeros, xb);
constexpr auto g0 = fuzz::dense(std::get<0>(slopes));
constexpr auto h_ = fuzz::dense(std::get<0>(xg::gradients(xg::sum(g0), xg::unconnected_zeros, xb)));
constexpr auto results = xg::outputs(e3, e2, g0, h_);
}
TEST_CASE("program 1561") {
    using namespace p1561;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(fn(q = xg::array(fuzz::data<T>(4), B, N, 5), xb = xg::array(fuzz::data<T>(21), 1, 1, 4)));
    };
    xg::function on{results};
    fuzz::expect(call(on, 9, 2),
        {{0.920962155331, 0.220893215388, 0.382250524126, 0.143887488637, 0.930663490668, 0.640887178481, 0.692409297451, 0.415382806212,
             0.565022501163, 0.468651966192, 0.924145231023, 0.587272724602, 0.785498007666, 0.767330269795, 0.863227721304,
             0.0174625343643, 0.875807035249, 0.267625969835, 0.58737841947, 0.494533714838, 0.877398989629, 0.635725935921, 0.444805042353,
             0.343150869012, 0.513823849149, 0.237809107639, 0.634418942966, 0.575590182561, 0.73572031036, 0.517692094669, 0.766881165095,
             0.739436381031, 0.333061070647, 0.296426421497, 0.922960568685, 0.513401448727},
            {0.618711475592, 0.375461363033, 0.312213045817, 0.318002988092},
            {1.61871147559, -0.624538636967, -0.687786954183, -0.681997011908},
            {1.61871147559, -0.624538636967, -0.687786954183, -0.681997011908}},
        1e-8);
    fuzz::expect(call(on, 2, 0),
        {{}, {0.618711475592, 0.375461363033, 0.312213045817, 0.318002988092},
            {1.61871147559, -0.624538636967, -0.687786954183, -0.681997011908},
            {1.61871147559, -0.624538636967, -0.687786954183, -0.681997011908}},
        1e-8);
}

namespace p1648 {
using T = double;
constexpr auto a = xg::input<"a", T, 1, b>;
constexpr auto o = xg::input<"o", T, 1>;
constexpr auto y = xg::input<"y", T, b, 1>;
constexpr auto e0 = y * a;
constexpr auto e1 = xg::sin(e0);
constexpr auto e2 = std::get<1>(xg::top_k<1>(o));
constexpr auto slopes = xg::gradients(xg::ys(e1), xg::unconnected_zeros, a, y);
constexpr auto g0 = fuzz::dense(std::get<0>(slopes));
constexpr auto g1 = fuzz::dense(std::get<1>(slopes));
constexpr auto h_ = fuzz::dense(std::get<0>(xg::gradients(xg::sum(xg::square(g0)) + xg::sum(xg::square(g1)), xg::unconnected_zeros, y)));
constexpr auto results = xg::outputs(e2, e1, g0, g1, h_);
}
TEST_CASE("program 1648") {
    using namespace p1648;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(
            fn(a = xg::array(fuzz::data<T>(16), 1, B), o = xg::array(fuzz::data<T>(15), 1), y = xg::array(fuzz::data<T>(1), B, 1)));
    };
    xg::function on{results};
    auto off = fuzz::without_planner(results);
    fuzz::agree(call(on, 9, 2), call(off, 9, 2), 1e-8);
    fuzz::expect(call(on, 9, 2),
        {{0},
            {0.00289434539341, -0.0078237676508, -0.0163548942425, 0.00344129048117, -0.0138583973707, 0.010437111991, -0.0123005975764,
                0.00586523538072, -0.00258692433507, -0.120340261798, 0.320339202971, 0.630098918291, -0.142937426629, 0.546029952882,
                -0.421422026853, 0.490519192644, -0.242029113821, 0.107610898959, -0.12494730853, 0.332200673379, 0.650249286527,
                -0.148397864259, 0.564514949152, -0.436543043083, 0.507614878944, -0.251145588528, 0.111734904788, 0.124944471377,
                -0.332193382543, -0.650237010079, 0.148394501968, -0.564503647186, 0.436533765656, -0.507604408022, 0.251139979477,
                -0.111732364958, -0.15278806317, 0.402853474897, 0.762249987446, -0.181365575268, 0.67018846304, -0.525357226582,
                0.606696685852, -0.305854304836, 0.136667647045, -0.130283522102, 0.345882605913, 0.673042966062, -0.15472087021,
                0.585589611984, -0.45391504466, 0.5271812334, -0.261683766592, 0.116512235727, 0.0750848023901, -0.201761756317,
                -0.412042854253, 0.0892388726626, -0.352145790759, 0.267712471784, -0.31400551603, 0.1517112261, -0.0671224122569,
                0.0369799077014, -0.0998183583259, -0.207498106387, 0.0439638869968, -0.176184607623, 0.132988348022, -0.156552818537,
                0.074885043917, -0.033053617137, -0.156733995079, 0.412711468403, 0.776663736306, -0.186033572776, 0.684259071185,
                -0.537557517075, 0.620102333234, -0.313550109109, 0.140203101166},
            {2.79343987021, 2.57694482529, 1.77893301563, 2.77908598237, 2.0621659925, 2.38569620691, 2.2192669548, 2.6861748252,
                2.80042766837},
            {1.65377841166, 1.28759000359, 1.25989841154, 1.25991574435, 1.0738807458, 1.22669572835, 1.50880074284, 1.61847638505,
                1.04504866406},
            {44.2377075168, 32.7985861758, 32.0994240967, 36.9280304467, 27.5793595059, 31.2712269071, 42.4122349522, 44.2686751351,
                26.9017656102}},
        1e-8);
    fuzz::agree(call(on, 2, 0), call(off, 2, 0), 1e-8);
    fuzz::expect(call(on, 2, 0),
        {{0}, {0.00289434539341, -0.0078237676508, -0.120340261798, 0.320339202971}, {0.739359929305, 0.704687557279},
            {0.269183038271, 0.247829099807}, {2.88867694817, 2.60689661169}},
        1e-8);
}
