// SPDX-License-Identifier: MIT
// GradBench's protocol for programs in C++, as in its cpp/gradbench/main.hpp. `program FILE FUNCTION` reads an input as JSON.
// It runs the function at least `min_runs` times and `min_seconds` seconds. It prints the output, then the nanoseconds of each run, each as
// a line of JSON. Without arguments the program answers the messages of an eval, which come as lines on the standard input.
#pragma once

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdint>
#include <exception>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace gradbench {
using json = nlohmann::json;

/// What a run of a function gives: its output, and the nanoseconds of its preparation and of each evaluation.
struct answer {
    json output;
    std::int64_t prepared = 0;
    std::vector<std::int64_t> evaluated;
};

/// A function of a row, such as its primal. Its name in the suite is the key of the map.
using functions = std::map<std::string, std::function<answer(json const&)>>;

/// The nanoseconds that `f` takes.
template<class F>
std::int64_t nanoseconds(F&& f) {
    auto const start = std::chrono::steady_clock::now();
    f();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start).count();
}

/// Makes a function of a struct, as the suite does: `Work(input)` prepares, `compute()` is timed, `output()` is the result as JSON.
/// `Input` is made of JSON.
template<class Input, class Work>
answer run(json const& given) {
    Input const input(given);
    int const min_runs = given.is_object() ? given.value("min_runs", 1) : 1;
    double const min_seconds = given.is_object() ? given.value("min_seconds", 0.0) : 0.0;
    answer made;
    auto const start = std::chrono::steady_clock::now();
    Work work(input);
    made.prepared = std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start).count();
    double elapsed = 0;
    for (int i = 0; i < min_runs || elapsed < min_seconds; ++i) {
        made.evaluated.push_back(nanoseconds([&] { work.compute(); }));
        elapsed += static_cast<double>(made.evaluated.back()) * 1e-9;
    }
    made.output = work.output();
    return made;
}

inline json timing(char const* name, std::int64_t spent) { return {{"name", name}, {"nanoseconds", spent}}; }

/// `{"id": ...}` and what a message of an eval asks for.
inline json reply(json const& message, functions const& all) {
    json made{{"id", message.at("id")}};
    std::string const kind = message.at("kind");
    if (kind == "start") made["tool"] = "xgrad";
    if (kind == "define") made["success"] = true;
    if (kind != "evaluate") return made;
    try {
        answer const a = all.at(message.at("function").get<std::string>())(message.at("input"));
        made["success"] = true;
        made["output"] = a.output;
        made["timings"] = json::array({timing("prepare", a.prepared)});
        for (auto const spent : a.evaluated) made["timings"].push_back(timing("evaluate", spent));
    } catch (std::exception const& e) {
        made["success"] = false;
        made["error"] = e.what();
    }
    return made;
}

/// The main function of a row.
inline int answer_all(int argc, char** argv, functions const& all) try {
    if (argc == 1) {
        for (std::string line; std::getline(std::cin, line);) {
            json const message = json::parse(line);
            if (message.at("kind") == "end") break;
            std::cout << reply(message, all) << std::endl;
        }
        return 0;
    }
    if (argc != 3 || !all.contains(argv[2])) {
        std::cerr << "usage: " << argv[0] << " FILE FUNCTION, or no argument and messages on the standard input; the functions:";
        for (auto const& [name, f] : all) std::cerr << ' ' << name;
        std::cerr << '\n';
        return 2;
    }
    std::ifstream file(argv[1]);
    answer const a = all.at(argv[2])(json::parse(file));
    std::cout << a.output << '\n' << timing("prepare", a.prepared) << '\n';
    for (auto const spent : a.evaluated) std::cout << timing("evaluate", spent) << '\n';
    return 0;
} catch (std::exception const& e) {
    std::cerr << argv[0] << ": " << e.what() << '\n';
    return 1;
}

/// The rows of a matrix in JSON, one after another.
inline std::vector<double> flat(json const& rows) {
    std::vector<double> all;
    for (json const& row : rows)
        for (json const& number : row) all.push_back(number.get<double>());
    return all;
}

/// A matrix in JSON, of rows of `width` numbers.
inline json nested(std::vector<double> const& numbers, std::size_t width) {
    json rows = json::array();
    for (std::size_t i = 0; i < numbers.size(); i += width)
        rows.push_back(std::vector<double>(
            numbers.begin() + static_cast<std::ptrdiff_t>(i), numbers.begin() + static_cast<std::ptrdiff_t>(i + width)));
    return rows;
}
}
