// SPDX-License-Identifier: MIT
// Inputs and results of bfloat16 and float16: what only moves elements keeps their bits, everything else computes with cast<float> of them.
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {

inline constexpr xg::dim n{"n"};

template<class H>
constexpr auto x = xg::input<"x", H, n>;
constexpr auto weights = xg::input<"weights", float, n>;

template<class H>
H from_bits(unsigned bits) {
    H h;
    h.bits = static_cast<std::uint16_t>(bits);
    return h;
}
template<class H>
std::vector<H> numbers(std::size_t count, float scale = 1) {
    std::vector<H> r;
    for (std::size_t i = 0; i < count; ++i) r.push_back(H(scale * std::sin(1.7f * static_cast<float>(i) + 0.3f)));
    return r;
}
template<class H>
std::vector<float> widened(std::vector<H> const& from) {
    return {from.begin(), from.end()};
}
template<class View, class H>
int different_bits(View const& found, std::vector<H> const& expected) {
    REQUIRE(found.size() == static_cast<std::int64_t>(expected.size()));
    int wrong = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) wrong += found[static_cast<std::int64_t>(i)].bits != expected[i].bits;
    return wrong;
}
template<class E>
constexpr xg::dtype type_of(E const&) {
    return xg::value_of<E>.type;
}

/// Sums each row; takes 16 bits as they are if `Half`.
template<bool Half>
struct row_sums_op : xg::kernel_op {
    static constexpr std::string_view name = "row_sums";
    static constexpr bool half_operands = Half;
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&, int) {
        return {xg::computed_type(v[0].type), {1, {v[0].dims.extents[0]}}, v[0].dims.rank == 2 ? xg::fault::none : xg::fault::rank};
    }
    template<class M, class T>
    static void run(xg::kernel_part const& part, xg::tensor_view<M const, 2> in, xg::tensor_view<T, 1> out) {
        static_assert(std::is_same_v<M, T> != Half);
        for (std::int64_t r = part.first; r < part.last; ++r) {
            T sum = 0;
            for (std::int64_t k = 0; k < in.shape(1); ++k) sum += static_cast<T>(in(r, k));
            out[r] = sum;
        }
    }
};

/// A loop whose body computes on what has been rounded to 16 bits.
template<class H>
struct rounded_cell : xg::region {
    static constexpr auto turn(auto h, auto row) { return xg::tanh(xg::cast<H>(h * xg::cast<float>(xg::input<"gain", H, 4>)) + row); }
    static constexpr auto value(auto h, auto row) { return xg::carry(turn(h, row)); }
};

}   // namespace

static_assert(type_of(x<xg::float16>) == xg::dtype::float16);
static_assert(type_of(x<xg::float16> + x<xg::float16>) == xg::dtype::float32);
static_assert(type_of(-x<xg::bfloat16>) == xg::dtype::float32 && type_of(xg::sum(x<xg::bfloat16>)) == xg::dtype::float32);
static_assert(type_of(2_c * x<xg::bfloat16>) == xg::dtype::float32 && type_of(x<xg::float16> * weights) == xg::dtype::float32);
static_assert(type_of(xg::cast<double>(x<xg::float16>)) == xg::dtype::float64);
static_assert(type_of(xg::cast<xg::float16>(weights)) == xg::dtype::float16);
static_assert(type_of(xg::greater(x<xg::float16>, 0_c)) == xg::dtype::boolean);
static_assert(type_of(xg::expand_dims<0>(x<xg::float16>)) == xg::dtype::float16);
static_assert(type_of(xg::stop_gradient(x<xg::float16>)) == xg::dtype::float16);
static_assert(type_of(xg::gradient_of(xg::sum(x<xg::float16> * weights), x<xg::float16>)) == xg::dtype::float32);

TEST_CASE_TEMPLATE("operations compute with the float of each element", H, xg::bfloat16, xg::float16) {
    auto f = xg::function(xg::outputs(2_c * x<H> + weights, xg::exp(x<H>), xg::sum(x<H> * x<H>), xg::maximum(x<H>, weights),
        xg::cast<double>(x<H>), xg::greater(x<H>, 0_c)));
    for (std::size_t count : {0u, 1u, 3u, 7u, 8u, 15u, 16u, 17u, 31u, 33u, 67u}) {
        auto const in = numbers<H>(count);
        auto const wide = widened(in);
        std::vector<float> w(count);
        std::iota(w.begin(), w.end(), -3.5f);
        auto const [line, e, square, most, large, positive] = f(x<H> = in, weights = w);
        double expected = 0;
        for (std::size_t i = 0; i < count; ++i) {
            auto const k = static_cast<std::int64_t>(i);
            CHECK(line[k] == 2 * wide[i] + w[i]);
            CHECK(e[k] == doctest::Approx(std::exp(wide[i])));
            CHECK(most[k] == std::fmax(wide[i], w[i]));
            CHECK(large[k] == static_cast<double>(wide[i]));
            CHECK(positive[k] == (wide[i] > 0));
            expected += static_cast<double>(wide[i]) * static_cast<double>(wide[i]);
        }
        CHECK(square == doctest::Approx(expected));
    }
}

TEST_CASE_TEMPLATE("a cast to 16 bits rounds, in memory and in registers", H, xg::bfloat16, xg::float16) {
    constexpr auto wide = xg::input<"wide", double, n>;
    constexpr auto whole = xg::input<"whole", std::int32_t, n>;
    constexpr auto truth = xg::input<"truth", bool, n>;
    constexpr auto h = xg::cast<H>(weights);
    auto f = xg::function(xg::outputs(h, xg::cast<float>(h) - weights, h * 3_c, xg::cast<H>(wide), xg::cast<H>(whole), xg::cast<H>(truth),
        xg::cast<H>(xg::cast<xg::bfloat16>(weights)), xg::cast<std::int32_t>(h)));
    std::vector<float> w{0, -0.0f, 1.0f + 0x1p-9f, 3.14159f, -65519, -65520, 1e30f, 0x1p-24f, 0x1p-25f, 1e-40f, HUGE_VALF, -HUGE_VALF,
        std::numeric_limits<float>::quiet_NaN()};
    std::vector<double> d;
    std::vector<std::int32_t> k;
    for (std::size_t i = 0; i < 41; ++i) w.push_back(10 * std::sin(static_cast<float>(i)));
    for (float e : w) {
        d.push_back(static_cast<double>(e) * (1 + 1e-12));
        k.push_back(static_cast<std::int32_t>(std::fabs(e) < 1e6f ? 77 * e : 1000003.0f));
    }
    auto const size = static_cast<std::int64_t>(w.size());
    std::vector<unsigned char> bytes;
    for (std::size_t i = 0; i < w.size(); ++i) bytes.push_back(i % 3 == 0);
    auto const [short_, error, three, of_double, of_int, of_bool, twice, back] =
        f(weights = w, wide = d, whole = k, truth = xg::array(reinterpret_cast<bool const*>(bytes.data()), size));
    for (std::int64_t i = 0; i < size; ++i) {
        auto const at = static_cast<std::size_t>(i);
        H const expected(w[at]);
        CHECK(short_[i].bits == expected.bits);
        float const e = expected, difference = e - w[at];
        CHECK((error[i] == difference || std::isnan(difference)));
        CHECK((three[i] == e * 3 || std::isnan(e)));
        CHECK(of_double[i].bits == H(static_cast<float>(d[at])).bits);
        CHECK(of_int[i].bits == H(static_cast<float>(k[at])).bits);
        CHECK(of_bool[i].bits == H(bytes[at] != 0 ? 1.0f : 0.0f).bits);
        CHECK(twice[i].bits == H(static_cast<float>(xg::bfloat16(w[at]))).bits);
        if (std::fabs(e) < 1e6f) CHECK(back[i] == static_cast<std::int32_t>(e));
    }
}

TEST_CASE_TEMPLATE("what moves elements keeps their bits", H, xg::bfloat16, xg::float16) {
    constexpr auto m = xg::input<"m", H, 5, 7>;
    constexpr auto ids = xg::input<"ids", std::int32_t, n>;
    constexpr auto turned = xg::transpose(m);
    constexpr auto joined = xg::concat<0>(m, xg::slice<0, 1, 3>(m));
    constexpr auto rows = xg::gather(m, ids);
    constexpr auto apart = xg::slice<1, 1, 6, 2>(m);
    constexpr auto flat = xg::reshape<35>(m);
    static_assert(type_of(turned) == xg::dtype_of<H> && type_of(joined) == xg::dtype_of<H> && type_of(rows) == xg::dtype_of<H> &&
                  type_of(apart) == xg::dtype_of<H> && type_of(flat) == xg::dtype_of<H>);
    constexpr auto repeated = xg::broadcast_to<2, 5, 7>(m);
    auto f = xg::function(xg::outputs(turned, joined, rows, apart, flat, repeated, xg::gather(turned, ids)));
    auto in = numbers<H>(35, 100);
    in[3] = from_bits<H>(0x8000);
    in[4] = from_bits<H>(0x0001);   // the smallest
    in[5] = H(HUGE_VALF);
    in[6] = H(std::numeric_limits<float>::quiet_NaN());
    std::vector<std::int32_t> const which{4, 0, 0, 3, 1};
    auto const [t, j, r, a, l, b, tr] = f(m = xg::array(in.data(), 5, 7), ids = which);
    std::vector<H> expected[7];
    for (std::size_t k = 0; k < 7; ++k)
        for (std::size_t i = 0; i < 5; ++i) expected[0].push_back(in[i * 7 + k]);
    expected[1] = in;
    for (std::size_t i = 7; i < 21; ++i) expected[1].push_back(in[i]);
    for (auto i : which)
        for (std::size_t k = 0; k < 7; ++k) expected[2].push_back(in[static_cast<std::size_t>(i) * 7 + k]);
    for (std::size_t i = 0; i < 5; ++i)
        for (std::size_t k = 1; k < 6; k += 2) expected[3].push_back(in[i * 7 + k]);
    expected[4] = in;
    for (int copy = 0; copy < 2; ++copy) expected[5].insert(expected[5].end(), in.begin(), in.end());
    for (auto k : which)
        for (std::size_t i = 0; i < 5; ++i) expected[6].push_back(in[i * 7 + static_cast<std::size_t>(k)]);
    CHECK(different_bits(t, expected[0]) == 0);
    CHECK(different_bits(j, expected[1]) == 0);
    CHECK(different_bits(r, expected[2]) == 0);
    CHECK(different_bits(a, expected[3]) == 0);
    CHECK(different_bits(l, expected[4]) == 0);
    CHECK(different_bits(b, expected[5]) == 0);
    CHECK(different_bits(tr, expected[6]) == 0);
}

TEST_CASE_TEMPLATE("a graph of 16 bits is the graph of the floats that they are", H, xg::bfloat16, xg::float16) {
    auto const model = [](auto a, auto b, auto c, auto ids) {
        auto const h = xg::tanh(xg::matmul(xg::transpose(a), b) + c);
        auto const soft = xg::softmax<-1>(xg::concat<1>(h, xg::cast<float>(xg::gather(xg::transpose(b), ids))));
        return xg::mean(xg::square(soft)) + xg::sum(xg::embedding_bag(b, xg::reshape<2, 3>(ids)) * c) +
               xg::sum(xg::slice<0, 1, 3>(c) * 2_c);
    };
    constexpr auto ids = xg::input<"ids", std::int32_t, 6>;
    constexpr auto a = xg::input<"a", H, 5, 6>;
    constexpr auto b = xg::input<"b", H, 5, 6>;
    constexpr auto c = xg::input<"c", H, 6>;
    constexpr auto fa = xg::input<"a", float, 5, 6>;
    constexpr auto fb = xg::input<"b", float, 5, 6>;
    constexpr auto fc = xg::input<"c", float, 6>;
    constexpr auto y = model(a, b, c, ids);
    constexpr auto fy = model(fa, fb, fc, ids);
    auto const grads = xg::gradients(y, a, b, c);
    auto const fgrads = xg::gradients(fy, fa, fb, fc);
    auto f = xg::function(xg::outputs(y, std::get<0>(grads), std::get<1>(grads), std::get<2>(grads)));
    auto g = xg::function(xg::outputs(fy, std::get<0>(fgrads), std::get<1>(fgrads), std::get<2>(fgrads)));
    auto const va = numbers<H>(30), vb = numbers<H>(30, -2), vc = numbers<H>(6, 0.5f);
    auto const wa = widened(va), wb = widened(vb), wc = widened(vc);
    std::vector<std::int32_t> const which{1, 0, 4, 4, 2, 3};
    auto const [y1, a1, b1, c1] = f(a = xg::array(va.data(), 5, 6), b = xg::array(vb.data(), 5, 6), c = vc, ids = which);
    auto const [y2, a2, b2, c2] = g(fa = xg::array(wa.data(), 5, 6), fb = xg::array(wb.data(), 5, 6), fc = wc, ids = which);
    static_assert(std::is_same_v<decltype(a1), decltype(a2)>);
    CHECK(y1 == doctest::Approx(y2).epsilon(1e-6));
    for (int i = 0; i < 30; ++i) {
        CHECK(a1[i] == doctest::Approx(a2[i]).epsilon(1e-5));
        CHECK(b1[i] == doctest::Approx(b2[i]).epsilon(1e-5));
    }
    for (int i = 0; i < 6; ++i) CHECK(c1[i] == doctest::Approx(c2[i]).epsilon(1e-5));
}

TEST_CASE_TEMPLATE("the gradient passes through a rounding, and is that of gradients again", H, xg::bfloat16, xg::float16) {
    constexpr auto y = xg::sum(xg::square(xg::cast<H>(weights * 3_c)) * x<H>);
    constexpr auto g = xg::gradient_of(y, weights);
    auto f = xg::function(xg::outputs(g, xg::gradient_of(y, x<H>), xg::gradient_of(xg::sum(g), x<H>)));
    auto const in = numbers<H>(5);
    std::vector<float> const w{0.1f, -0.2f, 0.3f, 1.7f, -2.9f};
    auto const [gw, gx, mixed] = f(weights = w, x<H> = in);
    for (int i = 0; i < 5; ++i) {
        auto const k = static_cast<std::size_t>(i);
        float const rounded = H(w[k] * 3);
        CHECK(gw[i] == doctest::Approx(6 * rounded * in[k]));
        CHECK(gx[i] == doctest::Approx(rounded * rounded));
        CHECK(mixed[i] == doctest::Approx(6 * rounded));
    }
}

TEST_CASE_TEMPLATE("sums of bags, kernels and numbers", H, xg::bfloat16, xg::float16) {
    constexpr auto table = xg::input<"table", H, n, 19>;
    constexpr auto column = xg::input<"column", H, n, 1>;
    constexpr auto ids = xg::input<"ids", std::int64_t, 2, 3>;
    constexpr auto one = xg::input<"one", H>;
    constexpr xg::kernel_function<row_sums_op<true>> short_sums{};
    constexpr xg::kernel_function<row_sums_op<false>> sums{};
    static_assert(type_of(xg::embedding_bag(table, ids)) == xg::dtype::float32);
    auto f = xg::function(
        xg::outputs(xg::embedding_bag(table, ids), xg::embedding_bag(column, ids), short_sums(table), sums(table), one * 2_c, one));
    auto const rows = numbers<H>(4 * 19), tall = numbers<H>(4);
    std::vector<std::int64_t> const which{3, 0, 3, 1, 1, 2};
    auto const [bags, numbers_, exact, copied, twice, same] =
        f(table = xg::array(rows.data(), 4, 19), column = xg::array(tall.data(), 4, 1), ids = xg::array(which.data(), 2, 3), one = H(1.5f));
    for (int i = 0; i < 2; ++i) {
        auto const id = [&](int k) { return static_cast<std::size_t>(which[static_cast<std::size_t>(3 * i + k)]); };
        for (std::size_t j = 0; j < 19; ++j) {
            float expected = 0;
            for (int k = 0; k < 3; ++k) expected += rows[id(k) * 19 + j];
            CHECK(bags(i, j) == expected);
        }
        CHECK(numbers_(i, 0) == 0.0f + tall[id(0)] + tall[id(1)] + tall[id(2)]);
    }
    for (std::size_t i = 0; i < 4; ++i) {
        float expected = 0;
        for (std::size_t j = 0; j < 19; ++j) expected += rows[i * 19 + j];
        CHECK(exact[static_cast<std::int64_t>(i)] == expected);
        CHECK(copied[static_cast<std::int64_t>(i)] == expected);
    }
    CHECK(twice == 3);
    CHECK(same.bits == H(1.5f).bits);
}

TEST_CASE_TEMPLATE("16 bits within the body of a loop", H, xg::bfloat16, xg::float16) {
    constexpr auto gain = xg::input<"gain", H, 4>;
    constexpr auto rows = xg::input<"rows", float, 3, 4>;
    constexpr auto first = xg::input<"first", float, 4>;
    using cell = rounded_cell<H>;
    constexpr auto one = cell::turn(first, xg::reshape<4>(xg::slice<0, 0, 1>(rows)));
    constexpr auto two = cell::turn(one, xg::reshape<4>(xg::slice<0, 1, 2>(rows)));
    constexpr auto unrolled = cell::turn(two, xg::reshape<4>(xg::slice<0, 2, 3>(rows)));
    auto const [last] = xg::scan<cell>(xg::carry(first), rows);
    auto const of_loop = xg::gradients(xg::sum(xg::square(last)), gain, first, rows);
    auto const of_turns = xg::gradients(xg::sum(xg::square(unrolled)), gain, first, rows);
    auto f = xg::function(xg::outputs(last, std::get<0>(of_loop), std::get<1>(of_loop), std::get<2>(of_loop)));
    auto g = xg::function(xg::outputs(unrolled, std::get<0>(of_turns), std::get<1>(of_turns), std::get<2>(of_turns)));
    auto const in = numbers<float>(12), start = numbers<float>(4, 0.7f);
    auto const scale = numbers<H>(4, 2);
    auto const [y1, gain1, first1, rows1] = f(gain = scale, first = start, rows = xg::array(in.data(), 3, 4));
    auto const [y2, gain2, first2, rows2] = g(gain = scale, first = start, rows = xg::array(in.data(), 3, 4));
    for (int i = 0; i < 4; ++i) {
        CHECK(y1[i] == y2[i]);
        CHECK(gain1[i] == doctest::Approx(gain2[i]));
        CHECK(first1[i] == doctest::Approx(first2[i]));
    }
    for (int i = 0; i < 12; ++i) CHECK(rows1[i] == doctest::Approx(rows2[i]));
}
