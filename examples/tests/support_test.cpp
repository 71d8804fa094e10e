// SPDX-License-Identifier: MIT
// Metrics against hand-made cases, tables, plots, pictures, sounds, Fashion-MNIST.
#include <support/fashion_mnist.hpp>
#include <support/metrics.hpp>
#include <support/pgm.hpp>
#include <support/plot.hpp>
#include <support/progress.hpp>
#include <support/stop_flag.hpp>
#include <support/table.hpp>
#include <support/wav.hpp>

#include <doctest/doctest.h>

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

using namespace examples;

TEST_CASE("metrics") {
    float const logits[] = {-1.0f, 0.0f, 2.0f, 2.0f, 3.0f}, labels[] = {0, 1, 1, 0, 1};
    binary_metrics const m = evaluate_binary(logits, labels);
    CHECK(m.accuracy == doctest::Approx(3.0 / 5));   // a logit of 0 counts as label 0
    // Pairs (positive, negative) in the right order: (0, -1), (2, -1), (3, -1), (3, 2); half of one for the tie (2, 2); of 6.
    CHECK(m.auc == doctest::Approx(4.5 / 6));
    double loss = 0;
    for (int i = 0; i < 5; ++i) loss -= std::log(labels[i] > 0 ? 1 / (1 + std::exp(-logits[i])) : 1 / (1 + std::exp(logits[i])));
    CHECK(m.log_loss == doctest::Approx(loss / 5).epsilon(1e-7));
    float const large[] = {1000.0f, -1000.0f}, wrong[] = {0, 1};
    CHECK(evaluate_binary(large, wrong).log_loss == doctest::Approx(1000));
    CHECK(evaluate_binary(large, wrong).auc == 0);

    auto const roc = roc_curve(logits, labels);
    CHECK(roc.front() == std::pair(0.0, 0.0));
    CHECK(roc.back() == std::pair(1.0, 1.0));
    double area = 0;
    for (std::size_t i = 1; i < roc.size(); ++i) area += (roc[i].first - roc[i - 1].first) * (roc[i].second + roc[i - 1].second) / 2;
    CHECK(area == doctest::Approx(m.auc));
}

TEST_CASE("a ROC curve is thinned but keeps its ends") {
    std::vector<float> logits, labels;
    for (int i = 0; i < 10000; ++i) logits.push_back(static_cast<float>(i)), labels.push_back(static_cast<float>(i * 7919 % 13 < 5));
    auto const roc = roc_curve(logits, labels, 100);
    CHECK(roc.size() > 90);
    CHECK(roc.size() < 110);
    CHECK(roc.back() == std::pair(1.0, 1.0));
}

TEST_CASE("table") {
    text_table table({"name", "x"});
    table.add({"a", format("%.2f", 1.0)});
    table.add({"longer", "12345"});
    CHECK(table.text() == "  name        x\n  ------  -----\n  a        1.00\n  longer  12345\n");
}

TEST_CASE("no spaces at the end of a row") {
    text_table table({"name", "x", "remark"});
    table.add({"a", "1", ""});
    CHECK(table.text() == "  name  x  remark\n  ----  -  ------\n  a     1\n");
}

TEST_CASE("lines are wrapped at spaces") {
    CHECK(wrapped("one two three four\nfive\n\nsix", 9, 2) == "one two\n  three\n  four\nfive\n\nsix\n");
    CHECK(wrapped("exactly 9", 9, 2) == "exactly 9\n");
    CHECK(wrapped("a word_that_is_too_long here", 9, 2) == "a\n  word_that_is_too_long\n  here\n");
    CHECK(wrapped("", 9, 2).empty());
}

TEST_CASE("a line of progress fits its terminal") {
    std::string const wide = progress_line(120, 0.25, "epoch 1/20", 0.5, 123456, 12.34);
    CHECK(wide.size() == 119);
    CHECK(wide.starts_with("[####"));
    CHECK(wide.ends_with("]  25 %  epoch 1/20  loss 0.5000  123456 rows/s  12.3 s left"));
    std::string const usual = progress_line(80, 0.25, "epoch 1/20", 0.5, 123456, 12.34);
    CHECK(usual.size() == 79);
    CHECK(usual.ends_with("25 %  epoch 1/20  loss 0.5000  123456 rows/s  12.3 s left"));
    CHECK(progress_line(30, 0.25, "epoch 1/20", 0.5, 123456, 12.34) == " 25 %  epoch 1/20  loss 0.500");
    CHECK(progress_line(1, 0.25, "epoch 1/20", 0.5, 123456, 12.34).empty());
    CHECK(progress_line(80, 1, "e", 0, 0, 0).find('.') > 50);   // nothing is left of the bar
}

TEST_CASE("stop flag") {
    catch_stop_signals();
    CHECK(stop_requested() == 0);
    std::raise(SIGINT);
    CHECK(stop_requested() == SIGINT);
    detail::stop_signal = 0;
    for (int const other : {SIGTERM, SIGHUP, SIGPIPE}) {
        std::raise(other);
        CHECK(stop_requested() == other);
        detail::stop_signal = 0;
    }
    std::signal(SIGINT, SIG_DFL);   // the others did that themselves
}

TEST_CASE("plots") {
    auto const path = std::filesystem::temp_directory_path() / ("xgrad plot 'x' " + std::to_string(::getpid()) + ".svg");
    plot const p{.title = "it's a title",
        .x_label = "across",
        .y_label = "up",
        .x_tics = "%.1f",
        .y_tics = "%.1f",
        .square = true,
        .note = "a large note",
        .lines = {{"", {{0, 0}, {1, 1}}, plot_look::thin}, {"as a line", {{0, 0.5}, {1, 0.2}}}, {"a dot", {{0.3, 0.7}}, plot_look::dots}}};
    std::string const sentence = write_svg(path, p);
    if (sentence.find("not installed") != std::string::npos) return;
    CHECK(sentence.empty());
    auto const text = [&] {
        std::ifstream in(path);
        return std::string(std::istreambuf_iterator<char>(in), {});
    };
    std::string const svg = text();
    CHECK(svg.find("<svg") != std::string::npos);
    CHECK(svg.find("width=\"560\" height=\"560\"") != std::string::npos);
    CHECK(svg.find("fill=\"#ffffff\"") != std::string::npos);   // no picture for dark pages alone
    for (char const* said : {"it's a title", "across", "up", "a large note", "as a line", "a dot", ">0.0<", ">0.2<", ">1.0<"}) {
        CAPTURE(said);
        CHECK(svg.find(said) != std::string::npos);
    }
    CHECK(svg.find("</svg>") != std::string::npos);
    // One epoch is one point.
    CHECK(write_svg(path, {.title = "one", .x_label = "x", .y_label = "y", .lines = {{"the point", {{1, 0.3}}}}}).empty());
    CHECK(text().find("the point") != std::string::npos);
    std::filesystem::remove(path);
    CHECK_FALSE(write_svg(path.parent_path() / "no such folder" / "a.svg", p).empty());
}

TEST_CASE("Fashion-MNIST") {
    ::setenv("FASHION_MNIST", "/no/such/folder", 1);
    CHECK(fashion_mnist_missing().find("apt-get install dataset-fashion-mnist") != std::string::npos);
    CHECK_THROWS_AS(read_fashion_mnist(), input_error);
    ::unsetenv("FASHION_MNIST");
    if (!fashion_mnist_missing().empty()) return;   // not installed here
    fashion_mnist const data = read_fashion_mnist();
    CHECK(data.train.size() == 60000);
    CHECK(data.test.size() == 10000);
    CHECK(data.train.images.size() == 60000 * image_set::pixels);
    int count[10] = {};
    for (std::int32_t const label : data.train.labels) ++count[label];
    for (int const n : count) CHECK(n == 6000);
    CHECK(data.train.labels[0] == 9);   // the first picture is an ankle boot
    CHECK(*std::max_element(data.train.images.begin(), data.train.images.end()) == 1.0f);
    CHECK(*std::min_element(data.train.images.begin(), data.train.images.end()) == 0.0f);
}

TEST_CASE("pictures in a PGM file") {
    std::vector<float> const three{0, 1, 0.2f, 0.4f, 0.6f, 0.8f, 1, 0, 0, 0, 1, 1, 1, 0.2f, 0, 0, 0.4f, 1};   // 2 wide, 3 high
    write_pgm("three.pgm", three, 2, 3, 2);
    auto const back = read_pgm("three.pgm", 2, 3);
    REQUIRE(back.size() == 24);   // the last row has a white one
    for (std::size_t k = 0; k < 24; ++k) CHECK(back[k] == doctest::Approx(k < 18 ? three[k] : 0));
    CHECK_THROWS_AS(read_pgm("three.pgm", 3, 3), input_error);
    CHECK_THROWS_AS(read_pgm("missing.pgm", 2, 3), input_error);
    std::filesystem::resize_file("three.pgm", 20);
    CHECK_THROWS_AS(read_pgm("three.pgm", 2, 3), input_error);
    std::filesystem::remove("three.pgm");
    CHECK_THROWS_AS(write_pgm("missing/three.pgm", three, 2, 3, 2), input_error);
}

TEST_CASE("sounds in a WAV file") {
    std::vector<float> const sound{0, 0.5f, -0.5f, 3.9f, -4, 5};
    write_wav("sound.wav", sound, 8000);
    CHECK(std::filesystem::file_size("sound.wav") == 44 + 12);
    auto const back = read_wav("sound.wav", 8000);
    REQUIRE(back.size() == 6);
    for (std::size_t k = 0; k < 6; ++k) CHECK(back[k] == doctest::Approx(std::min(sound[k], 4.0f)).epsilon(1e-3));
    CHECK_THROWS_AS(read_wav("sound.wav", 16000), input_error);
    CHECK_THROWS_AS(read_wav("missing.wav", 8000), input_error);
    std::filesystem::remove("sound.wav");
}
