// SPDX-License-Identifier: MIT
// Line plots as SVG files, drawn by gnuplot.
#pragma once

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace examples {

struct plot_line {
    std::string title;
    std::vector<std::pair<double, double>> points;
    bool second_axis = false;   // has its scale on the right
    bool thin = false;          // a thin dark line, for what the others are compared with
};
struct plot {
    std::string title, x_label, y_label, y2_label;
    std::string key = "top right";   // where gnuplot is to put the legend
    bool square = false;
    std::string tics = "%g";   // all numbers of the axes with as many digits
    std::vector<plot_line> lines;
};

/// Writes the plot; returns an empty string, or a sentence that says why there is no plot.
inline std::string write_svg(std::filesystem::path const& path, plot const& p) {
    if (std::system("command -v gnuplot >/dev/null 2>&1") != 0)
        return path.filename().string() + " was not drawn: gnuplot is not installed (apt-get install gnuplot-nox)";
    auto const quoted = [](std::string const& text) {   // gnuplot: in single quotes only the quote itself is special
        std::string out = "'";
        for (char const c : text) out += c == '\'' ? "''" : std::string(1, c);
        return out + "'";
    };
    std::filesystem::path part = path;   // takes the name only when it is complete
    part += ".part";
    std::string script = std::string("set terminal svg size 800,500 noenhanced font 'sans-serif,14' background '#ffffff'\nset output ") +
                         quoted(part.string()) + "\nset title " + quoted(p.title) + "\nset xlabel " + quoted(p.x_label) + "\nset ylabel " +
                         quoted(p.y_label) + "\nset key " + p.key + "\nset grid\nset tics nomirror\nset format y " + quoted(p.tics) + "\n";
    if (!p.y2_label.empty()) script += std::string("set y2label ") + quoted(p.y2_label) + "\nset y2tics\n";
    if (p.square) script += "set size square\nset format x " + quoted(p.tics) + "\nset xrange [0:1]\nset yrange [0:1]\n";
    std::string data;
    for (std::size_t i = 0; i < p.lines.size(); ++i) {
        plot_line const& line = p.lines[i];
        script += std::string(i ? ", " : "plot ") + "'-' " + (line.second_axis ? "axes x1y2 " : "");
        script += line.thin                  ? "with lines lw 1 lc 'black'"
                  : line.points.size() < 100 ? "with linespoints pt 7 ps 0.4 lw 3"
                                             : "with lines lw 3";
        if (!line.thin) script += " lc " + std::to_string(i + 1);
        script += " title " + quoted(line.title);
        for (auto const& [x, y] : line.points) data += std::to_string(x) + " " + std::to_string(y) + "\n";
        data += "e\n";
    }
    script += "\n" + data;
    auto const before = std::signal(SIGPIPE, SIG_IGN);   // a gnuplot that ends early is a failed plot, not the end of this program
    std::FILE* const pipe = ::popen("gnuplot >/dev/null 2>&1", "w");
    bool good = pipe && std::fwrite(script.data(), 1, script.size(), pipe) == script.size();
    good = pipe && ::pclose(pipe) == 0 && good;
    std::signal(SIGPIPE, before);
    std::error_code code;
    if (good) std::filesystem::rename(part, path, code);
    return good && !code ? "" : path.filename().string() + " was not drawn: gnuplot failed";
}

}   // namespace examples
