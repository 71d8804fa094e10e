// SPDX-License-Identifier: MIT
// Quantization compared with TensorFlow: values and gradients, also of ranges without 0. tests/reference/from_tensorflow.py.
#include <ops/from_tensorflow.hpp>

#include <xgrad/ops/classify.hpp>
#include <xgrad/ops/diagonals.hpp>
#include <xgrad/ops/prevent_gradient.hpp>
#include <xgrad/ops/quantization/quantize.hpp>
#include <xgrad/ops/special/bitwise.hpp>

namespace {
using namespace from_tensorflow;
constexpr auto x = xg::input<"x", float, 21>;
constexpr auto low = xg::input<"low", float>;
constexpr auto high = xg::input<"high", float>;
constexpr auto weights = xg::cast<float>(1_c + xg::cast<double>(xg::arange<21>()));
template<class Y>
constexpr auto slopes(Y const& y) {
    return xg::gradients(xg::sum(weights * y), x, low, high);
}
}

TEST_CASE("fake quantization of a range that is given") {
    constexpr auto fixed = xg::fake_quant(x, -6_c, 6_c);
    constexpr auto y = xg::fake_quant<4, true>(x, low, high);
    constexpr auto g = slopes(y);
    xg::function f{xg::outputs(fixed, xg::gradient_of(xg::sum(weights * fixed), x), y, std::get<0>(g), std::get<1>(g), std::get<2>(g))};
    for (std::string const k : {"0", "1", "2", "3", "4"}) {
        std::string const v = "vars" + k;
        auto const range = line("range" + k);
        compare_all({"fixed", "fixed.x", v, v + ".x", v + ".min", v + ".max"},
            f(x = known<float>("quantized", {21}), low = static_cast<float>(range[0]), high = static_cast<float>(range[1])), 1e-6);
    }
    xg::function negative{xg::quantize_and_dequantize<xg::quantization{.signed_input = false}>(x)};
    for (float const r : negative(x = test::tensor<float>({21}, -2.0f))) CHECK(r == 0);
}

TEST_CASE("fake quantization by channels") {
    constexpr auto rows = xg::input<"rows", float, 7, 3>;
    constexpr auto least = xg::input<"least", float, 3>;
    constexpr auto most = xg::input<"most", float, 3>;
    constexpr auto y = xg::fake_quant<8>(rows, least, most);
    constexpr auto g = xg::gradients(xg::sum(xg::reshape<7, 3>(weights) * y), rows, least, most);
    constexpr auto in_double = xg::fake_quant<8>(xg::cast<double>(rows), xg::cast<double>(least), xg::cast<double>(most));
    xg::function f{xg::outputs(y, std::get<0>(g), std::get<1>(g), std::get<2>(g), in_double)};
    auto r = known<float>("quantized", {7, 3});
    for (std::int64_t i = 0; i < r.size(); ++i)
        if (!std::isfinite(r[i])) r[i] = -2;
    compare_all({"channels", "channels.x", "channels.min", "channels.max", "channels"},
        f(rows = r, least = known<float>("channels.least", {3}), most = known<float>("channels.most", {3})), 1e-6);
}

TEST_CASE("quantize_and_dequantize") {
    constexpr auto is_signed = xg::quantize_and_dequantize(x, low, high);
    constexpr auto narrow =
        xg::quantize_and_dequantize<xg::quantization{.num_bits = 4, .narrow_range = true, .round_half_up = true}>(x, low, high);
    constexpr auto is_unsigned = xg::quantize_and_dequantize<xg::quantization{.signed_input = false}>(x, low, high);
    constexpr auto whole = xg::quantize_and_dequantize(xg::select(xg::isfinite(x), x, -2_c));
    xg::function f{xg::outputs(is_signed, xg::gradient_of(xg::sum(weights * is_signed), x), narrow, is_unsigned, whole)};
    for (std::string const k : {"0", "1", "2", "3", "4"}) {
        auto const range = line("range" + k);
        compare_all({"signed" + k, "signed" + k + ".x", "narrow" + k, "unsigned" + k, "whole"},
            f(x = known<float>("quantized", {21}), low = static_cast<float>(range[0]), high = static_cast<float>(range[1])), 1e-6);
    }
    xg::function negative{xg::quantize_and_dequantize<xg::quantization{.signed_input = false}>(x)};
    for (float const r : negative(x = test::tensor<float>({21}, -2.0f))) CHECK(r == 0);
}

TEST_CASE("numbers of bits, and values without a gradient") {
    constexpr auto i8 = xg::input<"i8", std::int8_t, 5>;
    constexpr auto i64 = xg::input<"i64", std::int64_t, 5>;
    constexpr auto number = xg::input<"number", double>;
    constexpr auto kept = xg::prevent_gradient<"a threshold">(number);
    constexpr auto slope = xg::gradient_of(xg::stop_gradient(kept) * number, number);
    xg::function f{xg::outputs(xg::population_count(i8), xg::population_count(i64), kept, slope)};
    auto const [few, many, same, two] =
        f(i8 = test::list<std::int8_t>({0, 1, -1, -128, 127}), i64 = test::list<std::int64_t>({0, 255, -1, -2, 1LL << 40}), number = 2.5);
    std::int64_t const of_i8[]{0, 1, 8, 1, 7}, of_i64[]{0, 8, 64, 63, 1};
    for (std::int64_t i = 0; i < 5; ++i) {
        CHECK(few[i] == of_i8[i]);
        CHECK(many[i] == of_i64[i]);
    }
    CHECK(same == 2.5);
    CHECK(two == 2.5);
}
