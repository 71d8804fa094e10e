// SPDX-License-Identifier: MIT
// Made by clang-format and this command in tests/reference:
// python3 random_bodies.py --numbers 215,220,223,225,226 --name eight --out ../grad
// Bodies in bodies, with the values and derivatives of JAX.
#include <support/random_bodies.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using random_bodies::list_of, random_bodies::of, random_bodies::of_sines, random_bodies::read, random_bodies::rows;
}

namespace p215 {
constexpr auto e = xg::input<"e", double, 3, 1>;
constexpr auto s = xg::variable<"s", double>;
constexpr auto x = xg::variable<"x", double, 1>;
constexpr auto ids = xg::input<"ids", std::int32_t, 2>;
struct b0 : xg::region {
    static constexpr auto value(auto a0, auto) {
        auto n0 = xg::gather(e, ids);
        auto n1 = xg::mean(n0);
        auto n2 = xg::tanh(a0 + n1);
        return n2;
    }
};
constexpr auto e0 = xg::layers<1, b0>(x, x);
constexpr auto e1 = xg::sum(xg::sin(e0));
constexpr auto e2 = xg::prod<0>(x);
constexpr auto e3 = xg::vjp(e2, x, s);
constexpr auto e4 = xg::sum(xg::sin(e3));
constexpr auto loss = e1 + e4;
constexpr auto g = of(xg::gradients(xg::ys(loss), xg::unconnected_zeros, e, s, x));
constexpr auto results = list_of(std::tuple_cat(std::tuple(loss, e0), g, std::tuple<>(), std::tuple(read(e, s, x, ids))));
}
TEST_CASE("bodies, program 215") {
    using namespace p215;
    xg::variables owner{loss};
    xg::function f{results, owner};
    owner.assign(s, fuzz::data<double>(2)[0]);
    owner.assign(x, xg::array(fuzz::data<double>(3) + 0, 1));
    random_bodies::expect(f(e = xg::array(fuzz::data<double>(0) + 0, 3, 1), ids = xg::array(fuzz::integers(70, 3) + 0, 2)),
        {{-1.23619896677771}, {-0.586440549265515}, {0.273232798869737, 0, 0.273232798869737}, {0.730606128246883}, {0.546465597739473}});
    owner.assign(s, fuzz::data<double>(2)[32]);
    owner.assign(x, xg::array(fuzz::data<double>(3) + 32, 1));
    random_bodies::expect(f(e = xg::array(fuzz::data<double>(0) + 32, 3, 1), ids = xg::array(fuzz::integers(70, 3) + 32, 2)),
        {{-0.580153233819025}, {-0.107915049655376}, {0, 0.491302453337433, 0.491302453337433}, {0.881358804124612}, {0.982604906674866}});
}

namespace p220 {
constexpr auto e = xg::input<"e", double, 4, 2>;
constexpr auto q = xg::variable<"q", double, 4, 2>;
constexpr auto x = xg::variable<"x", double, 2>;
constexpr auto e0 = q + e;
constexpr auto e1 = xg::vjp(e0, e, q);
constexpr auto e2 = xg::select(xg::greater(e, 0.1_c), e0, e1);
struct b0 : xg::region {
    static constexpr auto value(auto a0) {
        auto n0 = x / (1.5_c + xg::square(x));
        auto n1 = a0 / (1.5_c + xg::square(n0));
        auto n2 = xg::mean(n1);
        auto n3 = xg::tanh(n0 + n2);
        return n3;
    }
};
constexpr auto e3 = xg::call<b0>(e2);
constexpr auto loss = xg::sum(xg::sin(e3));
constexpr auto g = of(xg::gradients(xg::ys(loss), xg::unconnected_zeros, e, q, x));
constexpr auto results = list_of(std::tuple_cat(std::tuple(loss, e3), g, std::tuple<>(), std::tuple(read(e, q, x))));
}
TEST_CASE("bodies, program 220") {
    using namespace p220;
    xg::variables owner{loss};
    xg::function f{results, owner};
    owner.assign(q, xg::array(fuzz::data<double>(1) + 0, 4, 2));
    owner.assign(x, xg::array(fuzz::data<double>(4) + 0, 2));
    random_bodies::expect(f(e = xg::array(fuzz::data<double>(0) + 0, 4, 2)),
        {{0.902455904851159}, {0.37416536788275, 0.56682954841049},
            {0, 0, 0, 0.103779146784388, 0.112890735025549, 0, 0, 0.103779146784388},
            {0.112890735025549, 0.103779146784388, 0.112890735025549, 0.103779146784388, 0.112890735025549, 0.103779146784388,
                0.112890735025549, 0.103779146784388},
            {0.458582283676736, 0.0610874395534194}});
    owner.assign(q, xg::array(fuzz::data<double>(1) + 32, 4, 2));
    owner.assign(x, xg::array(fuzz::data<double>(4) + 32, 2));
    random_bodies::expect(f(e = xg::array(fuzz::data<double>(0) + 32, 4, 2)),
        {{0.698843316565626}, {0.533753759564007, 0.191238308778744},
            {0.119384556447114, 0, 0, 0.130022593542383, 0.119384556447114, 0.130022593542383, 0, 0.130022593542383},
            {0.119384556447114, 0.130022593542383, 0.119384556447114, 0.130022593542383, 0.119384556447114, 0.130022593542383,
                0.119384556447114, 0.130022593542383},
            {0.103245475734175, 0.62983542770545}});
}

namespace p223 {
constexpr auto a = xg::variable<"a", double, 2, 2>;
constexpr auto e = xg::input<"e", double, 3, 2>;
constexpr auto q = xg::variable<"q", double, 2, 2>;
constexpr auto x = xg::input<"x", double, 2>;
constexpr auto ids = xg::input<"ids", std::int32_t, 2>;
constexpr auto e0 = xg::softmax(x);
struct b0 : xg::region {
    static constexpr auto value(auto, auto) {
        auto n0 = xg::gather(e, ids);
        auto n1 = xg::tanh(q + n0);
        auto n2 = xg::matmul(n0, a);
        auto n3 = xg::sin(q - n2);
        return std::tuple{n1, n3};
    }
};
constexpr auto e1 = xg::call<b0>(e0, ids);
constexpr auto e2 = std::get<0>(e1);
constexpr auto e3 = xg::sum(xg::sin(e2));
constexpr auto e4 = std::get<1>(e1);
constexpr auto e5 = xg::sum(xg::sin(e4));
constexpr auto e6 = e3 + e5;
constexpr auto e7 = xg::sum(xg::sin(e0));
constexpr auto e8 = e6 + e7;
constexpr auto e9 = x + e;
constexpr auto e10 = xg::sum(xg::sin(e9));
constexpr auto loss = e8 + e10;
constexpr auto g = of(xg::gradients(xg::ys(loss), xg::unconnected_zeros, a, e, q, x));
constexpr auto results = list_of(std::tuple_cat(
    std::tuple(loss, e2), g, of(xg::gradients(xg::ys(of_sines(g)), xg::unconnected_zeros, a, e, q, x)), std::tuple(read(a, e, q, x, ids))));
}
TEST_CASE("bodies, program 223") {
    using namespace p223;
    xg::variables owner{loss};
    xg::function f{results, owner};
    owner.assign(a, xg::array(fuzz::data<double>(0) + 0, 2, 2));
    owner.assign(q, xg::array(fuzz::data<double>(2) + 0, 2, 2));
    random_bodies::expect(f(e = xg::array(fuzz::data<double>(1) + 0, 3, 2), x = xg::array(fuzz::data<double>(4) + 0, 2),
                              ids = xg::array(fuzz::integers(70, 3) + 0, 2)),
        {{6.25962777479279}, {-0.646870747464649, 0.835789579283516, 0.706961927625332, 0.317575336423383},
            {-0.833959174599673, -0.948676339601681, -1.31498669073316, -1.50823156693588},
            {2.09030336809044, 0.218984773614827, 0.528909538291666, 0.991769026051759, 1.46898236181516, 0.827101912762607},
            {1.24041228084861, 1.10115857796418, 1.25431808430333, 1.84870096419709}, {1.91445197181009, 0.667164849147425},
            {0.110560588665502, 0.478364162359252, -1.73495858049149, -1.4364960085172},
            {-0.961878911105514, -2.4856754783114, -0.446766774595894, -0.170650101291712, -1.27647684614774, -1.9588019274496},
            {0.153100353866243, -0.580291917206866, -0.0919231467928188, -0.457325909030583}, {-0.0218142981494413, -3.39954851384784}});
    owner.assign(a, xg::array(fuzz::data<double>(0) + 32, 2, 2));
    owner.assign(q, xg::array(fuzz::data<double>(2) + 32, 2, 2));
    random_bodies::expect(f(e = xg::array(fuzz::data<double>(1) + 32, 3, 2), x = xg::array(fuzz::data<double>(4) + 32, 2),
                              ids = xg::array(fuzz::integers(70, 3) + 32, 2)),
        {{0.176544724891838}, {-0.53042526841594, -0.77426950777461, 0.396653360872782, -0.274563515334109},
            {0.197658735287217, 0.331120176891805, 0.465458838069666, 0.66825528648378},
            {0.13927535882457, 0.600437203739294, 2.06492794817559, 1.2490701297093, 1.53042691818825, 0.716259400427347},
            {1.35140010997836, 1.19259501755497, 1.29511340325271, 1.88749676642551}, {1.74997829303975, 2.46710371451548},
            {0.0183569507827155, 0.437673601380668, -0.652201762939158, -0.944818679478667},
            {-0.804177258301534, 0.0352355135431242, 0.123699377280414, -1.74942853758804, -1.88286699587756, -0.58947318248518},
            {1.0194800760732, 0.775699226620358, -0.954649002927538, -0.0534774777496739}, {-0.408046212994179, -0.102712869445037}});
}

namespace p225 {
constexpr auto e = xg::input<"e", double, 3, 2>;
constexpr auto w = xg::variable<"w", double, 2, 2>;
constexpr auto t0 = xg::input<"t0", double, 2, 2>;
constexpr auto t1 = xg::input<"t1", double, 3, 2>;
constexpr auto e0 = xg::sum<1>(e);
struct b0 : xg::region {
    static constexpr auto value(auto a0, auto a1, auto) {
        auto n0 = xg::log_sum_exp(a1);
        auto n1 = 0.8_c * a0 + xg::sin(n0);
        return n1;
    }
};
constexpr auto e1 = xg::layers<3, b0>(w, e, e0);
constexpr auto e2 = xg::sum(xg::sin(e1));
constexpr auto e3 = xg::uniform_like<"d0">(w);
constexpr auto e4 = xg::sum(xg::sin(e3));
constexpr auto loss = e2 + e4;
constexpr auto g = of(xg::gradients(xg::ys(loss), xg::unconnected_zeros, e, w));
constexpr auto results =
    list_of(std::tuple_cat(std::tuple(loss, e1), g, of(xg::jvp(e1, std::tuple(w, e), std::tuple(t0, t1))), std::tuple(read(e, w, t0, t1))));
}
TEST_CASE("bodies, program 225") {
    using namespace p225;
    xg::variables owner{loss};
    xg::function f{results, owner};
    owner.assign(w, xg::array(fuzz::data<double>(3) + 0, 2, 2));
    random_bodies::expect(f(e = xg::array(fuzz::data<double>(0) + 0, 3, 2), t0 = xg::array(fuzz::data<double>(40) + 0, 2, 2),
                              t1 = xg::array(fuzz::data<double>(41) + 0, 3, 2)),
        {{5.02683217524181}, {1.27579869348368, 1.17118698388895, 1.40640440804323, 1.98740430790743},
            {0.156565207517557, 0.10842806890668, 0.109359487442258, 0.175148053451312, 0.211993897089889, 0.0473583554698001},
            {0.148857643863005, 0.199197948718743, 0.0837900688155367, -0.20718637991227},
            {0.430537399934692, 0.901528703855438, 0.339826546358032, 0.788058833526534}});
    owner.assign(w, xg::array(fuzz::data<double>(3) + 32, 2, 2));
    random_bodies::expect(f(e = xg::array(fuzz::data<double>(0) + 32, 3, 2), t0 = xg::array(fuzz::data<double>(40) + 32, 2, 2),
                              t1 = xg::array(fuzz::data<double>(41) + 32, 3, 2)),
        {{4.37767468030574}, {2.52640368998397, 2.21958859837402, 1.80865000188697, 2.2403957418238},
            {-0.54922754930017, -0.0801723038997869, -0.215408163997383, -0.676477028278804, -0.312042041706068, -0.196097805379185},
            {-0.418132176976039, -0.309362949926946, -0.120636044095992, -0.317784038421144},
            {0.168935156636309, 0.456700136952471, 0.387032819085192, 0.0227685456801166}});
}

namespace p226 {
constexpr auto a = xg::input<"a", double, 2, 2>;
constexpr auto p = xg::input<"p", double, rows>;
constexpr auto q = xg::input<"q", double, rows, 2>;
constexpr auto x = xg::variable<"x", double, 2>;
constexpr auto t0 = xg::input<"t0", double, rows>;
struct b0 : xg::region {
    static constexpr auto value(auto, auto) {
        auto n0 = xg::softplus(p);
        auto n1 = xg::mean(n0);
        auto n2 = xg::sin(a - n1);
        return n2;
    }
};
constexpr auto e0 = xg::layers<2, b0>(a, x);
constexpr auto e1 = xg::sum(xg::sin(e0));
constexpr auto e2 = xg::sqrt(0.5_c + xg::square(q));
constexpr auto e3 = xg::sum(xg::sin(e2));
constexpr auto e4 = e1 + e3;
constexpr auto e5 = xg::dropout<"d0">(x, 0.4_c);
constexpr auto e6 = xg::sum(xg::sin(e5));
constexpr auto loss = e4 + e6;
constexpr auto g = of(xg::gradients(xg::ys(loss), xg::unconnected_zeros, a, p, q, x));
constexpr auto results = list_of(std::tuple_cat(std::tuple(loss, e0), g, of(xg::hvp(loss, p, t0)), std::tuple(read(a, p, q, x, t0))));
}
TEST_CASE("bodies, program 226") {
    using namespace p226;
    xg::variables owner{loss};
    xg::function f{results, owner};
    owner.assign(x, xg::array(fuzz::data<double>(4) + 0, 2));
    random_bodies::expect(f(a = xg::array(fuzz::data<double>(0) + 0, 2, 2), p = xg::array(fuzz::data<double>(1) + 0, 4),
                              q = xg::array(fuzz::data<double>(2) + 0, 4, 2), t0 = xg::array(fuzz::data<double>(40) + 0, 4)),
        {{2.89753711168042}, {-0.857907935748807, -0.98520560007525, -0.921778326623162, -0.645479784237184},
            {0.336038492994984, 0.0947184167565567, 0.234338035767912, 0.610113928038904},
            {-0.157941676114224, -0.217439711307284, -0.219459221260532, -0.0993442343713357},
            {-0.373751243614948, 0.356868233163083, -0.0948745459766317, -0.373467894510342, -0.259477715874502, -0.325612116712213,
                -0.329903942878924, 0.362965790595396},
            {0, 0}, {0.0165787456942901, -0.0577661872370553, 0.0174189888995338, -0.0296792119927751}});
    owner.assign(x, xg::array(fuzz::data<double>(4) + 32, 2));
    random_bodies::expect(f(a = xg::array(fuzz::data<double>(0) + 32, 2, 2), p = xg::array(fuzz::data<double>(1) + 32, 4),
                              q = xg::array(fuzz::data<double>(2) + 32, 4, 2), t0 = xg::array(fuzz::data<double>(40) + 32, 4)),
        {{4.80233543637036}, {0.33639558954464, -0.999945382571114, -0.844968626515958, 0.137421082516262},
            {0.888937850621769, -0.00564739876142406, 0.354986576700697, 0.981174732559287},
            {-0.36626460002625, -0.163242846491634, -0.24398401958364, -0.241928999533434},
            {-0.372031995670568, -0.386683197634598, 0.387122109404672, -0.0262567646936188, -0.163203134154821, -0.36272003369812,
                -0.210169405904839, -0.272079996006349},
            {0, 0}, {-0.0259246380315211, -0.095861475846563, -0.0930993486860745, 0.0040835204691646}});
}
