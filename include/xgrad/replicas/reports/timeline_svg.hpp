// SPDX-License-Identifier: MIT
// Draws when each worker did what.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/reports/decimal_text.hpp>
#include <xgrad/replicas/reports/timeline.hpp>

#include <limits>
#include <string>
#include <string_view>

XGRAD_NAMESPACE_BEGIN

/// The look of the picture: `{.title = "Two workers, batch 64", .width = 1200}`.
struct timeline_svg_options {
    std::string_view title = "Workers";
    int width = 960;   // in pixels
};

namespace detail {

class timeline_svg_writer {
    static constexpr int left = 92, right = 104, top = 64, row = 34, bar = 24, bottom = 46;
    struct look {
        char const *name, *colour, *plural;
    };
    // Blue, grey and vermillion of Okabe and Ito's palette: distinct for colour-blind readers, and in grey.
    static constexpr look looks[] = {
        {"compute", "#0072B2", "computing"}, {"wait", "#D4D4D4", "waiting"}, {"update", "#D55E00", "updating"}};

    timeline const& all_;
    timeline_svg_options const& options_;
    std::int64_t begin_ = std::numeric_limits<std::int64_t>::max(), end_ = std::numeric_limits<std::int64_t>::min();
    std::string out_;

    XGRAD_COLD void say(std::initializer_list<message_part> parts) { append(out_, parts); }
    XGRAD_COLD static std::string escaped(std::string_view text) {
        std::string out;
        for (char const c : text) switch (c) {
            case '&': out += "&amp;"; break;
            case '<': out += "&lt;"; break;
            case '>': out += "&gt;"; break;
            default: out += c; break;
            }
        return out;
    }
    XGRAD_COLD void text(double x, double y, char const* attributes, std::string_view words) {
        say({"<text x=\"", decimal_text(x, 1), "\" y=\"", decimal_text(y, 1), "\"", attributes, ">", escaped(words), "</text>\n"});
    }
    /// Finds the time range for which no worker lacks a span: from the first kept span of each worker that has lost some.
    XGRAD_COLD void find_window() {
        bool lost = false;
        std::int64_t whole = begin_, first = begin_;
        for (worker_timeline const& w : all_.workers) {
            if (w.spans.empty()) continue;
            for (timeline_span const& s : w.spans) {
                first = std::min(first, s.begin);
                end_ = std::max(end_, s.end);
            }
            if (w.lost == 0) continue;
            whole = lost ? std::max(whole, w.spans.front().begin) : w.spans.front().begin;
            lost = true;
        }
        begin_ = lost ? whole : first;
        if (begin_ >= end_) begin_ = end_ = 0;
    }
    double length() const { return static_cast<double>(options_.width - left - right); }
    double place(std::int64_t t) const {
        return end_ == begin_ ? left : left + length() * static_cast<double>(t - begin_) / static_cast<double>(end_ - begin_);
    }
    /// Distance of ticks: 1, 2 or 5 times a power of ten, for about eight ticks.
    double tick() const {
        double const about = static_cast<double>(end_ - begin_) / 1e6 / 8;
        double unit = 1e-6;   // in milliseconds: a nanosecond
        while (unit * 10 <= about) unit *= 10;
        return unit * 5 <= about ? unit * 5 : unit * 2 <= about ? unit * 2 : unit;
    }
    XGRAD_COLD void draw_axis(int height) {
        double const y = height - bottom, step = tick(), all = static_cast<double>(end_ - begin_) / 1e6;
        int digits = 0;
        for (double s = step; s < 0.999 && digits < 6; s *= 10) ++digits;
        for (int k = 0; end_ > begin_ && k * step <= all * (1 + 1e-9); ++k) {
            double const x = left + length() * k * step / all;
            say({"<path class=\"tick\" d=\"M", decimal_text(x, 1), " ", top - 6, "V", decimal_text(y, 1), "\"/>\n"});
            text(x, y + 16, " text-anchor=\"middle\"", decimal_text(k * step, digits));
        }
        text(left + length() / 2, y + 36, " text-anchor=\"middle\"", "time (ms)");
    }
    XGRAD_COLD void draw_legend() {
        double x = left;
        for (look const& l : looks) {
            say({"<rect class=\"", l.name, "\" x=\"", decimal_text(x, 1), "\" y=\"34\" width=\"14\" height=\"14\"/>\n"});
            text(x + 20, 45.5, "", l.plural);
            x += 46 + 7.5 * static_cast<double>(std::string_view(l.plural).size());   // about the width of the word
        }
    }
    XGRAD_COLD void draw_worker(std::size_t k) {
        int const y = top + row * static_cast<int>(k);
        std::string const name = message({"worker ", static_cast<std::int64_t>(k)});
        text(left - 10, y + bar / 2.0 + 4.5, " text-anchor=\"end\"", name);
        std::int64_t computing = 0;
        say({"<g class=\"worker\"><title>", name, "</title>\n"});
        for (timeline_span const& s : all_.workers[k].spans) {
            std::int64_t const from = std::max(s.begin, begin_), to = std::min(s.end, end_);
            if (to <= from) continue;
            if (s.kind == span_kind::compute) computing += to - from;
            look const& l = looks[static_cast<int>(s.kind)];
            say({"<rect class=\"", l.name, "\" x=\"", decimal_text(place(from), 2), "\" y=\"", y, "\" width=\"",
                decimal_text(place(to) - place(from), 2), "\" height=\"", bar, "\"><title>", name, ", ", l.plural, ": ",
                decimal_text(static_cast<double>(s.end - s.begin) / 1e6, 3), " ms</title></rect>\n"});
        }
        say({"</g>\n"});
        double const share = end_ == begin_ ? 0 : static_cast<double>(computing) / static_cast<double>(end_ - begin_);
        text(options_.width - right + 10, y + bar / 2.0 + 4.5, "", decimal_text(100 * share, 0) + " %");
    }

public:
    XGRAD_COLD timeline_svg_writer(timeline const& all, timeline_svg_options const& options) : all_(all), options_(options) {}

    XGRAD_COLD std::string write() {
        find_window();
        int const height = top + row * static_cast<int>(all_.workers.size()) + bottom;
        say({"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"", options_.width, "\" height=\"", height, "\" viewBox=\"0 0 ",
            options_.width, " ", height, "\" font-family=\"sans-serif\" font-size=\"13\" fill=\"#222222\">\n<style>"});
        for (look const& l : looks) say({".", l.name, "{fill:", l.colour, "}"});
        say({".tick{stroke:#E6E6E6;fill:none}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#FFFFFF\"/>\n"});
        text(left, 21, " font-size=\"15\" font-weight=\"bold\"", options_.title);
        draw_legend();
        text(options_.width - right + 10, 45.5, "", "computing");
        draw_axis(height);
        for (std::size_t k = 0; k < all_.workers.size(); ++k) draw_worker(k);
        out_ += "</svg>\n";
        return std::move(out_);
    }
};
}   // namespace detail

/// An SVG file: `std::ofstream("workers.svg") << xg::to_svg(recorder.snapshot());`.
/// Each worker has a row with a bar for each span. At its end is the share of the time in which it computed. If rings have overflowed, the
/// picture begins where no worker lacks a span. Throws value_error for a width below 320.
inline std::string to_svg(timeline const& all, timeline_svg_options const& options = {}) {
    if (options.width < 320)
        raise_parts<value_error>({"xgrad: to_svg(timeline, options): the width must be 320 pixels or more, but is ", options.width});
    return detail::timeline_svg_writer(all, options).write();
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
