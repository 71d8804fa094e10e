// SPDX-License-Identifier: MIT
// Wide & deep on Adult against TensorFlow: losses of 20 steps and the variables after them.
#include <train/trace.hpp>

using namespace xgrad::literals;

namespace {

inline constexpr xg::dim batch{"batch"};
constexpr auto wide_ids = xg::input<"wide_ids", std::int32_t, batch, 17>;
constexpr auto ids = xg::input<"ids", std::int32_t, batch, 8>;
constexpr auto dense = xg::input<"dense", float, batch, 5>;
constexpr auto label = xg::input<"label", float, batch>;
constexpr auto wide = xg::variable<"wide", float, 7122>;
constexpr auto wide_bias = xg::variable<"wide_bias", float>;
constexpr auto e0 = xg::variable<"embedding0", float, 9, 8>;
constexpr auto e1 = xg::variable<"embedding1", float, 16, 8>;
constexpr auto e2 = xg::variable<"embedding2", float, 7, 8>;
constexpr auto e3 = xg::variable<"embedding3", float, 15, 8>;
constexpr auto e4 = xg::variable<"embedding4", float, 6, 8>;
constexpr auto e5 = xg::variable<"embedding5", float, 5, 8>;
constexpr auto e6 = xg::variable<"embedding6", float, 2, 8>;
constexpr auto e7 = xg::variable<"embedding7", float, 42, 8>;
constexpr auto w1 = xg::variable<"w1", float, 69, 100>;
constexpr auto b1 = xg::variable<"b1", float, 100>;
constexpr auto w2 = xg::variable<"w2", float, 100, 50>;
constexpr auto b2 = xg::variable<"b2", float, 50>;
constexpr auto w3 = xg::variable<"w3", float, 50, 1>;
constexpr auto b3 = xg::variable<"b3", float, 1>;
template<int I>
constexpr auto column = xg::squeeze<1>(xg::slice<1, I, I + 1>(ids));
struct features : xg::let<features> {
    static constexpr auto value() {
        return xg::concat<1>(xg::gather(e0, column<0>), xg::gather(e1, column<1>), xg::gather(e2, column<2>), xg::gather(e3, column<3>),
            xg::gather(e4, column<4>), xg::gather(e5, column<5>), xg::gather(e6, column<6>), xg::gather(e7, column<7>), dense);
    }
};
constexpr auto hidden = xg::relu(xg::matmul(xg::relu(xg::matmul(features{}, w1) + b1), w2) + b2);
struct logits : xg::let<logits> {
    static constexpr auto value() { return xg::embedding_bag(wide, wide_ids) + wide_bias + xg::squeeze<1>(xg::matmul(hidden, w3) + b3); }
};
constexpr auto loss = xg::mean(xg::sigmoid_cross_entropy(logits{}, label));

struct rows {
    std::vector<float> label, dense;
    std::vector<std::int32_t> wide, ids;
};
rows read_rows() {
    rows r;
    std::ifstream file(std::string(XGRAD_TEST_DATA) + "/wide_deep_rows.txt");
    REQUIRE(file);
    std::string line;
    while (std::getline(file, line)) {
        if (line.empty() || line[0] == '#') continue;
        std::istringstream in(line);
        float x = 0;
        std::int32_t k = 0;
        in >> x;
        r.label.push_back(x);
        for (int i = 0; i < 17 && in >> k; ++i) r.wide.push_back(k);
        for (int i = 0; i < 8 && in >> k; ++i) r.ids.push_back(k);
        for (int i = 0; i < 5 && in >> x; ++i) r.dense.push_back(x);
    }
    REQUIRE(r.dense.size() == 800 * 5);
    return r;
}

}   // namespace

TEST_CASE("wide & deep, ftrl and adagrad: 20 steps as TensorFlow takes them") {
    auto train = xg::minimize(loss, xg::param_group(xg::ftrl{.learning_rate = 0.2, .l1 = 0.05}, wide, wide_bias),
        xg::param_group(xg::adagrad{.learning_rate = 0.02}));
    std::uint64_t stream = 0;
    auto const table = [&](auto view) { recipe::symmetric(1, stream++, 0.05, view); };
    auto const matrix = [&](auto view) { recipe::glorot(1, stream++, view); };
    table(train.value(e0));
    table(train.value(e1));
    table(train.value(e2));
    table(train.value(e3));
    table(train.value(e4));
    table(train.value(e5));
    table(train.value(e6));
    table(train.value(e7));
    matrix(train.value(w1));
    matrix(train.value(w2));
    matrix(train.value(w3));

    rows r = read_rows();
    trace const expected = read_trace("wide_deep_trace.txt", "", 1, 3);
    REQUIRE(expected.losses.size() == 20);
    for (std::size_t i = 0; i < expected.losses.size(); ++i) {
        float const value = train(label = xg::array(&r.label[40 * i], 40), wide_ids = xg::array(&r.wide[40 * 17 * i], 40, 17),
            ids = xg::array(&r.ids[40 * 8 * i], 40, 8), dense = xg::array(&r.dense[40 * 5 * i], 40, 5));
        CHECK_MESSAGE(near(value, expected.losses[i], 1e-5), "step " << i << ": " << value << " against " << expected.losses[i]);
    }
    CHECK(train.global_step() == 20);
    check_variable(expected, "wide", train.value(wide));
    check_variable(expected, "wide_bias", train.value(wide_bias));
    check_variable(expected, "embedding0", train.value(e0));
    check_variable(expected, "embedding1", train.value(e1));
    check_variable(expected, "embedding2", train.value(e2));
    check_variable(expected, "embedding3", train.value(e3));
    check_variable(expected, "embedding4", train.value(e4));
    check_variable(expected, "embedding5", train.value(e5));
    check_variable(expected, "embedding6", train.value(e6));
    check_variable(expected, "embedding7", train.value(e7));
    check_variable(expected, "w1", train.value(w1));
    check_variable(expected, "b1", train.value(b1));
    check_variable(expected, "w2", train.value(w2));
    check_variable(expected, "b2", train.value(b2));
    check_variable(expected, "w3", train.value(w3));
    check_variable(expected, "b3", train.value(b3));
    // l1 keeps the wide weights sparse: the same ones are zero
    long nonzero = 0;
    for (float const x : train.value(wide)) nonzero += x != 0;
    CHECK(nonzero == static_cast<long>(expected.variables.at("wide")[2]));
}
