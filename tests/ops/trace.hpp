// SPDX-License-Identifier: MIT
// Values and gradients of TensorFlow, from reference/ops_trace.txt.
#pragma once

#include <support/tensor.hpp>

#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

namespace tensorflow {
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
inline double parse(std::string const& s) { return std::strtod(s.c_str(), nullptr); }
inline entry read_entry(std::istringstream& in) {
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
inline std::map<std::string, trace_case> const& trace() {
    static std::map<std::string, trace_case> const all = [] {
        std::map<std::string, trace_case> r;
        std::ifstream file(XGRAD_TEST_DATA "/ops_trace.txt");
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

}   // namespace tensorflow
