// SPDX-License-Identifier: MIT
// Operations are known by their properties, never by name: users' operations with the name of every built-in one give their own results.
#include <support/tensor.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <span>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};

constexpr std::string_view names[] = {"abs", "add", "all", "any", "branch", "broadcast_to", "call", "cast", "concat", "cond", "constant",
    "constant_array", "cos", "custom_gradient", "div", "divide_no_nan", "embedding_bag", "equal", "erf", "exp", "expand_dims", "expm1",
    "flip", "fold", "gather", "gradient", "greater", "greater_equal", "index", "input", "is_kept", "in_training", "iterations_of_rows",
    "jvp", "layers", "less", "less_equal", "log", "log1p", "log_or_zero", "log_softmax", "log_sum_exp", "logical_and", "logical_not",
    "logical_or", "map", "match", "matmul", "matmul_in_double", "max", "maximum", "mean", "min", "minimum", "mul", "multiply_no_nan", "neg",
    "norm", "not_equal", "one_hot", "part", "pow", "prod", "product_of_others", "put_in_row", "relu", "reshape", "running_rows", "scan",
    "scatter", "select", "sequence_mask", "shared_uniform_like", "sigmoid", "sigmoid_cross_entropy", "sign", "sin", "size", "slice",
    "softmax", "softmax_cross_entropy", "softplus", "sort", "sparse_softmax_cross_entropy", "sqrt", "square", "squeeze", "stop_gradient",
    "sub", "sum", "switch_case", "take_from_row", "tanh", "top_k", "transpose", "turns_after", "turns_of_segments", "uniform_like",
    "unless_empty", "updated", "variable", "watched", "while_loop", "xlogy"};
constexpr int count = static_cast<int>(std::size(names));

// After them come operations whose names the library does not have.
constexpr std::string_view name_of(int k) { return k < count ? names[k] : std::string_view("unheard_of"); }
constexpr int at(std::string_view name) {
    return static_cast<int>(std::find(std::begin(names), std::end(names), name) - std::begin(names));
}

/// K x² + K
template<int K>
struct one_operand : xg::elementwise_op {
    static constexpr std::string_view name = name_of(K);
    static auto value(auto x) {
        using V = decltype(x);
        return V(K % count) * x * x + V(K % count);
    }
    static constexpr xg::symbol derivative(xg::symbol x, xg::symbol, xg::symbol g) {
        return g * (2_c * x) * x.table->constant(K, xg::dtype::literal);
    }
};
/// a b + K: no sum is taken through it.
template<int K>
struct two_operands : xg::elementwise_op {
    static constexpr std::string_view name = name_of(K);
    static auto value(auto a, auto b) { return a * b + decltype(a)(K); }
    static constexpr xg::symbols derivative(xg::symbol a, xg::symbol b, xg::symbol, xg::symbol g) { return {{g * b, g * a}}; }
};
/// The first element of the row, and the index, which may be any number.
template<int K>
struct with_index : xg::row_op {
    static constexpr std::string_view name = name_of(K);
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&, int) {
        xg::value_info r = v[0];
        --r.dims.rank;
        return r;
    }
    static void row(std::span<float const> x, std::span<std::int32_t const> i, std::span<float> y) {
        y[0] = x[0] + static_cast<float>(i[0]) + static_cast<float>(K);
    }
};
template<int K>
inline constexpr xg::elementwise<one_operand<K>> one{};
template<int K>
inline constexpr xg::elementwise<two_operands<K>> two{};
template<int K>
inline constexpr xg::row_function<with_index<K>> rows{};

constexpr auto x = xg::input<"x", float, batch, 37>;
constexpr auto ids = xg::input<"ids", std::int32_t, batch>;

template<class F>
constexpr auto for_names(F f) {
    return [&]<int... K>(std::integer_sequence<int, K...>) { return f(std::integral_constant<int, K>{}...); }(
               std::make_integer_sequence<int, count>{});
}

// Names that are in the headers, of operations and of update rules. The planner does not include the families that ops.hpp
// does not include, so their names are as good as any other.
std::set<std::string> names_in_headers() {
    std::set<std::string> found;
    std::set<std::string> const elsewhere{"activations.hpp", "arrange.hpp", "classify.hpp", "diagonals.hpp", "rounding.hpp"};
    for (char const* room : {"core", "graph", "grad", "ops", "plan"})
        for (auto const& file : std::filesystem::directory_iterator(std::string(XGRAD_SOURCE_DIR "/include/xgrad/") + room)) {
            if (elsewhere.contains(file.path().filename().string())) continue;
            std::ifstream in(file.path());
            for (std::string line; std::getline(in, line);)
                for (std::string const before : {"string_view name = \"", "make_op(\""}) {
                    std::size_t const from = line.find(before) + before.size(), to = line.find('"', from);
                    if (from < before.size() || to == std::string::npos || to == from || line.find("///") != std::string::npos) continue;
                    found.insert(line.substr(from, to - from));
                }
        }
    return found;
}
}

TEST_CASE("the list holds the name of every operation") {
    std::set<std::string> const found = names_in_headers();
    REQUIRE(found.size() > 50);
    for (auto const& name : found) CHECK_MESSAGE(at(name) < count, name);
}

// Rows of 5 elements and a value for each row put the batch into the lanes, and sums over it give up factors that do not vary: m and q.
constexpr auto z = xg::input<"z", float, batch, 5>;
constexpr auto m = xg::input<"m", float, 7, 5>;
constexpr auto q = xg::input<"q", float, 7, 5>;
constexpr auto pair = xg::expand_dims<1>(z) - m;
constexpr auto share = xg::expand_dims<2>(xg::softmax<1>(-xg::sum<2>(xg::square(pair)))) * pair;

struct along_the_lanes {
    static constexpr std::int64_t examples = 61;
    test::tensor<float> of_z = test::numbers<float>({examples, 5}), of_m = test::numbers<float>({7, 5}, -1, 1, 2),
                        of_q = test::numbers<float>({7, 5}, 0.5, 2, 3);
    /// The sum over the examples of f(q, share) at [i, j] of [7, 5].
    template<class F>
    double sum(std::int64_t i, std::int64_t j, F f) const {
        double total = 0;
        for (std::int64_t n = 0; n < examples; ++n) {
            double weights = 0, own = 0;
            for (std::int64_t k = 0; k < 7; ++k) {
                double far = 0;
                for (std::int64_t l = 0; l < 5; ++l) far += std::pow(of_z[n * 5 + l] - of_m[k * 5 + l], 2);
                weights += std::exp(-far);
                if (k == i) own = std::exp(-far);
            }
            total += f(of_q[i * 5 + j], own / weights * (of_z[n * 5 + j] - of_m[i * 5 + j]));
        }
        return total;
    }
    template<class R, class F>
    void compare(R const& r, F f) const {
        for (std::int64_t i = 0; i < 7; ++i)
            for (std::int64_t j = 0; j < 5; ++j) CHECK(r(i, j) == doctest::Approx(sum(i, j, f)).epsilon(1e-4));
    }
};

template<class E>
using program_of = xg::program<xg::expression_list<std::remove_cvref_t<E>>>;

// In plans, where a name could be taken for a property. Some names at a time, each time compared with the same program of unknown names,
// because planning time grows faster than the program.
constexpr int together = 15;
template<int First>
constexpr auto sums_of_names() {
    return []<int... K>(std::integer_sequence<int, K...>) { return (... + xg::sum<0>(two<First + K>(q, one<First + K>(share)))); }(
               std::make_integer_sequence<int, together>{});
}
template<int First>
std::span<xg::planner::instruction const> instructions() {
    constexpr auto const& plan = program_of<decltype(sums_of_names<First>())>::plan;
    return {plan.ins, static_cast<std::size_t>(plan.ins_count)};
}
void planned_alike(std::span<xg::planner::instruction const> a, std::span<xg::planner::instruction const> b) {
    REQUIRE(a.size() == b.size());
    REQUIRE(a.size() > 2 * together);
    for (std::size_t i = 0; i < a.size(); ++i) {
        CHECK(a[i].kind == b[i].kind);
        CHECK(a[i].level == b[i].level);
        CHECK((a[i].a == b[i].a && a[i].b == b[i].b && a[i].operand == b[i].operand));
    }
}
TEST_CASE("operations with the names of built-in ones are planned like others") {
    auto const plain = instructions<count>();
    [&]<int... C>(std::integer_sequence<int, C...>) {
        (planned_alike(instructions<std::min(C * together, count - together)>(), plain), ...);   // the last may meet some again
    }(std::make_integer_sequence<int, (count + together - 1) / together>{});
}

TEST_CASE_FIXTURE(along_the_lanes, "sums and gradients of operations with the names of built-in ones") {
    auto const run = [&]<int... K>(std::integer_sequence<int, K...>) {
        constexpr auto sums = (... + (xg::sum<0>(two<K>(q, share)) + xg::sum<0>(one<K>(share))));
        xg::function f{xg::outputs(sums, xg::gradient_of(sums, q))};
        auto const [value, gradient] = f(z = of_z, m = of_m, q = of_q);
        double const n = sizeof...(K), all = (0.0 + ... + K);
        compare(value, [=](double a, double b) { return n * a * b + all + all * b * b + all; });
        compare(gradient, [=](double, double b) { return n * b; });
    };
    run(std::integer_sequence<int, at("mul"), at("neg"), at("add")>{});   // others have the same plan, as seen above
}

TEST_CASE("functions on rows with the names of built-in ones: an index is theirs to judge") {
    constexpr auto of_all = for_names([](auto... k) { return (... + rows<k>(x, ids)); });
    using P = program_of<decltype(of_all)>;
    constexpr int labels = P::input_index(xg::hash_text("ids"));
    static_assert(labels >= 0 && P::runtime.inputs[labels].index_limit < 0);
    static_assert(P::runtime.view().limit_count == 0);   // the call compares nothing

    auto const a = test::numbers<float>({3, 37});
    std::vector<std::int32_t> const i{36, 1000, -5};
    constexpr int k = at("sparse_softmax_cross_entropy");
    xg::function f{rows<k>(x, ids)};
    auto const r = f(x = a, ids = i);
    for (std::size_t n = 0; n < 3; ++n)
        CHECK(r[static_cast<std::int64_t>(n)] == a[static_cast<std::int64_t>(n) * 37] + static_cast<float>(i[n]) + k);
}

namespace {
// The saturating product of the fault that this file is about: at most 1.
struct saturating_mul : xg::elementwise_op {
    static constexpr std::string_view name = "mul";
    static auto value(auto a, auto b) { return xg::math::min(a * b, decltype(a)(1)); }
};
inline constexpr xg::elementwise<saturating_mul> saturating{};
// 2 a b and 3 a b say that they are products.
template<int K>
struct scaled_product : xg::elementwise_op {
    static constexpr std::string_view name = "scaled_product";
    static constexpr bool multilinear = true;
    static auto value(auto a, auto b) { return decltype(a)(K) * a * b; }
};
template<int K>
inline constexpr xg::elementwise<scaled_product<K>> scaled{};
// The position of the label's element among 4 x elements: says that labels stay below 4 x as long as the first operand.
struct labelled_op : xg::row_op {
    static constexpr std::string_view name = "labelled";
    static constexpr xg::index_bound indices{.operand = 2, .of = 1, .axis = -1};
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&, int) {
        xg::value_info r = v[0];
        --r.dims.rank;
        return r;
    }
    static void row(std::span<float const>, std::span<float const> z, std::span<std::int32_t const> i, std::span<float> out) {
        out[0] = z[static_cast<std::size_t>(i[0])];
    }
};
inline constexpr xg::row_function<labelled_op> labelled{};
}

TEST_CASE("two operations of one name in kernels of one structure") {
    auto const a = test::list<float>({1, 2, 3, 4, 5});
    constexpr auto v = xg::input<"v", float, 5>;
    xg::function f{saturating(v * saturating(v, v), v)};
    xg::function g{(v * saturating(v, v)) * v};
    xg::function h{saturating(v * v, v) * v};
    auto const rf = f(v = a), rg = g(v = a), rh = h(v = a);
    for (std::int64_t i = 0; i < 5; ++i) {
        float const e = a[i], s = std::min(e * e, 1.0f);
        CHECK(rf[i] == std::min(e * s * e, 1.0f));
        CHECK(rg[i] == e * s * e);
        CHECK(rh[i] == std::min(e * e * e, 1.0f) * e);
    }
}

TEST_CASE_FIXTURE(
    along_the_lanes, "factors come out of sums of any product, of one kind at a time; a saturating product called mul is none") {
    constexpr auto s = xg::square(share);
    xg::function f{xg::outputs(xg::sum<0>(scaled<2>(q, s)), xg::sum<0>(scaled<2>(q, scaled<2>(s, m))),
        xg::sum<0>(scaled<2>(q, scaled<3>(s, q))), xg::sum<0>(q * scaled<3>(-(s * q), share)),
        xg::sum<0>(scaled<2>(q * share, scaled<3>(q, s))), xg::sum<0>(saturating(q, share * share + 0.5_c)))};
    auto const [r0, r1, r2, r3, r4, r5] = f(z = of_z, m = of_m, q = of_q);
    compare(r0, [](double a, double b) { return 2 * a * b * b; });
    compare(r2, [](double a, double b) { return 6 * a * a * b * b; });
    compare(r3, [](double a, double b) { return -3 * a * a * b * b * b; });
    compare(r4, [](double a, double b) { return 6 * a * a * b * b * b; });
    compare(r5, [](double a, double b) { return std::min(a * (b * b + 0.5), 1.0); });
    for (std::int64_t i = 0; i < 7; ++i)
        for (std::int64_t j = 0; j < 5; ++j)
            CHECK(
                r1(i, j) == doctest::Approx(sum(i, j, [&](double a, double b) { return 4 * a * b * b * of_m[i * 5 + j]; })).epsilon(1e-4));
}

TEST_CASE("an operation says which operand holds indices") {
    auto const a = test::numbers<float>({2, 3}), c = test::numbers<float>({2, 12}, -1, 1, 2);
    constexpr auto short_row = xg::input<"short", float, batch, 3>;
    constexpr auto long_row = xg::input<"long", float, batch, 12>;
    xg::function f{labelled(short_row, long_row, ids)};
    auto const r = f(short_row = a, long_row = c, ids = std::vector<std::int32_t>{11, 0});
    CHECK(r[0] == c[11]);
    CHECK(r[1] == c[12]);
    CHECK_THROWS_AS(f(short_row = a, long_row = c, ids = std::vector<std::int32_t>{12, 0}), xg::value_error);
    CHECK_THROWS_AS(f(short_row = a, long_row = c, ids = std::vector<std::int32_t>{3, -1}), xg::value_error);
}
