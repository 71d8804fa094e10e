// SPDX-License-Identifier: MIT
// Values and gradients of cumulative operations against JAX, gradients of gradients, ties, elements of -inf.
#include <support/reference.hpp>
#include <support/tensor.hpp>

#include <xgrad/ops/cumulative.hpp>
#include <xgrad/train/check_gradients.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using xg::cumulative;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim length{"length"};
constexpr auto both = cumulative::exclusive | cumulative::reverse;
constexpr auto x = xg::input<"x", double, batch, 7>;
constexpr auto w = xg::input<"w", double, batch, 7>;
template<class T>
constexpr auto pages_of = xg::input<"pages", T, 2, length, 3>;

using numbers = std::vector<double>;
void check_close(std::string const& what, auto const& result, numbers const& expected, double tolerance = 1e-12) {
    CAPTURE(what);
    REQUIRE(result.size() == static_cast<std::int64_t>(expected.size()));
    std::size_t k = 0;
    bool same = true;
    for (auto const e : result) {
        double const a = static_cast<double>(e), b = expected[k++];
        bool const here = (a == b || std::abs(a - b) <= tolerance * std::max(1.0, std::abs(b)) || (a != a && b != b));
        if (!here && same) CHECK(a == b);
        same = same && here;
    }
}
}

TEST_CASE("values and gradients of JAX") {
    auto const table = test::read_reference("axes.txt");
    auto const of = [&](std::string const& name) -> numbers const& { return table.at(name); };
    auto const tensor = [&](char const* name) {
        test::tensor<double> r({3, 7});
        std::copy(of(name).begin(), of(name).end(), r.data());
        return r;
    };
    auto const in = tensor("x"), zeros = tensor("zeros"), weights = tensor("w");
    auto const check = [&]<int Axis, cumulative How>(std::string const& form) {
        constexpr auto slope = [](auto y) {
            return xg::gradient_of(xg::sum(xg::select(y > -1e300_c, xg::select(y < 1e300_c, y, 0_c), 0_c) * w), x);
        };
        constexpr auto s = xg::cumsum<Axis, How>(x);
        constexpr auto p = xg::cumprod<Axis, How>(x);
        constexpr auto l = xg::cumulative_logsumexp<Axis, How>(x);
        constexpr auto most = xg::cummax<Axis, How>(x);
        constexpr auto least = xg::cummin<Axis, How>(x);
        xg::function f{xg::outputs(s, p, l, most, least, slope(s), slope(p), slope(l), slope(most), slope(least))};
        auto const r = f(x = in, w = weights);
        std::string const end = (Axis == 0 || Axis == -2 ? ".0." : ".1.") + form;
        check_close("cumsum", std::get<0>(r), of("cumsum" + end));
        check_close("cumprod", std::get<1>(r), of("cumprod" + end));
        check_close("cumulative_logsumexp", std::get<2>(r), of("cumulative_logsumexp" + end));
        check_close("cummax", std::get<3>(r), of("cummax" + end));
        check_close("cummin", std::get<4>(r), of("cummin" + end));
        check_close("slope of cumsum", std::get<5>(r), of("cumsum" + end + ".slope"));
        check_close("slope of cumprod", std::get<6>(r), of("cumprod" + end + ".slope"));
        check_close("slope of cumulative_logsumexp", std::get<7>(r), of("cumulative_logsumexp" + end + ".slope"));
        check_close("slope of cummax", std::get<8>(r), of("cummax" + end + ".slope"));
        check_close("slope of cummin", std::get<9>(r), of("cummin" + end + ".slope"));
        auto const z = f(x = zeros, w = weights);
        check_close("cumprod of zeros", std::get<1>(z), of("cumprod_of_zeros" + end));
        check_close("slope of cumprod of zeros", std::get<6>(z), of("cumprod_of_zeros" + end + ".slope"));
    };
    check.operator()<0, cumulative::inclusive>("inclusive");
    check.operator()<-1, cumulative::exclusive>("exclusive");
    check.operator()<-2, both>("both");
    check.operator()<1, cumulative::reverse>("reverse");
}

TEST_CASE_TEMPLATE("gradients, also of gradients", T, float, double) {
    constexpr auto pages = pages_of<T>;
    auto in = test::numbers<T>({2, 5, 3}, -1.5, 1.5, 7);
    auto const loss = [](auto y) { return xg::sum(xg::square(y) * xg::sin(y)); };
    auto const second = [](auto l) { return l + xg::sum(xg::square(xg::gradient_of(l, pages_of<T>))); };
    {
        auto const r = xg::check_gradients(
            loss(xg::cumsum<1>(pages)) + loss(xg::cumsum<2, both>(pages)) +
                second(loss(xg::cumprod<1, cumulative::exclusive>(pages)) + loss(xg::cumprod<2, cumulative::reverse>(pages))),
            xg::wrt(pages), pages = in);
        CHECK_MESSAGE(r.ok, r.message);
    }
    if constexpr (std::is_same_v<T, double>) {
        auto const r = xg::check_gradients(
            second(loss(xg::cumulative_logsumexp<2>(pages)) + loss(xg::cummax<1>(pages)) + loss(xg::cummin<2, cumulative::reverse>(pages))),
            xg::wrt(pages), pages = in);
        CHECK_MESSAGE(r.ok, r.message);
        for (std::int64_t k : {0, 4, 10, 16}) in[k] = 0;   // the products of others vanish, or do not
        auto const zeros = xg::check_gradients(second(loss(xg::cumprod<1>(pages))), xg::wrt(pages), pages = in);
        CHECK_MESSAGE(zeros.ok, zeros.message);
    }
}

TEST_CASE("gradients at ties and infinities; a long row of floats") {
    constexpr auto x = xg::input<"x", float, length>;
    constexpr auto w = xg::input<"w", float, length>;
    xg::function f{xg::outputs(xg::gradient_of(xg::sum(xg::cummax(x) * w), x), xg::gradient_of(xg::sum(xg::cummax<0, both>(x) * w), x),
        xg::gradient_of(xg::sum(xg::select(xg::cumulative_logsumexp(x) > -1e30_c, xg::cumulative_logsumexp(x), 0_c) * w), x))};
    float const low = -std::numeric_limits<float>::infinity();
    auto const [most, last, logs] = f(x = test::list({1.0F, 1.0F, 3.0F, 2.0F, 3.0F}), w = test::list({1.0F, 2.0F, 4.0F, 8.0F, 16.0F}));
    check_close("first of equal ones", most, {3, 0, 28, 0, 0});
    check_close("from the end, exclusive", last, {0, 0, 0, 0, 15});
    auto const [a, b, masked] = f(x = test::list({low, low, 0.0F, low, 0.0F}), w = test::list({1.0F, 2.0F, 4.0F, 8.0F, 16.0F}));
    check_close("elements of -inf have no gradient", masked, {0, 0, 20, 0, 8}, 1e-6);
    std::int64_t const n = 300'000;
    auto const [c, d, even] = f(x = test::tensor<float>({n}, 0.5F), w = test::tensor<float>({n}, 1.0F));
    double expected = 0;   // the sum of 1 / k for k > 1000
    for (std::int64_t k = n; k > 1000; --k) expected += 1 / static_cast<double>(k);
    CHECK(even[1000] == doctest::Approx(expected).epsilon(1e-4));
}
