// SPDX-License-Identifier: MIT
// The wide & deep of the demo against TensorFlow: losses of 20 steps and the variables after them.
#include <train/trace.hpp>

#include <wide_and_deep/initial_values.hpp>

namespace {

using namespace examples::wide_and_deep;

struct rows {
    std::vector<float> label, dense;
    std::vector<std::int32_t> wide, ids;
};
rows read_rows() {
    rows r;
    std::ifstream file(XGRAD_TEST_DATA "/wide_deep_rows.txt");
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
    auto train = make_trainer();
    fill_variables(train, 1);
    rows r = read_rows();
    trace const expected = read_trace("wide_deep_trace.txt", "", 1, 3);
    REQUIRE(expected.losses.size() == 20);
    for (std::size_t i = 0; i < expected.losses.size(); ++i) {
        float const value = train(label = xg::array(&r.label[40 * i], 40), wide_ids = xg::array(&r.wide[40 * 17 * i], 40, 17),
            ids = xg::array(&r.ids[40 * 8 * i], 40, 8), dense = xg::array(&r.dense[40 * 5 * i], 40, 5));
        CHECK_MESSAGE(near(value, expected.losses[i], 1e-5), "step " << i << ": " << value << " against " << expected.losses[i]);
    }
    CHECK(train.global_step() == 20);
    check_variable(expected, "wide", train.value(wide_w));
    check_variable(expected, "wide_bias", train.value(wide_b));
    check_variable(expected, "embedding0", train.value(t0));
    check_variable(expected, "embedding1", train.value(t1));
    check_variable(expected, "embedding2", train.value(t2));
    check_variable(expected, "embedding3", train.value(t3));
    check_variable(expected, "embedding4", train.value(t4));
    check_variable(expected, "embedding5", train.value(t5));
    check_variable(expected, "embedding6", train.value(t6));
    check_variable(expected, "embedding7", train.value(t7));
    check_variable(expected, "w1", train.value(w1));
    check_variable(expected, "b1", train.value(b1));
    check_variable(expected, "w2", train.value(w2));
    check_variable(expected, "b2", train.value(b2));
    check_variable(expected, "w3", train.value(w3));
    check_variable(expected, "b3", train.value(b3));
    // l1 keeps the wide weights sparse: the same ones are zero
    long nonzero = 0;
    for (float const x : train.value(wide_w)) nonzero += x != 0;
    CHECK(nonzero == static_cast<long>(expected.variables.at("wide")[2]));
}
