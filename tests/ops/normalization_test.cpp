// SPDX-License-Identifier: MIT
// Normalization against TensorFlow, Keras and PyTorch, and a batch of one.
#include <ops/normalization.hpp>

#include <xgrad/ops/normalization/batch_norm.hpp>
#include <xgrad/ops/normalization/layer_norm.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using test::check_against, test::check_close, test::from_table;
inline constexpr xg::dim batch{"batch"};

template<class T>
struct images {
    static constexpr auto x = xg::input<"x", T, batch, 2, 2, 4>;
    static constexpr auto w = xg::input<"w", T, batch, 2, 2, 4>;
    static constexpr auto scale = xg::input<"scale", T, 4>;
    static constexpr auto offset = xg::input<"offset", T, 4>;
    static constexpr auto of = std::tuple(x, scale, offset);
};
using in = images<double>;
std::vector<std::string> const parts{"x", "scale", "offset"};
}

TEST_CASE("batch normalization of TensorFlow and PyTorch") {
    auto const table = test::read_reference("normalization.txt"), torch = test::read_reference("normalization_torch.txt");
    auto const x = from_table<double>(table.at("x"), {3, 2, 2, 4}), w = from_table<double>(table.at("w"), {3, 2, 2, 4});
    auto const scale = from_table<double>(table.at("scale"), {4}), offset = from_table<double>(table.at("offset"), {4});
    auto const check = [&](auto const& numbers, auto const* name, auto y) {
        check_against(numbers, name, 1e-12, y, in::w, in::of, parts, in::x = x, in::w = w, in::scale = scale, in::offset = offset);
    };
    check(table, "batch", std::get<0>(xg::fused_batch_norm(in::x, in::scale, in::offset)));
    check(torch, "batch", std::get<0>(xg::fused_batch_norm(in::x, in::scale, in::offset, 1e-5_c)));

    constexpr auto mean = xg::input<"mean", double, 4>;
    constexpr auto variance = xg::input<"variance", double, 4>;
    auto means = offset, variances = scale;
    for (std::int64_t i = 0; i < 4; ++i) means[i] += 0.5, variances[i] *= scale[i];
    check_against(table, "given", 1e-12, xg::batch_normalization(in::x, mean, variance, in::offset, in::scale), in::w,
        std::tuple(in::x, in::scale, in::offset, mean, variance), {"x", "scale", "offset", "mean", "variance"}, in::x = x, in::w = w,
        in::scale = scale, in::offset = offset, mean = means, variance = variances);

    using one = images<float>;
    auto const xf = from_table<float>(table.at("x"), {3, 2, 2, 4}), wf = from_table<float>(table.at("w"), {3, 2, 2, 4});
    auto const sf = from_table<float>(table.at("scale"), {4}), of = from_table<float>(table.at("offset"), {4});
    constexpr auto fused = xg::fused_batch_norm(one::x, one::scale, one::offset);
    check_against(
        table, "fused", 3e-6, std::get<0>(fused), one::w, one::of, parts, one::x = xf, one::w = wf, one::scale = sf, one::offset = of);
    xg::function moments{xg::outputs(std::get<1>(fused), std::get<2>(fused))};
    auto const [m, v] = moments(one::x = xf);
    check_close("mean", m, table.at("fused.mean"), 1e-6);
    check_close("variance", v, table.at("fused.variance"), 1e-6);

    // one element of each channel: the offset, and a variance of 0
    constexpr auto row = xg::input<"row", float, batch, 4>;
    constexpr auto of_one = xg::fused_batch_norm(row, one::scale, one::offset);
    constexpr auto slopes = xg::gradients(std::get<0>(of_one), row, one::scale);
    xg::function f{xg::outputs(std::get<0>(of_one), std::get<1>(of_one), std::get<2>(of_one), std::get<0>(slopes), std::get<1>(slopes))};
    auto const [y, m1, v1, dx, ds] = f(row = xg::array(xf.data(), 1, 4), one::scale = sf, one::offset = of);
    check_close("one", y, table.at("fused_one"), 1e-7);
    check_close("one mean", m1, table.at("fused_one.mean"), 1e-7);
    check_close("one variance", v1, table.at("fused_one.variance"), 0);
    check_close("one slope", dx, {0, 0, 0, 0}, 0);
    check_close("one scale", ds, {0, 0, 0, 0}, 0);
}

TEST_CASE("layer, group, instance and rms normalization of Keras and PyTorch") {
    auto const table = test::read_reference("normalization.txt"), torch = test::read_reference("normalization_torch.txt");
    auto const x = from_table<double>(table.at("x"), {3, 2, 2, 4}), w = from_table<double>(table.at("w"), {3, 2, 2, 4});
    auto const scale = from_table<double>(table.at("scale"), {4}), offset = from_table<double>(table.at("offset"), {4});
    auto const check = [&](auto const& numbers, auto const* name, auto y) {
        check_against(numbers, name, 1e-11, y, in::w, in::of, parts, in::x = x, in::w = w, in::scale = scale, in::offset = offset);
    };
    check(table, "layer", xg::layer_norm(in::x, in::scale, in::offset));
    check(torch, "layer", xg::layer_norm(in::x, in::scale, in::offset, 1e-5_c));
    check(table, "group", xg::group_norm<2>(in::x, in::scale, in::offset));
    check(torch, "group", xg::group_norm<2>(in::x, in::scale, in::offset, 1e-5_c));
    check(table, "instance", xg::instance_norm(in::x, in::scale, in::offset));
    check(torch, "instance", xg::instance_norm(in::x, in::scale, in::offset, 1e-5_c));
    auto const check_rms = [&](auto const& numbers, auto y) {
        check_against(numbers, "rms", 1e-12, y, in::w, std::tuple(in::x, in::scale), parts, in::x = x, in::w = w, in::scale = scale);
    };
    check_rms(table, xg::rms_norm(in::x, in::scale));
    check_rms(torch, xg::rms_norm(in::x, in::scale, 1e-5_c));
    constexpr auto wide = xg::input<"wide", double, 2, 4>;
    constexpr auto shift = xg::input<"shift", double, 2, 4>;
    check_against(torch, "layer_of_two", 1e-12, xg::layer_norm(in::x, wide, shift, 1e-5_c), in::w, std::tuple(in::x, wide, shift), parts,
        in::x = x, in::w = w, wide = xg::array(w.data(), 2, 4), shift = xg::array(w.data() + 8, 2, 4));
}
