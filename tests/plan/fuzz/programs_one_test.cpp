// SPDX-License-Identifier: MIT
// Made by programs.py from the numbers of its cases.
#include <support/programs.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using fuzz::b;
using fuzz::t;

}
namespace p1001 {
using T = double;
constexpr auto v = xg::variable<"v", T, 4, 5>;
constexpr auto e0 = xg::transpose<1, 0>(v);
constexpr auto e1 = e0 + e0;
constexpr auto e2 = xg::sum<0, 1>(e1);
}
TEST_CASE("program 1001") {
    using namespace p1001;
    auto const call = [](auto& train, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        train.assign(v, xg::array(fuzz::data<T>(9), 4, 5));
        std::vector<std::vector<double>> all;
        all.push_back(fuzz::flat(train()));
        all.push_back(fuzz::flat(train()));
        all.push_back(fuzz::flat(train.value(v)));
        return all;
    };
    auto on = xg::minimize(e2, xg::gradient_descent{.learning_rate = 0.5});
    fuzz::expect(call(on, 9, 2),
        {{1.62355478853}, {-38.3764452115},
            {-2.30058657471, -1.79136935994, -1.96165678883, -2.91687484039, -1.68241275195, -2.94341357658, -1.57755229389, -1.93127802107,
                -1.66488164663, -2.87731542205, -2.47414611932, -1.41278147418, -1.19253997738, -1.17570167407, -1.17881860118,
                -2.84995673178, -2.13816988841, -2.03722245386, -1.2499495903, -1.8315948192}},
        1e-8);
}

namespace p1004 {
using T = double;
constexpr auto ib = xg::input<"ib", std::int32_t>;
constexpr auto xa = xg::input<"xa", T, 3>;
constexpr auto xf = xg::input<"xf", T, 3, 3>;
constexpr auto e0 = xa - xf;
constexpr auto e1 = (e0 <= xa);
constexpr auto e2 = xg::logical_and(e1, e1);
constexpr auto e3 = 5_c - ib;
constexpr auto results = xg::outputs(e3, e2);
}
TEST_CASE("program 1004") {
    using namespace p1004;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(
            fn(ib = xg::array(fuzz::integers(104, 3)), xa = xg::array(fuzz::data<T>(20), 3), xf = xg::array(fuzz::data<T>(25), 3, 3)));
    };
    test::both_ways on{xg::function{results}};
    fuzz::expect(call(on, 9, 2), {{3}, {1, 1, 0, 1, 0, 1, 1, 1, 1}}, 1e-8);
}

namespace p1021 {
using T = float;
constexpr auto d = xg::input<"d", T, t, b>;
constexpr auto n = xg::input<"n", T, b>;
constexpr auto e0 = d * n;
constexpr auto e1 = 0.25_c + e0;
constexpr auto slopes = xg::gradients(xg::ys(e1), xg::unconnected_zeros, n);
constexpr auto g0 = fuzz::dense(std::get<0>(slopes));
constexpr auto h_ = fuzz::dense(std::get<0>(xg::gradients(xg::sum(xg::square(g0)), xg::unconnected_zeros, d)));
constexpr auto results = xg::outputs(e1, g0, h_);
}
TEST_CASE("program 1021") {
    using namespace p1021;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(fn(d = xg::array(fuzz::data<T>(17), N, B), n = xg::array(fuzz::data<T>(11), B)));
    };
    test::both_ways on{xg::function{results}};
    fuzz::expect(call(on, 9, 2),
        {{0.67726000266, 0.335595097585, 0.100238154313, -0.139519202062, 0.411849702879, 0.0253674023376, 0.0279330385103, 0.420582248635,
             0.649486899022, 0.261918265049, 0.82136884964, 0.332723199089, -0.165132743089, 0.422291952381, 0.202106370429, 0.164359454788,
             0.612630873669, 0.334066870183},
            {0.630891760811, 0.660471878946, 0.405745863914, 1.09310668707, 1.65635710955, 0.964751303196, -0.513036027551, 0.709951147437,
                0.957212269306},
            {1.26178352162, 1.32094375789, 0.811491727829, 2.18621337414, 3.31271421909, 1.92950260639, -1.0260720551, 1.41990229487,
                1.91442453861, 1.26178352162, 1.32094375789, 0.811491727829, 2.18621337414, 3.31271421909, 1.92950260639, -1.0260720551,
                1.41990229487, 1.91442453861}},
        1e-3);
}

namespace p1025 {
using T = double;
constexpr auto ib = xg::input<"ib", std::int32_t>;
constexpr auto j = xg::input<"j", std::int32_t, b, t>;
constexpr auto xf = xg::input<"xf", T, 3, 3>;
constexpr auto e0 = xg::gather(xf, ib);
constexpr auto e1 = (j > 1_c);
constexpr auto e2 = xg::logical_not(e1);
constexpr auto e3 = xg::cast<std::int32_t>(e2);
constexpr auto slopes = xg::gradients(xg::ys(e0), xg::unconnected_zeros, xf);
constexpr auto g0 = fuzz::dense(std::get<0>(slopes));
constexpr auto h_ = fuzz::dense(std::get<0>(xg::gradients(xg::sum(xg::square(g0)), xg::unconnected_zeros, xf)));
constexpr auto results = xg::outputs(e3, e0, g0, h_);
}
TEST_CASE("program 1025") {
    using namespace p1025;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(fn(
            ib = xg::array(fuzz::integers(104, 3)), j = xg::array(fuzz::integers(101, 6), B, N), xf = xg::array(fuzz::data<T>(25), 3, 3)));
    };
    test::both_ways on{xg::function{results}};
    fuzz::expect(call(on, 9, 2),
        {{0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0}, {0.111192255747, 0.696905911434, 0.725140539464},
            {0, 0, 0, 0, 0, 0, 1, 1, 1}, {0, 0, 0, 0, 0, 0, 0, 0, 0}},
        1e-8);
    fuzz::expect(call(on, 1, 1),
        {{0}, {0.111192255747, 0.696905911434, 0.725140539464}, {0, 0, 0, 0, 0, 0, 1, 1, 1}, {0, 0, 0, 0, 0, 0, 0, 0, 0}}, 1e-8);
}

namespace p1035 {
using T = double;
constexpr auto x = xg::input<"x", T, b, 5>;
constexpr auto e0 = xg::broadcast_to<1, b, 5>(x);
constexpr auto e1 = xg::transpose<1, 2, 0>(e0);
constexpr auto e2 = xg::broadcast_to<b, 5, 2>(e1);
constexpr auto e3 = xg::tanh(e1);
constexpr auto e4 = xg::sqrt(0.5_c + xg::square(e3));
constexpr auto results = xg::outputs(e4, e2);
}
TEST_CASE("program 1035") {
    using namespace p1035;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(fn(x = xg::array(fuzz::data<T>(0), B, 5)));
    };
    test::both_ways on{xg::function{results}};
    auto off = fuzz::without_planner(results);
    fuzz::agree(call(on, 9, 2), call(off, 9, 2), 1e-8);
    fuzz::expect(call(on, 9, 2),
        {{0.731324915818, 0.869029365958, 0.77565248192, 0.720785088133, 0.945187928739, 0.955253753962, 0.957513517864, 0.8150215574,
             0.851274944856, 0.712566703828, 0.961431282714, 0.710621532297, 0.915288827379, 0.909510082109, 0.711699596484, 0.848350390898,
             1.01925415342, 1.01683873217, 0.758648572782, 0.7864143163, 0.948756499085, 1.02300186748, 0.707147455226, 0.714891908946,
             0.827002519533, 0.740725709791, 0.727629790755, 0.861551334622, 0.946747489967, 0.725731907304, 0.818629035578, 0.707129681858,
             1.03551554644, 1.01886432965, 0.787498997449, 0.96337247497, 0.991684584701, 0.800143122445, 0.909835718637, 1.02890439793,
             1.01074619468, 0.899391413136, 0.825308090732, 0.778726524033, 0.707490187641},
            {-0.188858183566, -0.188858183566, -0.556243774481, -0.556243774481, -0.330316599458, -0.330316599458, 0.140674530994,
                0.140674530994, 0.736787471455, 0.736787471455, -0.762026749551, -0.762026749551, -0.767760586925, -0.767760586925,
                0.429962765891, 0.429962765891, -0.51520744944, -0.51520744944, -0.0882700523362, -0.0882700523362, -0.777764315251,
                -0.777764315251, -0.0707077006809, -0.0707077006809, -0.664221217856, -0.664221217856, -0.650522335432, -0.650522335432,
                0.0808997284621, 0.0808997284621, 0.508428609464, 0.508428609464, -0.937526636757, -0.937526636757, 0.930284165777,
                0.930284165777, -0.282112740446, -0.282112740446, 0.358806112316, 0.358806112316, -0.745681169443, -0.745681169443,
                0.948886611033, 0.948886611033, -0.00758456578478, -0.00758456578478, -0.105607028119, -0.105607028119, 0.458516445477,
                0.458516445477, -0.224311054684, -0.224311054684, -0.173310396727, -0.173310396727, -0.538972796872, -0.538972796872,
                -0.740667201579, -0.740667201579, 0.16483786935, 0.16483786935, 0.438616088592, 0.438616088592, -0.0056910160929,
                -0.0056910160929, 0.987981068902, 0.987981068902, -0.936353649013, -0.936353649013, -0.361612228677, -0.361612228677,
                0.782751596067, 0.782751596067, 0.85813840013, 0.85813840013, 0.393614014145, 0.393614014145, -0.651292033494,
                -0.651292033494, 0.967095356435, 0.967095356435, 0.912278888747, 0.912278888747, -0.626723766327, -0.626723766327,
                -0.454508271534, -0.454508271534, -0.33858451061, -0.33858451061, -0.0232929559425, -0.0232929559425}},
        1e-8);
    fuzz::agree(call(on, 1, 1), call(off, 1, 1), 1e-8);
    fuzz::expect(call(on, 1, 1),
        {{0.731324915818, 0.869029365958, 0.77565248192, 0.720785088133, 0.945187928739},
            {-0.188858183566, -0.188858183566, -0.556243774481, -0.556243774481, -0.330316599458, -0.330316599458, 0.140674530994,
                0.140674530994, 0.736787471455, 0.736787471455}},
        1e-8);
}

namespace p1061 {
using T = float;
constexpr auto p = xg::input<"p", T, b, 3, 1>;
constexpr auto e0 = p * 1.5_c;
constexpr auto e1 = (e0 > 0.25_c);
constexpr auto e2 = xg::logical_and(e1, e1);
constexpr auto e3 = xg::cast<std::int32_t>(e2);
constexpr auto e4 = xg::concat<0>(e0, p);
constexpr auto slopes = xg::gradients(xg::ys(e4), xg::unconnected_zeros, p);
constexpr auto results = xg::outputs(e4, e3, fuzz::dense(std::get<0>(slopes)));
}
TEST_CASE("program 1061") {
    using namespace p1061;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(fn(p = xg::array(fuzz::data<T>(5), B, 3, 1)));
    };
    test::both_ways on{xg::function{results}};
    fuzz::expect(call(on, 9, 2),
        {{0.467836529016, 0.580053091049, -0.27573633939, -0.203542694449, -0.616703554988, 1.23187074065, -1.09927725792, -1.01399230957,
             -1.14455232024, 0.299268119037, 1.16795271635, 0.99538564682, 0.614330425858, -1.18666604161, -1.32448849082, -1.45075428486,
             -0.624052137136, -0.770825028419, 0.544724553823, -0.381757378578, -0.0616609118879, 0.736234411597, 0.0200715805404,
             0.212440498173, -0.709231048822, 0.514648765326, -0.978861898184, 0.311891019344, 0.386702060699, -0.18382422626,
             -0.135695129633, -0.411135703325, 0.821247160435, -0.73285150528, -0.675994873047, -0.763034880161, 0.199512079358,
             0.778635144234, 0.663590431213, 0.409553617239, -0.791110694408, -0.882992327213, -0.967169523239, -0.416034758091,
             -0.51388335228, 0.363149702549, -0.254504919052, -0.0411072745919, 0.490822941065, 0.0133810536936, 0.141626998782,
             -0.472820699215, 0.343099176884, -0.652574598789},
            {1, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0},
            {2.5, 2.5, 2.5, 2.5, 2.5, 2.5, 2.5, 2.5, 2.5, 2.5, 2.5, 2.5, 2.5, 2.5, 2.5, 2.5, 2.5, 2.5, 2.5, 2.5, 2.5, 2.5, 2.5, 2.5, 2.5,
                2.5, 2.5}},
        1e-3);
    fuzz::expect(call(on, 1, 1),
        {{0.467836529016, 0.580053091049, -0.27573633939, 0.311891019344, 0.386702060699, -0.18382422626}, {1, 1, 0}, {2.5, 2.5, 2.5}},
        1e-3);
}

namespace p1062 {
using T = double;
constexpr auto m = xg::input<"m", T, 3, 4>;
constexpr auto p = xg::input<"p", T, b, 3, 1>;
constexpr auto e0 = p / (1.5_c + xg::square(m));
constexpr auto e1 = xg::slice<2, 0, 2>(e0);
constexpr auto e2 = xg::reshape<6, b>(e1);
constexpr auto e3 = xg::sqrt(0.5_c + xg::square(e1));
constexpr auto slopes = xg::gradients(xg::ys(e3, e2), xg::unconnected_zeros, m, p);
constexpr auto results = xg::outputs(e3, e2, fuzz::dense(std::get<0>(slopes)), fuzz::dense(std::get<1>(slopes)));
}
TEST_CASE("program 1062") {
    using namespace p1062;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(fn(m = xg::array(fuzz::data<T>(10), 3, 4), p = xg::array(fuzz::data<T>(5), B, 3, 1)));
    };
    test::both_ways on{xg::function{results}};
    fuzz::expect(call(on, 9, 2),
        {{0.729118688142, 0.731937772536, 0.751135470413, 0.749187336537, 0.717549986141, 0.715748087879, 0.711325634412, 0.711873447234,
             0.756686394604, 0.754500129324, 0.892721691464, 0.863368027492, 0.821306665463, 0.835036050833, 0.834386072662, 0.829016496926,
             0.869681801623, 0.843710530744, 0.716195773196, 0.717371454658, 0.871954001505, 0.865132229921, 0.832996131063, 0.812543312149,
             0.744655959906, 0.749409544577, 0.876762198311, 0.869758113127, 0.918304463574, 0.885264280526, 0.896662884583, 0.918483296515,
             0.757835194305, 0.755599841939, 0.785028646095, 0.772066552551, 0.736789918847, 0.740569594394, 0.726505501411, 0.72563366575,
             0.707632676625, 0.707541414886, 0.760455940508, 0.767133417671, 0.707161138929, 0.707158664451, 0.713324204879, 0.712248820138,
             0.756739938779, 0.762968703977, 0.74198512885, 0.740433030693, 0.829155570675, 0.809290530771},
            {0.17780343472, 0.189031486438, 0.253386059032, 0.24755133857, -0.121975336078, -0.110884287895, -0.0773573407751,
                -0.0822423545227, -0.269396176251, -0.26319279084, 0.5449330403, 0.495383034526, -0.417785397942, -0.444167993208,
                -0.442944825292, -0.432745135357, -0.506306662088, -0.460268899328, 0.113738232552, 0.120920651493, 0.510199745923,
                0.498451377016, 0.440320967439, 0.4002831924, 0.233479118175, 0.248223015659, -0.518374336157, -0.506437730971,
                -0.585903650628, -0.532628244065, -0.55136587543, -0.586183901159, -0.272606276022, -0.266328971648, -0.340983834205,
                -0.309978646955, 0.20702508185, 0.220098441932, -0.166764035632, -0.162923960393, -0.0272764555478, -0.0247962452652,
                0.279809287647, 0.297478874051, 0.00876791941552, 0.00856602054618, 0.0939756418753, 0.0854305670621, -0.269546535766,
                -0.286568042964, 0.224815327402, 0.219638505141, -0.433011501442, -0.393638366011},
            {-0.372188605162, 0.34559494114, 0, 0, 0.117205171287, 0.165875122159, 0, 0, 0.0787444869963, -0.261713215925, 0, 0},
            {1.47171213711, 1.72797504378, 1.06050718841, 1.04414653481, 0.838819337662, 2.01789865706, 0.563788468395, 0.613399160374,
                0.551385641451, 1.36885945698, 2.04764232651, 1.91465833233, 1.55565638534, 0.535252898541, 0.480466188356, 0.438808781934,
                0.834065379367, 0.73635251913, 1.51647533046, 1.00126866404, 1.22003471556, 1.62095141819, 1.31128791435, 1.42652057471,
                0.74546183737, 1.68383824369, 0.62682796244}},
        1e-8);
}

namespace p1066 {
using T = double;
constexpr auto k = xg::input<"k", T, t, 5>;
constexpr auto e0 = xg::reshape<t, 5>(k);
constexpr auto e1 = xg::sum<1>(e0);
constexpr auto e2 = xg::softplus(e1);
constexpr auto e3 = xg::slice<0, t - 1, t, 3>(e2);
constexpr auto slopes = xg::gradients(xg::ys(e3), xg::unconnected_zeros, k);
constexpr auto results = xg::outputs(e3, fuzz::dense(std::get<0>(slopes)));
}
TEST_CASE("program 1066") {
    using namespace p1066;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(fn(k = xg::array(fuzz::data<T>(13), N, 5)));
    };
    test::both_ways on{xg::function{results}};
    auto off = fuzz::without_planner(results);
    fuzz::agree(call(on, 9, 2), call(off, 9, 2), 1e-8);
    fuzz::expect(call(on, 9, 2),
        {{0.787667645358}, {0, 0, 0, 0, 0, 0.545095442312, 0.545095442312, 0.545095442312, 0.545095442312, 0.545095442312}}, 1e-8);
    fuzz::agree(call(on, 1, 1), call(off, 1, 1), 1e-8);
    fuzz::expect(call(on, 1, 1), {{2.05574831564}, {0.872002982439, 0.872002982439, 0.872002982439, 0.872002982439, 0.872002982439}}, 1e-8);
}

namespace p1068 {
using T = double;
constexpr auto g = xg::variable<"g", T, 6, 5>;
constexpr auto s = xg::variable<"s", T>;
constexpr auto e0 = g + s;
constexpr auto e1 = xg::transpose<1, 0>(e0);
constexpr auto e2 = xg::mean<0, 1>(e1);
}
TEST_CASE("program 1068") {
    using namespace p1068;
    auto const call = [](auto& train, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        train.assign(g, xg::array(fuzz::data<T>(14), 6, 5));
        train.assign(s, xg::array(fuzz::data<T>(3)));
        std::vector<std::vector<double>> all;
        all.push_back(fuzz::flat(train()));
        all.push_back(fuzz::flat(train()));
        all.push_back(fuzz::flat(train.value(g)));
        all.push_back(fuzz::flat(train.value(s)));
        return all;
    };
    auto on = xg::minimize(e2, xg::gradient_descent{.learning_rate = 0.5});
    fuzz::expect(call(on, 9, 2),
        {{-0.389217906088}, {-0.905884572755},
            {-0.267489286264, 0.279921769506, 0.464601993902, -0.521158292082, 0.375052853363, -0.160864925602, -0.807058320039,
                0.95925499533, 0.460114602807, -0.787376834204, 0.960502002264, -0.161143577316, -0.590673140374, -0.746179849965,
                0.212379467549, 0.453290631405, -0.298642668066, 0.831019682686, 0.711477942175, -0.300288450097, -0.389740578954,
                -0.369639387013, 0.724712051793, 0.479181240654, -0.838220111684, 0.478341875474, -0.515341575382, 0.0351261919054,
                -0.301261815832, -0.667354533107},
            {-1.41263603792}},
        1e-8);
}

namespace p1072 {
using T = float;
constexpr auto ia = xg::input<"ia", std::int32_t, t, 2>;
constexpr auto xa = xg::input<"xa", T, 3>;
constexpr auto e0 = xg::gather(xa, ia);
constexpr auto e1 = xg::sigmoid(e0);
constexpr auto e2 = (e1 > e0);
constexpr auto e3 = xg::logical_not(e2);
constexpr auto e4 = xg::logical_and(e3, e3);
constexpr auto results = xg::outputs(e4);
}
TEST_CASE("program 1072") {
    using namespace p1072;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(fn(ia = xg::array(fuzz::integers(103, 3), N, 2), xa = xg::array(fuzz::data<T>(20), 3)));
    };
    test::both_ways on{xg::function{results}};
    auto off = fuzz::without_planner(results);
    fuzz::agree(call(on, 9, 2), call(off, 9, 2), 1e-3);
    fuzz::expect(call(on, 9, 2), {{0, 0, 0, 0}}, 1e-3);
    fuzz::agree(call(on, 2, 0), call(off, 2, 0), 1e-3);
    fuzz::expect(call(on, 2, 0), {{}}, 1e-3);
}

namespace p1090 {
using T = double;
constexpr auto g = xg::input<"g", T, 6, 5>;
constexpr auto i = xg::input<"i", std::int32_t, b>;
constexpr auto ib = xg::input<"ib", std::int32_t>;
constexpr auto j = xg::input<"j", std::int32_t, b, t>;
constexpr auto e0 = xg::embedding_bag(g, j);
constexpr auto e1 = xg::maximum(i, ib);
constexpr auto e2 = std::get<1>(xg::top_k<1>(e0));
constexpr auto e3 = e0 * 1.5_c;
constexpr auto results = xg::outputs(e3, e1, e2);
}
TEST_CASE("program 1090") {
    using namespace p1090;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(fn(g = xg::array(fuzz::data<T>(14), 6, 5), i = xg::array(fuzz::integers(100, 6), B),
            ib = xg::array(fuzz::integers(104, 3)), j = xg::array(fuzz::integers(101, 6), B, N)));
    };
    test::both_ways on{xg::function{results}};
    auto off = fuzz::without_planner(results);
    fuzz::agree(call(on, 9, 2), call(off, 9, 2), 1e-8);
    fuzz::expect(call(on, 9, 2),
        {{2.25826581661, -0.914727729047, -0.733320422703, -1.4711624987, -0.582462598337, -0.885844797827, -0.0345764262602, 1.88397106854,
             0.0370344228577, -0.594750887481, 1.53502562642, -1.44602472614, 0.205378575716, -0.803785447497, -1.90206359932,
             0.378702017711, 0.0719186521601, 2.04343251488, 0.385479475139, 0.212146604899, 1.53502562642, -1.44602472614, 0.205378575716,
             -0.803785447497, -1.90206359932, 1.49744876032, -1.12097636517, 1.39921881189, 0.715324189514, -1.35146447481, -0.542531317798,
             -0.6907048258, 2.23578548385, 0.00843446608633, -0.518485971261, 0.195325078676, -0.902423082618, 2.43359760172, 1.88598877424,
             -1.60776284267, -0.725908256834, -1.66504656058, 2.62595057068, 1.50894376519, -2.33839541883},
            {3, 2, 2, 2, 2, 2, 2, 2, 4}, {0, 2, 0, 2, 0, 0, 2, 2, 2}},
        1e-8);
    fuzz::agree(call(on, 1, 3), call(off, 1, 3), 1e-8);
    fuzz::expect(call(on, 1, 3), {{1.72365494817, -1.41918680957, 0.403747654986, -0.702390637714, -1.78979276586}, {3}, {0}}, 1e-8);
}

namespace p1134 {
using T = float;
constexpr auto q = xg::input<"q", T, b, t, 5>;
constexpr auto y = xg::input<"y", T, b, 1>;
constexpr auto e0 = xg::max<1>(q);
constexpr auto e1 = xg::stop_gradient(e0);
constexpr auto e2 = xg::matmul<true, false>(e1, y);
constexpr auto slopes = xg::gradients(xg::ys(e2), xg::unconnected_zeros, y);
constexpr auto g0 = fuzz::dense(std::get<0>(slopes));
constexpr auto h_ = fuzz::dense(std::get<0>(xg::gradients(xg::sum(xg::square(g0)), xg::unconnected_zeros, y)));
constexpr auto results = xg::outputs(e2, g0, h_);
}
TEST_CASE("program 1134") {
    using namespace p1134;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(fn(q = xg::array(fuzz::data<T>(4), B, N, 5), y = xg::array(fuzz::data<T>(1), B, 1)));
    };
    test::both_ways on{xg::function{results}};
    fuzz::expect(call(on, 9, 2),
        {{1.36515500597, 1.19531582679, -0.29106217761, 0.208471242186, 1.8958973942},
            {1.01898792386, 1.5418779254, 2.28456576169, 2.34454011358, 1.85677805543, 1.87439680099, 1.53613497317, 1.96586316824,
                1.10697934031},
            {0, 0, 0, 0, 0, 0, 0, 0, 0}},
        1e-3);
}

namespace p1150 {
using T = double;
constexpr auto c = xg::input<"c", T, 3, 1>;
constexpr auto xa = xg::variable<"xa", T, 3>;
constexpr auto e0 = c * xa;
constexpr auto e1 = xg::minimum(xa, e0);
constexpr auto e2 = xg::abs(e1);
constexpr auto e3 = 0.25_c + e2;
constexpr auto e4 = xg::mean<0, 1>(e3);
}
TEST_CASE("program 1150") {
    using namespace p1150;
    auto const call = [](auto& train, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        train.assign(xa, xg::array(fuzz::data<T>(20), 3));
        std::vector<std::vector<double>> all;
        all.push_back(fuzz::flat(train(c = xg::array(fuzz::data<T>(12), 3, 1))));
        all.push_back(fuzz::flat(train(c = xg::array(fuzz::data<T>(12), 3, 1))));
        all.push_back(fuzz::flat(train.value(xa)));
        return all;
    };
    auto on = xg::minimize(e4, xg::gradient_descent{.learning_rate = 0.5});
    fuzz::expect(call(on, 9, 2), {{0.831742067356}, {0.665075400689}, {-0.306499107896, -0.352800239033, -0.0859268551382}}, 1e-8);
}

namespace p1159 {
using T = double;
constexpr auto i = xg::input<"i", std::int32_t, b>;
constexpr auto ib = xg::input<"ib", std::int32_t>;
constexpr auto xa = xg::input<"xa", T, 3>;
constexpr auto xg_ = xg::input<"xg_", T, t, b, 3>;
constexpr auto e0 = i + ib;
constexpr auto e1 = (xg_ > xa);
constexpr auto e2 = xg::cast<T>(e1);
constexpr auto results = xg::outputs(e2, e0);
}
TEST_CASE("program 1159") {
    using namespace p1159;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(fn(i = xg::array(fuzz::integers(100, 6), B), ib = xg::array(fuzz::integers(104, 3)),
            xa = xg::array(fuzz::data<T>(20), 3), xg_ = xg::array(fuzz::data<T>(26), N, B, 3)));
    };
    test::both_ways on{xg::function{results}};
    auto off = fuzz::without_planner(results);
    fuzz::agree(call(on, 9, 2), call(off, 9, 2), 1e-8);
    fuzz::expect(call(on, 9, 2),
        {{1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
             0, 0, 1, 1, 1, 1, 1, 0, 1, 1, 1},
            {5, 2, 2, 3, 3, 2, 4, 4, 6}},
        1e-8);
    fuzz::agree(call(on, 2, 0), call(off, 2, 0), 1e-8);
    fuzz::expect(call(on, 2, 0), {{}, {5, 2}}, 1e-8);
}

namespace p1165 {
using T = double;
constexpr auto y = xg::input<"y", T, b, 1>;
constexpr auto z = xg::input<"z", T, 5>;
constexpr auto e0 = z * y;
constexpr auto e1 = (e0 > 0.25_c);
constexpr auto e2 = xg::logical_not(e1);
constexpr auto e3 = xg::select(e2, e0, z);
constexpr auto slopes = xg::gradients(xg::ys(e3), xg::unconnected_zeros, z);
constexpr auto results = xg::outputs(e3, e2, fuzz::dense(std::get<0>(slopes)));
}
TEST_CASE("program 1165") {
    using namespace p1165;
    auto const call = [](auto& fn, [[maybe_unused]] std::size_t B, [[maybe_unused]] std::size_t N) {
        return fuzz::copies(fn(y = xg::array(fuzz::data<T>(1), B, 1), z = xg::array(fuzz::data<T>(2), 5)));
    };
    test::both_ways on{xg::function{results}};
    auto off = fuzz::without_planner(results);
    fuzz::agree(call(on, 9, 2), call(off, 9, 2), 1e-8);
    fuzz::expect(call(on, 9, 2),
        {{0.0137630373297, -0.00812725889402, 0.00163665808141, 0.00911348657053, 0.00494803327189, -0.573625057863, 0.443822296336,
             -0.06821372813, -0.379837977339, -0.206227433953, -0.595698872143, 0.443822296336, -0.0708386782528, -0.39445462083,
             -0.214163325201, -0.751587086357, -0.351760176874, 0.0708370612659, -0.497679302469, 0.214158436639, -0.729385477851,
             0.443822296336, -0.0867362783513, -0.482978037325, -0.262225810044, -0.621282526846, 0.443822296336, -0.0738810078069,
             -0.41139537947, -0.22336106053, -0.751587086357, -0.211034807618, 0.0424979476906, 0.236643487087, 0.128482095038,
             0.175884748464, -0.103862312659, 0.0209156734865, 0.116465810176, 0.0632333958391, -0.748377771062, 0.443822296336,
             -0.0889947834635, -0.495554186396, -0.269053844907},
            {1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0,
                1, 1, 1},
            {6.0962943295, 3.47960645147, 2.82823053654, 4.62080040015, 2.82823053654}},
        1e-8);
    fuzz::agree(call(on, 0, 2), call(off, 0, 2), 1e-8);
    fuzz::expect(call(on, 0, 2), {{}, {}, {0, 0, 0, 0, 0}}, 1e-8);
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
    test::both_ways on{xg::function{results}};
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
    test::both_ways on{xg::function{results}};
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
    test::both_ways on{xg::function{results}};
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
