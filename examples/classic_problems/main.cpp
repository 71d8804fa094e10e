// SPDX-License-Identifier: MIT
// Every element-wise rule on four classic problems. Prints a table in Markdown, and draws what some of the rules did.
// Fails if a rule no longer reaches the value that rules.hpp states for it.
#include "rules.hpp"

#include <cctype>
#include <string_view>
#include <utility>

#include <support/plot.hpp>

namespace {

using namespace classic;

contestant const& named(std::string_view name) {
    for (contestant const& c : contestants)
        if (c.name == name) return c;
    std::printf("no rule is called %s\n", name.data());
    std::exit(1);
}

// Level curves: y = x² ± √((c − (1 − x)²) / 100).
void add_levels_of_rosenbrock(examples::plot& picture) {
    for (double const c : {0.5, 4.0, 20.0})
        for (double const sign : {1.0, -1.0}) {
            examples::plot_line line{"", {}, examples::plot_look::thin};
            for (int k = 0; k <= 60; ++k)
                if (double const x = 1 + std::sqrt(c) * (k / 30.0 - 1); x >= -1.6 && x <= 1.6)
                    line.points.emplace_back(x, x * x + sign * std::sqrt(std::fmax(c - (1 - x) * (1 - x), 0) / 100));
            picture.lines.push_back(line);
        }
}
// Those where the paths go.
std::vector<std::pair<double, double>> minima_of_rastrigin() {
    std::vector<std::pair<double, double>> points;
    for (int x = 0; x <= 3; ++x)
        for (int y = -2; y <= 1; ++y) points.emplace_back(x, y);
    return points;
}
std::vector<std::pair<double, double>> thinned(std::vector<numbers> const& path, auto const& point) {
    std::vector<std::pair<double, double>> points;
    double step = 1;   // the first points one by one, later ones further and further apart
    for (double k = 0; k < static_cast<double>(path.size()); k += step, step = k < 60 ? 1 : step * 1.06)
        points.push_back(point(static_cast<std::size_t>(k)));
    points.push_back(point(path.size() - 1));
    return points;
}
// Paths in the plane, or values over steps where the problem has more than two numbers.
std::string draw(int number, std::initializer_list<std::string_view> names, std::string const& file) {
    problem const& p = problems[number];
    bool const plane = p.start.size() == 2;
    examples::plot picture;
    picture.title = std::string(p.name) + ", " + std::to_string(p.steps) + " steps";
    picture.title[0] = static_cast<char>(std::toupper(picture.title[0]));
    if (plane) picture.x_tics = picture.y_tics = "%.1f";
    picture.x_label = plane ? "x" : "step";
    picture.y_label = plane ? "y" : "log10 of the value above the minimum";
    if (number == 1) add_levels_of_rosenbrock(picture);
    for (std::string_view const name : names) {
        contestant const& c = named(name);
        std::vector<numbers> path;
        c.run(c.stated[number].rate, p, &path);
        numbers g(p.start.size());
        picture.lines.push_back({std::string(name), thinned(path, [&](std::size_t k) {
                                     if (plane) return std::pair(path[k][0], path[k][1]);
                                     return std::pair(
                                         static_cast<double>(k), std::log10(std::fmax(p.value_and_gradient(path[k], g) - p.least, 1e-16)));
                                 })});
    }
    auto const mark = [&](char const* title, std::vector<std::pair<double, double>> points) {
        picture.lines.push_back({title, std::move(points), examples::plot_look::dots});
    };
    if (plane) mark("start", {{p.start[0], p.start[1]}});
    if (number == 1) mark("minimum", {{1, 1}});
    if (number == 2) mark("minima", minima_of_rastrigin());
    return examples::write_svg(file, picture);
}

}   // namespace

// classic_problems [folder]: pictures are written to the folder, by default to the current one.
int main(int count, char** arguments) {
    std::string const folder = count > 1 ? arguments[1] : ".";
    if (adult().rows.size() != 2000) {
        std::printf("the census has %zu records instead of 2000\n", adult().rows.size());
        return 1;
    }
    int missed = 0;
    std::printf("| rule |");
    for (problem const& p : problems) std::printf(" %s, %d steps |", p.name, p.steps);
    std::printf("\n|---|---|---|---|---|\n");
    for (contestant const& c : contestants) {
        std::printf("| `%s` |", c.name);
        for (int k = 0; k < problem_count; ++k) {
            double const value = c.run(c.stated[k].rate, problems[k], nullptr);
            bool const reached = value <= c.stated[k].value;   // not where it is NaN
            std::printf(" ≤ %g, η = %g%s |", c.stated[k].value, c.stated[k].rate, reached ? "" : " **missed**");
            if (!reached) std::fprintf(stderr, "%s on %s: %g instead of %g\n", c.name, problems[k].name, value, c.stated[k].value);
            missed += !reached;
        }
        std::printf("\n");
    }
    for (std::string const& said :
        {draw(0, {"gradient_descent", "momentum", "adagrad", "rms_prop", "adam", "amsgrad", "rprop"}, folder + "/classic_quadratic.svg"),
            draw(1, {"gradient_descent", "momentum", "adagrad", "adam", "lion", "rprop"}, folder + "/classic_rosenbrock.svg"),
            draw(2, {"gradient_descent", "momentum", "adagrad", "rms_prop", "adam", "nadam"}, folder + "/classic_rastrigin.svg"),
            draw(3, {"gradient_descent", "momentum", "adagrad", "ftrl", "adam", "lion"}, folder + "/classic_logistic.svg")})
        if (!said.empty()) std::fprintf(stderr, "%s\n", said.c_str());
    return missed == 0 ? 0 : 1;
}
