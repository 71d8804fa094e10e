// SPDX-License-Identifier: MIT
// Time lines: what rings keep, what may be read while they are written, and the picture.
#include <support/message_of.hpp>

#include <xgrad/replicas/reports/timeline_svg.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

namespace xg = xgrad;
using kind = xg::span_kind;

TEST_CASE("spans in their order, those of each worker apart") {
    xg::timeline_recorder recorder(2, 4);
    recorder.record(0, kind::compute, 5, 10);
    recorder.record(1, kind::wait, 6, 7);
    recorder.record(0, kind::update, 10, 12);
    auto const all = recorder.snapshot();
    CHECK(all.workers.size() == 2);
    CHECK(all.workers[0].spans == std::vector<xg::timeline_span>{{kind::compute, 5, 10}, {kind::update, 10, 12}});
    CHECK(all.workers[1].spans == std::vector<xg::timeline_span>{{kind::wait, 6, 7}});
    CHECK(all.workers[0].lost == 0);
}
TEST_CASE("a ring that has run over keeps the last spans, and says how many are gone") {
    for (int spans : {1, 3, 8}) {
        xg::timeline_recorder recorder(1, spans);
        for (int n = 0; n < 100; ++n) {
            recorder.record(0, static_cast<kind>(n % 3), n, n + 1);
            auto const w = recorder.snapshot().workers[0];
            CHECK(w.lost == std::max(0, n + 1 - spans));
            CHECK(static_cast<int>(w.spans.size()) == std::min(n + 1, spans));
            for (std::size_t i = 0; i < w.spans.size(); ++i) {
                auto const at = w.lost + static_cast<std::int64_t>(i);
                CHECK(w.spans[i] == xg::timeline_span{static_cast<kind>(at % 3), at, at + 1});
            }
        }
    }
}
TEST_CASE("the clock begins with the recorder") {
    xg::timeline_recorder const recorder(1, 1);
    auto const a = recorder.now(), b = recorder.now();
    CHECK((0 <= a && a <= b));
    CHECK(recorder.since(std::chrono::steady_clock::now()) >= b);
}
TEST_CASE("what makes no recorder and no picture") {
    CHECK(test::message_of<xg::value_error>([] { xg::timeline_recorder(0, 5); }) ==
          "xgrad: timeline_recorder: 5 spans of 0 workers; there must be one of each");
    CHECK(test::message_of<xg::value_error>([] { xg::timeline_recorder(2, 0); }) ==
          "xgrad: timeline_recorder: 0 spans of 2 workers; there must be one of each");
    CHECK(test::message_of<xg::value_error>([] { xg::to_svg({}, {.width = 100}); }) ==
          "xgrad: to_svg(timeline, options): the width must be 320 pixels or more, but is 100");
}
TEST_CASE("a snapshot while workers record has whole spans only, one behind the other") {
    constexpr int workers = 3;
    constexpr std::int64_t count = XGRAD_SANITIZED ? 20000 : 200000;
    xg::timeline_recorder recorder(workers, 5);
    std::atomic<int> left{workers};
    std::vector<std::jthread> threads;
    for (int k = 0; k < workers; ++k)
        threads.emplace_back([&, k] {
            for (std::int64_t n = 0; n < count; ++n) recorder.record(k, static_cast<kind>(n % 3), 7 * n, 7 * n + k);
            --left;
        });
    while (left > 0) {
        auto const all = recorder.snapshot();
        for (int k = 0; k < workers; ++k) {
            auto const& w = all.workers[static_cast<std::size_t>(k)];
            bool right = w.spans.size() <= 5;
            for (std::size_t i = 0; i < w.spans.size(); ++i) {
                std::int64_t const n = w.lost + static_cast<std::int64_t>(i);
                right = right && w.spans[i] == xg::timeline_span{static_cast<kind>(n % 3), 7 * n, 7 * n + k};
            }
            CHECK(right);
        }
    }
    threads.clear();
    CHECK(recorder.snapshot().workers[0].lost == count - 5);
}

namespace {

std::size_t count(std::string const& text, std::string const& what) {
    std::size_t n = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
    return n;
}
// Whether each element is closed, inner elements first, and text has no unescaped markup.
bool well_formed(std::string const& text) {
    std::vector<std::string> open;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '&') {
            std::string const rest = text.substr(at, 5);
            if (!rest.starts_with("&amp;") && !rest.starts_with("&lt;") && !rest.starts_with("&gt;")) return false;
        }
        if (text[at] == '>') return false;
        if (text[at] != '<') continue;
        std::size_t const end = text.find('>', at);
        if (end == std::string::npos) return false;
        std::string const tag = text.substr(at + 1, end - at - 1);
        if (count(tag, "\"") % 2 != 0 || count(tag, "<") != 0) return false;
        if (tag[0] == '/') {
            if (open.empty() || open.back() != tag.substr(1)) return false;
            open.pop_back();
        } else if (tag.back() != '/') open.push_back(tag.substr(0, tag.find(' ')));
        at = end;
    }
    return open.empty();
}
// The attribute of an element that begins with `element`, after `skip` such elements.
double attribute(std::string const& svg, std::string const& element, std::string const& name, int skip = 0) {
    std::size_t at = svg.find(element);
    for (; skip > 0; --skip) at = svg.find(element, at + 1);
    at = svg.find(" " + name + "=\"", at);
    REQUIRE(at != std::string::npos);
    return std::strtod(svg.c_str() + at + name.size() + 3, nullptr);
}

}   // namespace

TEST_CASE("the picture: a row for each worker, a bar for each span, to scale") {
    xg::timeline_recorder recorder(2, 9);
    recorder.record(0, kind::compute, 1'000'000, 3'000'000);
    recorder.record(0, kind::wait, 3'000'000, 5'000'000);
    recorder.record(1, kind::compute, 1'000'000, 4'000'000);
    recorder.record(1, kind::update, 4'000'000, 5'000'000);
    std::string const svg = xg::to_svg(recorder.snapshot(), {.title = "two <workers> & more", .width = 596});   // 400 pixels for 4 ms
    CHECK(well_formed(svg));
    CHECK(count(svg, "<g class=\"worker\">") == 2);
    CHECK(count(svg, "two &lt;workers&gt; &amp; more") == 1);
    CHECK(count(svg, "<rect class=\"compute\"") == 3);   // one in the legend
    CHECK(count(svg, "<rect class=\"wait\"") == 2);
    CHECK(count(svg, "<rect class=\"update\"") == 2);
    for (char const* word : {"computing", "waiting", "updating", "time (ms)", "worker 0", "worker 1", ">50 %<", ">75 %<"})
        CHECK(count(svg, word) > 0);
    CHECK(attribute(svg, "<rect class=\"compute\"", "x", 1) == 92);
    CHECK(attribute(svg, "<rect class=\"compute\"", "width", 1) == 200);
    CHECK(attribute(svg, "<rect class=\"wait\"", "x", 1) == 292);
    CHECK(attribute(svg, "<rect class=\"update\"", "x", 1) == 392);
    CHECK(attribute(svg, "<rect class=\"update\"", "width", 1) == 100);
    CHECK(count(svg, "class=\"tick\"") == 9);   // every half millisecond from 0.0 to 4.0
    CHECK(count(svg, ">3.5<") == 1);
    CHECK(attribute(svg, "<svg", "height") == 64 + 2 * 34 + 46);
}
TEST_CASE("the picture begins where no ring lacks a span") {
    xg::timeline_recorder recorder(3, 2);
    recorder.record(0, kind::compute, 0, 400);                                               // early, and nothing is lost of it
    for (int n = 0; n < 5; ++n) recorder.record(1, kind::compute, 100 * n, 100 * n + 100);   // from 300 on
    for (int n = 0; n < 10; ++n) recorder.record(2, kind::wait, 50 * n, 50 * n + 50);        // from 400 on
    std::string const svg = xg::to_svg(recorder.snapshot(), {.width = 296 + 100});
    CHECK(well_formed(svg));
    CHECK(count(svg, "<rect class=\"compute\"") == 1 + 1);   // those of workers 0 and 1 until 400 are outside
    CHECK(count(svg, "<rect class=\"wait\"") == 1 + 2);
    CHECK(attribute(svg, "<rect class=\"wait\"", "x", 1) == 92);
}
TEST_CASE("pictures of nothing") {
    CHECK(well_formed(xg::to_svg({})));
    xg::timeline_recorder recorder(1, 1);
    CHECK(well_formed(xg::to_svg(recorder.snapshot())));
    recorder.record(0, kind::wait, 5, 5);
    CHECK(well_formed(xg::to_svg(recorder.snapshot())));
}
TEST_CASE("ticks are 1, 2 or 5 times a power of ten, at most twenty of them") {
    for (std::int64_t length = 1; length < 1'000'000'000'000; length = length * 3 + 1) {
        xg::timeline const all{{{{{kind::compute, 17, 17 + length}}}}};
        std::string const svg = xg::to_svg(all);
        auto const ticks = count(svg, "class=\"tick\"");
        CHECK((ticks >= 2 && ticks <= 21));
        CHECK(well_formed(svg));
    }
}
