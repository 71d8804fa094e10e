// SPDX-License-Identifier: MIT
// Operations are known by their properties, never by name: users' operations with the name of every built-in one give their own results.
#include "along_the_lanes.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <span>

namespace {
namespace xg = xgrad;
using namespace xg::literals;

constexpr std::string_view names[] = {"abs", "add", "all", "any", "branch", "broadcast_to", "call", "cast", "concat", "cond", "constant",
    "constant_array", "cos", "custom_gradient", "div", "divide_no_nan", "embedding_bag", "equal", "erf", "exp", "expand_dims", "expm1",
    "flip", "fold", "gather", "gradient", "greater", "greater_equal", "index", "input", "is_kept", "in_training", "iterations_of_rows",
    "jvp", "layers", "less", "less_equal", "log", "log1p", "log_or_zero", "log_softmax", "log_sum_exp", "logical_and", "logical_not",
    "logical_or", "map", "match", "matmul", "matmul_in_double", "max", "maximum", "mean", "min", "minimum", "mul", "multiply_no_nan", "neg",
    "norm", "not_equal", "one_hot", "part", "pow", "prod", "product_of_others", "put_in_row", "relu", "reshape", "running_rows", "scan",
    "scatter", "select", "sequence_mask", "shared_uniform_like", "sigmoid", "sigmoid_cross_entropy", "sign", "sin", "size", "slice",
    "softmax", "softmax_cross_entropy", "softplus", "sort", "sparse_softmax_cross_entropy", "sqrt", "square", "squeeze", "stop_gradient",
    "sub", "sum", "switch_case", "take_from_row", "tanh", "top_k", "transpose", "turns_after", "turns_of_segments", "uniform_like",
    "unless_empty", "updated", "variable", "watched", "while_loop", "xdivy", "xlogy"};
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
    std::set<std::string> const elsewhere{
        "activations.hpp", "arrange.hpp", "check_numerics.hpp", "classify.hpp", "diagonals.hpp", "rounding.hpp"};
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

template<class E>
using program_of = xg::program<xg::expression_list<std::remove_cvref_t<E>>>;

// In plans, where a name could be taken for a property. Some names at a time, each time compared with the same program of unknown names,
// because planning time grows faster than the program.
constexpr int together = 10;
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
