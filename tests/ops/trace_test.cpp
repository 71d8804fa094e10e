// SPDX-License-Identifier: MIT
// Values and gradients of TensorFlow, from reference/ops_trace.txt.
#include <support/tensor.hpp>

#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

namespace {
namespace xg = xgrad;
using namespace xg::literals;

struct entry {
    std::string dtype;
    std::vector<std::int64_t> shape;
    std::vector<double> values;
};
struct trace_case {
    std::map<std::string, entry> inputs, gradients;
    std::vector<entry> outputs;
    entry upstream;
    bool has_upstream = false;
};
double parse(std::string const& s) { return std::strtod(s.c_str(), nullptr); }
entry read_entry(std::istringstream& in) {
    entry e;
    int rank = 0;
    in >> e.dtype >> rank;
    for (int d = 0; d < rank; ++d) {
        std::int64_t n = 0;
        in >> n;
        e.shape.push_back(n);
    }
    std::string word;
    in >> word;   // the colon
    while (in >> word) e.values.push_back(parse(word));
    return e;
}
std::map<std::string, trace_case> const& trace() {
    static std::map<std::string, trace_case> const all = [] {
        std::map<std::string, trace_case> r;
        std::ifstream file(std::string(XGRAD_TEST_DATA) + "/ops_trace.txt");
        std::string line, name;
        while (std::getline(file, line)) {
            std::istringstream in(line);
            std::string key;
            in >> key;
            if (key == "case") in >> name;
            else if (key == "input" || key == "gradient") {
                std::string of;
                in >> of;
                if (line.ends_with(" none")) continue;
                (key == "input" ? r[name].inputs : r[name].gradients)[of] = read_entry(in);
            } else if (key == "output") {
                std::string of;
                in >> of;
                r[name].outputs.push_back(read_entry(in));
            } else if (key == "upstream") {
                r[name].upstream = read_entry(in);
                r[name].has_upstream = true;
            } else if (key == "slices") {   // made dense
                std::string of, word;
                std::int64_t n = 0, rows = 0, columns = 0;
                in >> of >> n >> rows >> columns >> word;
                std::vector<std::int64_t> ids(static_cast<std::size_t>(n));
                for (auto& i : ids) in >> i;
                in >> word;
                entry e{"slices", {rows, columns}, std::vector<double>(static_cast<std::size_t>(rows * columns))};
                for (auto i : ids)
                    for (std::int64_t k = 0; k < columns; ++k) {
                        in >> word;
                        e.values[static_cast<std::size_t>(i * columns + k)] += parse(word);
                    }
                r[name].gradients[of] = e;
            }
        }
        return r;
    }();
    return all;
}
template<class T>
test::tensor<T> as(entry const& e) {
    test::tensor<T> t(e.shape);
    for (std::int64_t i = 0; i < t.size(); ++i) t[i] = static_cast<T>(e.values[static_cast<std::size_t>(i)]);
    return t;
}
template<class T, class R>
void compare(std::string const& what, R const& r, entry const& e) {
    CAPTURE(what);
    auto one = [&](std::size_t i, T v) {
        CAPTURE(i);
        double const x = e.values[i];
        if (std::isnan(x) || std::isinf(x)) CHECK(((std::isnan(x) && std::isnan(v)) || static_cast<double>(v) == x));
        else CHECK(static_cast<double>(v) == doctest::Approx(x).epsilon(sizeof(T) == 4 ? 3e-5 : 1e-9).scale(sizeof(T) == 4 ? 1e-2 : 1e-5));
    };
    if constexpr (std::is_arithmetic_v<R>) one(0, static_cast<T>(r));
    else {
        REQUIRE(static_cast<std::size_t>(r.size()) == e.values.size());
        for (std::size_t i = 0; i < e.values.size(); ++i) one(i, static_cast<T>(r[static_cast<std::int64_t>(i)]));
    }
}
inline constexpr xg::dim n{"n"};
template<class T>
inline constexpr auto x = xg::input<"x", T, n>;
template<class T>
inline constexpr auto up = xg::input<"up", T, n>;

/// A function of one vector.
template<class T, class F>
void vector_case(std::string name, F const& f) {
    auto const& c = trace().at(name + (sizeof(T) == 8 ? ".f64" : ""));
    constexpr auto y = F{}(x<T>);
    xg::function fn{xg::outputs(y, xg::gradient_of(y * up<T>, x<T>))};
    auto const v = as<T>(c.inputs.at("x"));
    auto const u = c.has_upstream ? as<T>(c.upstream) : test::tensor<T>({v.size()}, T(1));
    auto const [value, slope] = fn(x<T> = v, up<T> = u);
    compare<T>(name, value, c.outputs[0]);
    compare<T>(name + " gradient", slope, c.gradients.at("x"));
    (void)f;
}
/// Any expression: `u` is the input for the upstream gradient.
template<class T, class Y, class U, class... I, class... A>
void general_case(std::string name, Y, U, std::vector<std::string> wrt, xg::binding<I, A>... bindings) {
    auto const& c = trace().at(name + (sizeof(T) == 8 ? ".f64" : ""));
    constexpr auto weighted = [] {
        if constexpr (std::is_same_v<U, int>) return Y{};
        else return Y{} * U{};
    }();
    auto const check = [&](auto const& results, std::size_t k) {
        if (k == 0) compare<T>(name, results, c.outputs[0]);
        else compare<T>(name + " gradient of " + wrt[k - 1], results, c.gradients.at(wrt[k - 1]));
    };
    auto dense = [](auto const& g) {
        if constexpr (xg::Expr<decltype(g)>) return g;
        else return g.dense;
    };
    constexpr auto floating = std::tuple_cat([](auto i) {
        if constexpr (xg::is_floating(decltype(i)::info.value.type) && decltype(i)::info.attrs.name != "up") return std::tuple(i);
        else return std::tuple<>{};
    }(I{})...);
    auto const list = std::apply([&](auto... i) { return xg::outputs(Y{}, dense(xg::gradient_of(weighted, i))...); }, floating);
    xg::function fn{list};
    auto const all = [&] {
        if constexpr (std::is_same_v<U, int>) return fn(bindings...);
        else {
            auto const u = as<T>(c.upstream);
            return fn(bindings..., U{} = u);
        }
    }();
    std::size_t k = 0;
    std::apply([&](auto const&... r) { (check(r, k++), ...); }, all);
}
#define XGRAD_VECTOR_CASE(name, expression) vector_case<T>(name, [](auto a) { return expression; })
}

TEST_CASE_TEMPLATE("TensorFlow: functions of a vector", T, float, double) {
    XGRAD_VECTOR_CASE("relu", xg::relu(a));
    XGRAD_VECTOR_CASE("abs", xg::abs(a));
    XGRAD_VECTOR_CASE("tanh", xg::tanh(a));
    XGRAD_VECTOR_CASE("sigmoid", xg::sigmoid(a));
    XGRAD_VECTOR_CASE("softplus", xg::softplus(a));
    XGRAD_VECTOR_CASE("exp", xg::exp(a));
    XGRAD_VECTOR_CASE("log", xg::log(a));
    XGRAD_VECTOR_CASE("log1p", xg::log1p(a));
    XGRAD_VECTOR_CASE("expm1", xg::expm1(a));
    XGRAD_VECTOR_CASE("sqrt", xg::sqrt(a));
    XGRAD_VECTOR_CASE("square", xg::square(a));
    XGRAD_VECTOR_CASE("select_guarded_sqrt", xg::select(xg::greater(a, 0_c), xg::sqrt(a), 0_c));
    XGRAD_VECTOR_CASE("clip_by_value", xg::minimum(xg::maximum(a, -1_c), 1_c));
}

TEST_CASE_TEMPLATE("TensorFlow: cross entropies and softmax", T, float, double) {
    auto const at = [](std::string const& name) -> trace_case const& { return trace().at(name + (sizeof(T) == 8 ? ".f64" : "")); };
    constexpr auto four = xg::input<"logits", T, n, 4>;
    constexpr auto labels4 = xg::input<"labels", T, n, 4>;
    constexpr auto three = xg::input<"logits", T, n, 3>;
    constexpr auto labels3 = xg::input<"labels", T, n, 3>;
    constexpr auto ids = xg::input<"ids", std::int32_t, n>;
    auto bind = [&](std::string const& name, std::string const& input) { return as<T>(at(name).inputs.at(input)); };
    {
        auto const a = bind("softmax_cross_entropy", "logits"), b = bind("softmax_cross_entropy", "labels");
        general_case<T>(
            "softmax_cross_entropy", xg::softmax_cross_entropy(four, labels4), up<T>, {"logits", "labels"}, four = a, labels4 = b);
        auto const c = bind("softmax_cross_entropy_labels_not_normalised", "logits"),
                   d = bind("softmax_cross_entropy_labels_not_normalised", "labels");
        general_case<T>("softmax_cross_entropy_labels_not_normalised", xg::softmax_cross_entropy(three, labels3), 0, {"logits", "labels"},
            three = c, labels3 = d);
    }
    for (std::string const name : {"sparse_softmax_cross_entropy"}) {
        auto const a = bind(name, "logits");
        auto const b = as<std::int32_t>(at(name).inputs.at("labels"));
        general_case<T>(name, xg::sparse_softmax_cross_entropy(four, ids), up<T>, {"logits"}, four = a, ids = b);
    }
    {
        auto const a = bind("sparse_softmax_cross_entropy_large", "logits");
        auto const b = as<std::int32_t>(at("sparse_softmax_cross_entropy_large").inputs.at("labels"));
        general_case<T>(
            "sparse_softmax_cross_entropy_large", xg::sparse_softmax_cross_entropy(three, ids), 0, {"logits"}, three = a, ids = b);
        constexpr auto l = xg::input<"l", T, n>;
        constexpr auto z = xg::input<"z", T, n>;
        auto const c = bind("sigmoid_cross_entropy", "logits"), d = bind("sigmoid_cross_entropy", "labels");
        general_case<T>("sigmoid_cross_entropy", xg::sigmoid_cross_entropy(l, z), 0, {"logits", "labels"}, l = c, z = d);
    }
    constexpr auto m = xg::input<"m", T, n, 3>;
    constexpr auto um = xg::input<"up", T, n, 3>;
    auto const s = bind("softmax", "x"), q = bind("logsumexp", "x"), r = bind("logsumexp_minus_inf", "x");
    general_case<T>("softmax", xg::softmax(m), um, {"x"}, m = s);
    constexpr auto shifted = m - xg::stop_gradient(xg::max<1>(m, xg::keep_dims));   // as TensorFlow does, against cancellation
    general_case<T>("log_softmax", shifted - xg::log_sum_exp<1>(shifted, xg::keep_dims), um, {"x"}, m = s);
    general_case<T>("logsumexp", xg::log_sum_exp<1>(m), up<T>, {"x"}, m = q);
    general_case<T>("logsumexp_minus_inf", xg::log_sum_exp<1>(m), 0, {"x"}, m = r);
    xg::function lse{xg::log_sum_exp<1>(m)};
    for (std::string const name : {"logsumexp_all_minus_inf", "logsumexp_plus_inf"}) {
        auto const v = bind(name, "x");
        compare<T>(name, lse(m = v), at(name).outputs[0]);
    }
}

TEST_CASE_TEMPLATE("TensorFlow: operations of two operands, ties, products, views", T, float, double) {
    auto const at = [](std::string const& name) -> trace_case const& { return trace().at(name + (sizeof(T) == 8 ? ".f64" : "")); };
    auto bind = [&](std::string const& name, std::string const& input) { return as<T>(at(name).inputs.at(input)); };
    constexpr auto a1 = xg::input<"a", T, n>;
    constexpr auto b1 = xg::input<"b", T, n>;
    constexpr auto a2 = xg::input<"a", T, n, 2>;
    constexpr auto b2 = xg::input<"b", T, 2>;
    constexpr auto c2 = xg::input<"b", T, n, 1>;
    constexpr auto u2 = xg::input<"up", T, n, 2>;
    auto const ta = bind("maximum_ties", "a"), tb = bind("maximum_ties", "b");
    general_case<T>("maximum_ties", xg::maximum(a1, b1), up<T>, {"a", "b"}, a1 = ta, b1 = tb);
    general_case<T>("minimum_ties", xg::minimum(a1, b1), up<T>, {"a", "b"}, a1 = ta, b1 = tb);
    auto const px = bind("pow", "x"), py = bind("pow", "y");
    general_case<T>("pow", xg::pow(a1, b1), up<T>, {"x", "y"}, a1 = px, b1 = py);
    auto const ma = bind("maximum_broadcast", "a"), mb = bind("maximum_broadcast", "b");
    general_case<T>("maximum_broadcast", xg::maximum(a2, b2), u2, {"a", "b"}, a2 = ma, b2 = mb);
    auto const da = bind("divide_broadcast", "a"), db = bind("divide_broadcast", "b");
    general_case<T>("divide_broadcast", a2 / b2, u2, {"a", "b"}, a2 = da, b2 = db);
    auto const sa = bind("squared_difference", "a"), sb = bind("squared_difference", "b");
    general_case<T>("squared_difference", xg::squared_error(a2, c2), 0, {"a", "b"}, a2 = sa, c2 = sb);
    auto const ca = bind("concat", "a"), cb = bind("concat", "b");
    constexpr auto u3 = xg::input<"up", T, n, 3>;
    general_case<T>("concat", xg::concat<1>(a2, c2), u3, {"a", "b"}, a2 = ca, c2 = cb);
    constexpr auto m4 = xg::input<"x", T, n, 4>;
    constexpr auto m3 = xg::input<"x", T, n, 3>;
    auto const ties = bind("reduce_max_ties", "x"), means = bind("reduce_mean", "x"), sl = bind("slice", "x"),
               mins = bind("reduce_min_ties", "x");
    general_case<T>("reduce_max_ties", xg::max<1>(m4), up<T>, {"x"}, m4 = ties);
    general_case<T>("reduce_min_ties", -xg::max<1>(-m4), up<T>, {"x"}, m4 = mins);
    constexpr auto u33 = xg::input<"up", T, 3>;
    general_case<T>("reduce_mean", xg::mean<0>(m3), u33, {"x"}, m3 = means);
    general_case<T>("slice", xg::slice<1, 1, 3>(m3), u2, {"x"}, m3 = sl);
    constexpr auto p = xg::input<"p", T, 2, 3>;
    constexpr auto q = xg::input<"q", T, 3, 2>;
    constexpr auto u22 = xg::input<"up", T, 2, 2>;
    auto const fa = bind("matmul", "a"), fb = bind("matmul", "b"), ga = bind("matmul_transposed", "a"), gb = bind("matmul_transposed", "b");
    general_case<T>("matmul", xg::matmul(p, q), u22, {"a", "b"}, p = fa, q = fb);
    general_case<T>("matmul_transposed", xg::matmul<true, true>(q, p), u22, {"a", "b"}, q = ga, p = gb);
    constexpr auto table = xg::input<"table", T, 4, 2>;
    constexpr auto small = xg::input<"table", T, 3, 2>;
    constexpr auto ids = xg::input<"ids", std::int32_t, n>;
    constexpr auto pairs = xg::input<"pairs", std::int32_t, n, 2>;
    auto const t1 = bind("embedding_lookup_duplicates", "table"), t2 = bind("gather_rank2_ids", "table"),
               t3 = bind("embedding_bag_mean", "table");
    auto const i1 = as<std::int32_t>(at("embedding_lookup_duplicates").inputs.at("ids")),
               i2 = as<std::int32_t>(at("gather_rank2_ids").inputs.at("ids")),
               i3 = as<std::int32_t>(at("embedding_bag_mean").inputs.at("ids"));
    general_case<T>("embedding_lookup_duplicates", xg::embedding_lookup(table, ids), u2, {"table"}, table = t1, ids = i1);
    constexpr auto u222 = xg::input<"up", T, n, 2, 2>;
    general_case<T>("gather_rank2_ids", xg::gather(small, pairs), u222, {"table"}, small = t2, pairs = i2);
    general_case<T>("embedding_bag_mean", xg::embedding_bag(table, pairs) / 2_c, u2, {"table"}, table = t3, pairs = i3);
}
