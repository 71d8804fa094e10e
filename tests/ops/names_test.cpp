// SPDX-License-Identifier: MIT
// Operations are known by their properties, never by name: users' operations with the name of every built-in one give their own results.
#include <support/tensor.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};

constexpr std::string_view names[] = {"abs", "add", "broadcast_to", "cast", "concat", "constant", "cos", "div", "embedding_bag", "equal",
    "exp", "expand_dims", "expm1", "gather", "gradient", "greater", "greater_equal", "index", "input", "less", "less_equal", "log", "log1p",
    "log_or_zero", "log_sum_exp", "logical_and", "logical_not", "logical_or", "match", "matmul", "max", "maximum", "mean", "minimum", "mul",
    "neg", "not_equal", "one_hot", "part", "pow", "put_in_row", "relu", "reshape", "scan", "scatter", "select", "sigmoid",
    "sigmoid_cross_entropy", "sign", "sin", "size", "slice", "softmax", "softmax_cross_entropy", "softplus", "sparse_softmax_cross_entropy",
    "sqrt", "square", "squeeze", "stop_gradient", "sub", "sum", "take_from_row", "tanh", "top_k", "transpose", "uniform_like", "variable",
    "watched"};
constexpr int count = static_cast<int>(std::size(names));

constexpr int at(std::string_view name) {
    return static_cast<int>(std::find(std::begin(names), std::end(names), name) - std::begin(names));
}

/// K x² + K
template<int K>
struct one_operand : xg::elementwise_op {
    static constexpr std::string_view name = names[K];
    static auto value(auto x) {
        using V = decltype(x);
        return V(K) * x * x + V(K);
    }
    static constexpr xg::symbol derivative(xg::symbol x, xg::symbol, xg::symbol g) {
        return g * (2_c * x) * x.table->constant(K, xg::dtype::literal);
    }
};
/// a b + K: no sum goes through it.
template<int K>
struct two_operands : xg::elementwise_op {
    static constexpr std::string_view name = names[K];
    static auto value(auto a, auto b) { return a * b + decltype(a)(K); }
    static constexpr xg::symbols derivative(xg::symbol a, xg::symbol b, xg::symbol, xg::symbol g) { return {{g * b, g * a}}; }
};
/// The first element of the row, and the index, which may be any number.
template<int K>
struct with_index : xg::row_op {
    static constexpr std::string_view name = names[K];
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
constexpr auto y = xg::input<"y", float, batch>;
constexpr auto c = xg::expand_dims<1>(y);
constexpr auto ids = xg::input<"ids", std::int32_t, batch>;

template<class F>
constexpr auto for_names(F f) {
    return [&]<int... K>(std::integer_sequence<int, K...>) { return f(std::integral_constant<int, K>{}...); }(
               std::make_integer_sequence<int, count>{});
}

// Names that stand in the headers, of operations and of update rules.
std::set<std::string> names_in_headers() {
    std::set<std::string> found;
    std::regex const name(R"re((?:string_view name = |make_op\()"(\w+)")re");
    for (char const* room : {"core", "graph", "grad", "ops", "plan"})
        for (auto const& file : std::filesystem::directory_iterator(std::string(XGRAD_SOURCE_DIR "/include/xgrad/") + room)) {
            std::ifstream in(file.path());
            for (std::string line; std::getline(in, line);)
                if (std::smatch m; line.find("///") == std::string::npos && std::regex_search(line, m, name)) found.insert(m[1]);
        }
    return found;
}
}

TEST_CASE("the list holds the name of every operation") {
    std::set<std::string> const found = names_in_headers();
    REQUIRE(found.size() > 50);
    for (auto const& name : found) CHECK_MESSAGE(at(name) < count, name);
}

// Of all names together: one that is taken for something else changes the sum.
TEST_CASE("sums along the lanes of operations with the names of built-in ones") {
    auto const a = test::numbers<float>({3, 37}), b = test::numbers<float>({3}, 0.5, 2, 2);
    constexpr auto sums = for_names([](auto... k) { return (... + xg::sum<1>(two<k>(c, one<k>(x)))); });
    xg::function f{sums};
    auto const totals = f(x = a, y = b);
    double const all = count * (count - 1) / 2;   // 0 + 1 + ... of the names
    for (std::int64_t i = 0; i < 3; ++i) {
        double total = 0;
        for (std::int64_t j = 0; j < 37; ++j) total += b[i] * (all * a[i * 37 + j] * a[i * 37 + j] + all) + all;
        CHECK(totals[i] == doctest::Approx(total));
    }
}

TEST_CASE("gradients of operations with the names of built-in ones") {
    auto const a = test::numbers<float>({3, 37}), b = test::numbers<float>({3}, 0.5, 2, 2);
    auto const sum_of = [](auto... k) { return (... + two<k>(c, one<k>(x))); };
    constexpr auto names_of = [](auto... k) { return std::tuple(std::integral_constant<int, k>{}...); };
    constexpr auto few = names_of(std::integral_constant<int, at("mul")>{}, std::integral_constant<int, at("neg")>{},
        std::integral_constant<int, at("add")>{}, std::integral_constant<int, at("sub")>{}, std::integral_constant<int, at("div")>{},
        std::integral_constant<int, at("exp")>{});
    double const all = std::apply([](auto... k) { return (0.0 + ... + k); }, few);
    auto const each = std::apply(sum_of, few);
    auto const [gx, gy] = xg::gradients(xg::sum<1>(each), x, y);
    xg::function f{xg::outputs(gx, gy)};
    auto const [of_x, of_y] = f(x = a, y = b);
    for (std::int64_t i = 0; i < 3; ++i) {
        double row = 0;
        for (std::int64_t j = 0; j < 37; ++j) {
            double const e = a[i * 37 + j];
            row += all * e * e + all;
            CHECK(of_x(i, j) == doctest::Approx(2 * all * b[i] * e));
        }
        CHECK(of_y[i] == doctest::Approx(row));
    }
}

TEST_CASE("functions on rows with the names of built-in ones: an index is theirs to judge") {
    constexpr auto of_all = for_names([](auto... k) { return (... + rows<k>(x, ids)); });
    using P = xg::program<xg::expression_list<std::remove_const_t<decltype(of_all)>>>;
    constexpr int labels = P::input_index(xg::hash_text("ids"));
    static_assert(
        labels >= 0 && P::runtime.inputs[labels].index_limit < 0 && P::runtime.inputs[labels].limit < 0);   // the call compares nothing

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

TEST_CASE("a saturating product called mul is no product") {
    std::vector<float> const two_each(200, 2.0f), b{3.0f};
    constexpr auto long_row = xg::input<"row", float, 1, 200>;
    xg::function f{xg::sum(saturating(xg::expand_dims<1>(xg::input<"b", float, 1>), long_row))};
    CHECK(f(xg::input<"b", float, 1> = b, long_row = xg::array(two_each.data(), 1, 200)) == 200);
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

TEST_CASE("factors come out of sums of any product, of one kind at a time") {
    auto const a = test::numbers<float>({3, 37}), b = test::numbers<float>({3}, 0.5, 2, 2);
    xg::function f{xg::outputs(xg::sum<1>(scaled<2>(c, x)), xg::sum<1>(scaled<2>(c, scaled<2>(x, xg::square(c)))),
        xg::sum<1>(scaled<2>(c, scaled<3>(x, xg::square(c)))), xg::sum<1>(c * scaled<3>(-(x * xg::square(c)), x)),
        xg::sum<1>(scaled<2>(c * x, scaled<3>(c, x))))};
    auto const [r0, r1, r2, r3, r4] = f(x = a, y = b);
    for (std::int64_t i = 0; i < 3; ++i) {
        double sum = 0, squares = 0, e = b[i];
        for (std::int64_t j = 0; j < 37; ++j) {
            sum += a[i * 37 + j];
            squares += a[i * 37 + j] * a[i * 37 + j];
        }
        CHECK(r0[i] == doctest::Approx(2 * e * sum).epsilon(1e-5));
        CHECK(r1[i] == doctest::Approx(4 * e * e * e * sum).epsilon(1e-5));
        CHECK(r2[i] == doctest::Approx(6 * e * e * e * sum).epsilon(1e-5));
        CHECK(r3[i] == doctest::Approx(-3 * e * e * e * squares).epsilon(1e-5));
        CHECK(r4[i] == doctest::Approx(6 * e * e * squares).epsilon(1e-5));
    }
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
