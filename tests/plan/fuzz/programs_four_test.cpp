// SPDX-License-Identifier: MIT
// Made by programs.py from the numbers of its cases.
#include <support/programs.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using fuzz::b;
using fuzz::t;

}
namespace p1677 {
using T = double;
constexpr auto g = xg::input<"g", T, 6, 5>;
constexpr auto e0 = xg::sigmoid(g);
constexpr auto e1 = xg::relu(e0);
constexpr auto slopes = xg::gradients(xg::ys(e1), xg::unconnected_zeros, g);
constexpr auto results = xg::outputs(e1, fuzz::dense(std::get<0>(slopes)));
}
TEST_CASE("program 1677") {
    using namespace p1677;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(fn(g = xg::array(fuzz::data<T>(14), 6, 5)));
    };
    test::both_ways on{xg::function{results}};
    auto off = fuzz::without_planner(results);
    fuzz::agree(call(on, 9, 2), call(off, 9, 2), 1e-8);
    fuzz::expect(call(on, 9, 2),
        {{0.441727022915, 0.577679595312, 0.6219740029, 0.380406085479, 0.600700853638, 0.468160244536, 0.315673868238, 0.729598862474,
             0.620918340954, 0.319940881299, 0.729844806993, 0.468090864712, 0.364163200183, 0.328970169432, 0.561120995321, 0.619310802851,
             0.434059006926, 0.703569321098, 0.678047052522, 0.433654761593, 0.411829547837, 0.416707058913, 0.680929215398, 0.625395764061,
             0.30898116122, 0.625199100338, 0.381778020384, 0.517108200072, 0.43341572007, 0.346599302956},
            {0.246604260142, 0.243965880472, 0.235122342616, 0.235697295609, 0.239859338077, 0.248986229972, 0.21602387715, 0.197284362351,
                0.235378754821, 0.217578713773, 0.197171364698, 0.248981807085, 0.231548363816, 0.220748797056, 0.246264223931,
                0.235764932323, 0.245651785432, 0.208559531508, 0.218299247088, 0.245598309341, 0.242225971365, 0.243062285965,
                0.217264619016, 0.234275902356, 0.213511803231, 0.234325185275, 0.236023563536, 0.24970730949, 0.245566533666,
                0.226468226146}},
        1e-8);
}

namespace p1698 {
using T = float;
constexpr auto a = xg::input<"a", T, 1, b>;
constexpr auto e0 = xg::squeeze<0>(a);
constexpr auto e1 = xg::relu(e0);
constexpr auto e2 = xg::expand_dims<0>(e0);
constexpr auto results = xg::outputs(e2, e1);
}
TEST_CASE("program 1698") {
    using namespace p1698;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(fn(a = xg::array(fuzz::data<T>(16), 1, B)));
    };
    test::both_ways on{xg::function{results}};
    fuzz::expect(call(on, 9, 2),
        {{-0.158057823777, 0.42725327611, 0.893165886402, -0.187926143408, 0.756818830967, -0.569971621037, 0.671741485596, -0.320297062397,
             0.141269773245},
            {0, 0.42725327611, 0.893165886402, 0, 0.756818830967, 0, 0.671741485596, 0, 0.141269773245}},
        1e-3);
    fuzz::expect(call(on, 1, 3), {{-0.158057823777}, {0}}, 1e-3);
}

namespace p1714 {
using T = double;
constexpr auto ib = xg::input<"ib", std::int32_t>;
constexpr auto xe = xg::input<"xe", T, t, 3>;
constexpr auto e0 = xg::log_sum_exp<0>(xe, xg::keep_dims);
constexpr auto e1 = xg::minimum(xg::maximum(ib, 0_c), 2_c);
constexpr auto e2 = xg::softmax<0, 1>(e0);
constexpr auto slopes = xg::gradients(xg::ys(e2), xg::unconnected_zeros, xe);
constexpr auto results = xg::outputs(e2, e1, fuzz::dense(std::get<0>(slopes)));
}
TEST_CASE("program 1714") {
    using namespace p1714;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(fn(ib = xg::array(fuzz::integers(104, 3)), xe = xg::array(fuzz::data<T>(24), N, 3)));
    };
    test::both_ways on{xg::function{results}};
    fuzz::expect(call(on, 9, 2),
        {{0.593056288691, 0.236703214098, 0.170240497211}, {2},
            {-6.93889390391e-17, -3.12250225676e-17, -1.38777878078e-17, -4.16333634234e-17, -1.21430643318e-17, 0}},
        1e-8);
    fuzz::expect(call(on, 3, 3),
        {{0.42986258492, 0.257498322777, 0.312639092303}, {2},
            {4.16333634234e-17, 3.46944695195e-18, 6.93889390391e-18, 2.08166817117e-17, 1.73472347598e-18, 1.38777878078e-17,
                1.38777878078e-17, 1.38777878078e-17, 2.77555756156e-17}},
        1e-8);
}

namespace p1784 {
using T = double;
constexpr auto c = xg::input<"c", T, 3, 1>;
constexpr auto xb = xg::input<"xb", T, 1, 1, 4>;
constexpr auto e0 = xg::log_sum_exp<0, 1>(c, xg::keep_dims);
constexpr auto e1 = xg::max<0>(e0, xg::keep_dims);
constexpr auto e2 = e1 - xb;
constexpr auto e3 = (e2 <= e1);
constexpr auto e4 = xg::max<0>(e2);
constexpr auto slopes = xg::gradients(xg::ys(e4), xg::unconnected_zeros, xb, e0);
constexpr auto results = xg::outputs(e4, e3, fuzz::dense(std::get<0>(slopes)), fuzz::dense(std::get<1>(slopes)));
}
TEST_CASE("program 1784") {
    using namespace p1784;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(fn(c = xg::array(fuzz::data<T>(12), 3, 1), xb = xg::array(fuzz::data<T>(21), 1, 1, 4)));
    };
    test::both_ways on{xg::function{results}};
    auto off = fuzz::without_planner(results);
    fuzz::agree(call(on, 9, 2), call(off, 9, 2), 1e-8);
    fuzz::expect(
        call(on, 9, 2), {{0.667260348443, 1.61963287845, 1.52316694438, 1.53162079828}, {1, 0, 0, 0}, {-1, -1, -1, -1}, {4}}, 1e-8);
}

namespace p1811 {
using T = double;
constexpr auto z = xg::input<"z", T, 5>;
constexpr auto e0 = xg::cos(z);
constexpr auto e1 = xg::broadcast_to<5>(e0);
constexpr auto e2 = xg::log1p(xg::square(e1));
constexpr auto e3 = std::get<1>(xg::moments<0>(e2));
constexpr auto slopes = xg::gradients(xg::ys(e3), xg::unconnected_zeros, z);
constexpr auto g0 = fuzz::dense(std::get<0>(slopes));
constexpr auto h_ = fuzz::dense(std::get<0>(xg::gradients(xg::sum(xg::square(g0)), xg::unconnected_zeros, z)));
constexpr auto results = xg::outputs(e3, g0, h_);
}
TEST_CASE("program 1811") {
    using namespace p1811;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(fn(z = xg::array(fuzz::data<T>(2), 5)));
    };
    test::both_ways on{xg::function{results}};
    fuzz::expect(call(on, 9, 2),
        {{0.00819599616572}, {-0.0418221722959, -0.00135935364652, 0.00359469470053, -0.00308782180637, 0.00729817353454},
            {-0.0142195046183, -0.00195548945181, 0.000103251074881, 0.00136826835566, 0.00113386532279}},
        1e-8);
}

namespace p1819 {
using T = double;
constexpr auto o = xg::input<"o", T, 1>;
constexpr auto e0 = xg::squeeze<0>(o);
constexpr auto e1 = e0 * 1.5_c;
constexpr auto e2 = e1 * e1;
constexpr auto e3 = xg::pow(1.5_c + e2, 1.75_c);
constexpr auto slopes = xg::gradients(xg::ys(e3), xg::unconnected_zeros, o);
constexpr auto results = xg::outputs(e3, fuzz::dense(std::get<0>(slopes)));
}
TEST_CASE("program 1819") {
    using namespace p1819;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(fn(o = xg::array(fuzz::data<T>(15), 1)));
    };
    test::both_ways on{xg::function{results}};
    auto off = fuzz::without_planner(results);
    fuzz::agree(call(on, 9, 2), call(off, 9, 2), 1e-8);
    fuzz::expect(call(on, 9, 2), {{2.03452410544}, {-0.174122349805}}, 1e-8);
}

namespace p1846 {
using T = double;
constexpr auto d = xg::input<"d", T, t, b>;
constexpr auto ia = xg::input<"ia", std::int32_t, t, 2>;
constexpr auto e0 = xg::expand_dims<0>(d);
constexpr auto e1 = xg::minimum(ia, ia);
constexpr auto slopes = xg::gradients(xg::ys(e0), xg::unconnected_zeros, d);
constexpr auto g0 = fuzz::dense(std::get<0>(slopes));
constexpr auto h_ = fuzz::dense(std::get<0>(xg::gradients(xg::sum(xg::square(g0)), xg::unconnected_zeros, d)));
constexpr auto results = xg::outputs(e1, e0, g0, h_);
}
TEST_CASE("program 1846") {
    using namespace p1846;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(fn(d = xg::array(fuzz::data<T>(17), N, B), ia = xg::array(fuzz::integers(103, 3), N, 2)));
    };
    test::both_ways on{xg::function{results}};
    auto off = fuzz::without_planner(results);
    fuzz::agree(call(on, 9, 2), call(off, 9, 2), 1e-8);
    fuzz::expect(call(on, 9, 2),
        {{1, 2, 2, 1},
            {0.613770842087, 0.0860521392897, 0.906421187799, 0.529155536555, 0.802297203802, 0.795206366107, -0.370248840656,
                0.227123186924, 0.790798846632, 0.0171209177934, 0.574419758748, -0.500675329473, 0.56395112304, 0.854059919715,
                0.169544930104, -0.14278717991, 0.482827962376, 0.166413429659},
            {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
        1e-8);
    fuzz::agree(call(on, 17, 1), call(off, 17, 1), 1e-8);
    fuzz::expect(call(on, 17, 1),
        {{1, 2},
            {0.613770842087, 0.0860521392897, 0.906421187799, 0.529155536555, 0.802297203802, 0.795206366107, -0.370248840656,
                0.227123186924, 0.790798846632, 0.0171209177934, 0.574419758748, -0.500675329473, 0.56395112304, 0.854059919715,
                0.169544930104, -0.14278717991, 0.482827962376},
            {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
        1e-8);
}

namespace p1890 {
using T = double;
constexpr auto ia = xg::input<"ia", std::int32_t, t, 2>;
constexpr auto m = xg::input<"m", T, 3, 4>;
constexpr auto e0 = xg::gather(m, ia);
constexpr auto e1 = xg::log1p(xg::square(e0));
constexpr auto slopes = xg::gradients(xg::ys(e1), xg::unconnected_zeros, m);
constexpr auto results = xg::outputs(e1, fuzz::dense(std::get<0>(slopes)));
}
TEST_CASE("program 1890") {
    using namespace p1890;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(fn(ia = xg::array(fuzz::integers(103, 3), N, 2), m = xg::array(fuzz::data<T>(10), 3, 4)));
    };
    test::both_ways on{xg::function{results}};
    auto off = fuzz::without_planner(results);
    fuzz::agree(call(on, 9, 2), call(off, 9, 2), 1e-8);
    fuzz::expect(call(on, 9, 2),
        {{0.0258020953169, 0.0602561039057, 0.231049427858, 0.290578336789, 0.00703585369584, 0.146523665759, 0.497217481528,
             0.00620071756456, 0.00703585369584, 0.146523665759, 0.497217481528, 0.00620071756456, 0.0258020953169, 0.0602561039057,
             0.231049427858, 0.290578336789},
            {0, 0, 0, 0, -0.630215705225, -0.938570056414, -1.61859283306, -1.73703113628, -0.333754488448, 1.37240495877, -1.95259122882,
                -0.313517372824}},
        1e-8);
    fuzz::agree(call(on, 0, 2), call(off, 0, 2), 1e-8);
    fuzz::expect(call(on, 0, 2),
        {{0.0258020953169, 0.0602561039057, 0.231049427858, 0.290578336789, 0.00703585369584, 0.146523665759, 0.497217481528,
             0.00620071756456, 0.00703585369584, 0.146523665759, 0.497217481528, 0.00620071756456, 0.0258020953169, 0.0602561039057,
             0.231049427858, 0.290578336789},
            {0, 0, 0, 0, -0.630215705225, -0.938570056414, -1.61859283306, -1.73703113628, -0.333754488448, 1.37240495877, -1.95259122882,
                -0.313517372824}},
        1e-8);
}

namespace p1897 {
using T = double;
constexpr auto v = xg::input<"v", T, 4, 5>;
constexpr auto e0 = 0.25_c + v;
constexpr auto e1 = xg::exp(e0);
constexpr auto results = xg::outputs(e1, e0);
}
TEST_CASE("program 1897") {
    using namespace p1897;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(fn(v = xg::array(fuzz::data<T>(9), 4, 5)));
    };
    test::both_ways on{xg::function{results}};
    fuzz::expect(call(on, 9, 2),
        {{0.950671620989, 1.58190630204, 1.33421514309, 0.513310250203, 1.76400580439, 0.499866819732, 1.95902657822, 1.37536889021,
             1.79520344144, 0.534023506112, 0.799198347519, 2.30993301394, 2.87904897507, 2.9279377216, 2.91882576117, 0.548835382712,
             1.11832285442, 1.23710942087, 2.71841885968, 1.51953623659},
            {-0.0505865747109, 0.45863064006, 0.28834321117, -0.66687484039, 0.56758724805, -0.693413576577, 0.672447706107, 0.318721978925,
                0.585118353367, -0.627315422054, -0.224146119319, 0.837218525819, 1.05746002262, 1.07429832593, 1.07118139882,
                -0.599956731778, 0.111830111593, 0.212777546141, 1.0000504097, 0.418405180797}},
        1e-8);
}

namespace p1904 {
using T = double;
constexpr auto ib = xg::input<"ib", std::int32_t>;
constexpr auto u = xg::input<"u", T, 1, 5>;
constexpr auto z = xg::input<"z", T, 5>;
constexpr auto e0 = xg::sparse_softmax_cross_entropy(z, ib);
constexpr auto e1 = xg::minimum(u, e0);
constexpr auto e2 = e1 - e0;
constexpr auto slopes = xg::gradients(xg::ys(e2), xg::unconnected_zeros, z);
constexpr auto results = xg::outputs(e2, fuzz::dense(std::get<0>(slopes)));
}
TEST_CASE("program 1904") {
    using namespace p1904;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(
            fn(ib = xg::array(fuzz::integers(104, 3)), u = xg::array(fuzz::data<T>(7), 1, 5), z = xg::array(fuzz::data<T>(2), 5)));
    };
    test::both_ways on{xg::function{results}};
    auto off = fuzz::without_planner(results);
    fuzz::agree(call(on, 9, 2), call(off, 9, 2), 1e-8);
    fuzz::expect(call(on, 9, 2),
        {{-1.18082419408, -0.708731668511, -2.49810936299, -1.78560153299, -1.41189041359},
            {-0.546367902757, -1.80569700052, 3.94055207666, -0.704297144452, -0.884190028933}},
        1e-8);
}

namespace p1910 {
using T = float;
constexpr auto c = xg::input<"c", T, 3, 1>;
constexpr auto n = xg::input<"n", T, b>;
constexpr auto e0 = n + c;
constexpr auto e1 = xg::slice<1, b - 1, b, 3>(e0);
constexpr auto e2 = e1 / (1.5_c + xg::square(e1));
constexpr auto e3 = -e2;
constexpr auto results = xg::outputs(e3, c);
}
TEST_CASE("program 1910") {
    using namespace p1910;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(fn(c = xg::array(fuzz::data<T>(12), 3, 1), n = xg::array(fuzz::data<T>(11), B)));
    };
    test::both_ways on{xg::function{results}};
    fuzz::expect(
        call(on, 9, 2), {{0.255357117247, -0.408237833699, -0.0888939478243}, {-0.935490727425, 0.728373527527, -0.370208740234}}, 1e-3);
    fuzz::expect(
        call(on, 2, 0), {{-0.0393733611026, -0.385563664987, -0.330417024557}, {-0.935490727425, 0.728373527527, -0.370208740234}}, 1e-3);
}

namespace p1916 {
using T = double;
constexpr auto o = xg::variable<"o", T, 1>;
constexpr auto xg_ = xg::input<"xg_", T, t, b, 3>;
constexpr auto e0 = xg::softmax<1, 2>(xg_);
constexpr auto e1 = (e0 > 0.25_c);
constexpr auto e2 = xg::select(e1, e0, o);
constexpr auto e3 = xg::sum<0, 1, 2>(e2);
}
TEST_CASE("program 1916") {
    using namespace p1916;
    auto const call = [](auto& train, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        train.assign(o, xg::array(fuzz::data<T>(15), 1));
        std::vector<std::vector<double>> all;
        all.push_back(fuzz::flat(train(xg_ = xg::array(fuzz::data<T>(26), N, B, 3))));
        all.push_back(fuzz::flat(train(xg_ = xg::array(fuzz::data<T>(26), N, B, 3))));
        all.push_back(fuzz::flat(train.value(o)));
        return all;
    };
    auto on = xg::minimize(e3, xg::gradient_descent{.learning_rate = 0.5});
    auto off = xg::minimize<xg::gating::graph, false>(e3, xg::gradient_descent{.learning_rate = 0.5});
    fuzz::agree(call(on, 9, 2), call(off, 9, 2), 1e-8);
    fuzz::expect(call(on, 9, 2), {{-0.880641924217}, {-1458.88064192}, {-54.0163081838}}, 1e-8);
    fuzz::agree(call(on, 1, 1), call(off, 1, 1), 1e-8);
    fuzz::expect(call(on, 1, 1), {{0.840791971436}, {0.340791971436}, {-1.01630818378}}, 1e-8);
}

namespace p1990 {
using T = float;
constexpr auto g = xg::input<"g", T, 6, 5>;
constexpr auto e0 = xg::sin(g);
constexpr auto e1 = xg::log_sum_exp<1>(e0, xg::keep_dims);
constexpr auto e2 = xg::mean<0>(e0, xg::keep_dims);
constexpr auto e3 = e1 + e2;
constexpr auto slopes = xg::gradients(xg::ys(e3, g), xg::unconnected_zeros, g);
constexpr auto results = xg::outputs(e3, g, fuzz::dense(std::get<0>(slopes)));
}
TEST_CASE("program 1990") {
    using namespace p1990;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(fn(g = xg::array(fuzz::data<T>(14), 6, 5)));
    };
    test::both_ways on{xg::function{results}};
    fuzz::expect(call(on, 9, 2),
        {{1.95267358494, 1.509145349, 2.15524372528, 1.81386513307, 1.50126662032, 1.93879123579, 1.49526299986, 2.14136137614,
             1.79998278393, 1.48738427118, 1.89985497648, 1.45632674055, 2.10242511682, 1.76104652462, 1.44844801187, 2.16125558391,
             1.71772734798, 2.36382572426, 2.02244713205, 1.7098486193, 1.89184209425, 1.44831385832, 2.0944122346, 1.75303364239,
             1.44043512964, 1.71850811801, 1.27497988208, 1.92107825835, 1.57969966615, 1.2671011534},
            {-0.23415595293, 0.313255101442, 0.497935324907, -0.487824946642, 0.408386200666, -0.127531588078, -0.773724973202,
                0.992588341236, 0.493447929621, -0.754043519497, 0.993835330009, -0.127810239792, -0.557339787483, -0.712846517563,
                0.245712801814, 0.486623972654, -0.265309333801, 0.864353001118, 0.744811296463, -0.26695510745, -0.356407254934,
                -0.336306065321, 0.758045375347, 0.512514591217, -0.804886758327, 0.511675238609, -0.482008248568, 0.0684595257044,
                -0.267928481102, -0.634021222591},
            {2.6286337358, 3.05236733511, 3.0831527374, 2.35348009542, 3.0787746421, 2.74503790547, 2.02198396233, 2.63538065144,
                3.10026997355, 2.04590803325, 2.67617367167, 2.77466161311, 2.29699633856, 2.10916708142, 3.0790648813, 2.85791002633,
                2.47752614689, 2.60795819628, 2.73485504145, 2.47605064663, 2.53465469437, 2.55731646332, 3.03138395464, 3.15767014799,
                1.99790479102, 3.4011060199, 2.48513450411, 3.14586915232, 2.75971325008, 2.28451139924}},
        1e-3);
}
