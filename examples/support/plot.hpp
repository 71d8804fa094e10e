// SPDX-License-Identifier: MIT
// Line plots as SVG files, drawn by gnuplot.
#pragma once

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace examples {

enum class plot_look {
    line,   // thick, each with a separate colour
    thin,   // grey, for what the others are compared with
    dots    // hollow marks, which do not hide the marks below them
};
struct plot_line {
    std::string title = "";   // empty: not in the legend
    std::vector<std::pair<double, double>> points = {};
    plot_look look = plot_look::line;
};
struct plot {
    std::string title, x_label, y_label;
    std::string x_tics = "%g", y_tics = "%g";   // all numbers of an axis with as many digits
    bool square = false;                        // both axes go from 0 to 1
    std::string note = "";                      // large, in the lower right of a square
    std::vector<plot_line> lines;               // drawn in this order
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
    // Colours of Okabe and Ito's palette, far apart for every kind of eye, on white; all that is no data is grey.
    static constexpr char const* colours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#444444"};
    static constexpr int marks[] = {6, 4, 8};   // circle, square, triangle
    static constexpr char const* look = "set key bmargin center horizontal Left reverse samplen 2 height 1 tc '#222222'\n"
                                        "set border 3 back lc '#808080'\n"
                                        "set grid lt 1 lw 1 lc '#e6e6e6'\n"
                                        "set tics out nomirror tc '#222222'\n";
    std::string const black = " tc '#222222'\n";
    std::string script = std::string("set terminal svg size ") + (p.square ? "560,560" : "800,500") +
                         " noenhanced font 'sans-serif,14' background '#ffffff'\nset output " + quoted(part.string()) + "\n" + look;
    script += "set title " + quoted(p.title) + " font ',17'" + black;
    script += "set xlabel " + quoted(p.x_label) + black + "set ylabel " + quoted(p.y_label) + black;
    script += "set format x " + quoted(p.x_tics) + "\nset format y " + quoted(p.y_tics) + "\n";
    if (!p.note.empty())   // on white: no line of the grid crosses it
        script += "set object 1 rectangle from graph 0.5,0.22 to graph 0.95,0.38 front fc '#ffffff' fs solid noborder\nset label " +
                  quoted(p.note) + " at graph 0.94,0.3 right front font ',26'" + black;
    script += p.square ? "set size square\nset xrange [0:1]\nset yrange [0:1]\n"
                       : "set autoscale noextend\nset offsets graph 0.02, graph 0.02, graph 0.03, graph 0.03\n";
    std::string data;
    std::size_t colour = 0, mark = 0;
    for (std::size_t i = 0; i < p.lines.size(); ++i) {
        plot_line const& line = p.lines[i];
        script += i ? ", '-' " : "plot '-' ";
        switch (line.look) {
        case plot_look::line:   // a single point is seen too
            script += std::string(line.points.size() < 100 ? "with linespoints pt 7 ps 0.4" : "with lines") + " lw 3 lc '" +
                      colours[colour++ % std::size(colours)] + "'";
            break;
        case plot_look::thin: script += "with lines lw 1 lc '#808080'"; break;
        case plot_look::dots:
            script += "with points lw 1.5 ps 0.9 lc '#222222' pt " + std::to_string(marks[mark++ % std::size(marks)]);
            break;
        }
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

/// Writes the plot and prints its path, or the reason for its absence.
inline void report_svg(std::filesystem::path const& path, plot const& p) {
    std::string const missing = write_svg(path, p);
    std::printf("%s\n", missing.empty() ? (p.title + ": " + path.string()).c_str() : missing.c_str());
}

}   // namespace examples
