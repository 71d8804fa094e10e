// SPDX-License-Identifier: MIT
// Logistic regression by Ftrl over an endless stream of CSV rows from standard input. Each row is predicted, then learned.
// Ctrl-C saves the model.
#include <support/csv.hpp>
#include <support/stop_flag.hpp>
#include <xgrad/xgrad.hpp>

#include <xgrad/io/checkpoint.hpp>

#include <CLI/CLI.hpp>

#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iostream>

namespace {
namespace xg = xgrad;

constexpr std::int32_t buckets = 1 << 18;
inline constexpr xg::dim columns{"columns"};
constexpr auto ids = xg::input<"ids", std::int32_t, columns>;   // of the features of one row
constexpr auto label = xg::input<"label", float>;
constexpr auto logit = xg::sum(xg::gather(xg::variable<"weights", float, buckets>, ids)) + xg::variable<"bias", float>;
constexpr auto loss = xg::sigmoid_cross_entropy(logit, label);

struct options {
    std::string model, label = "income", positive = ">50K";
    double rate = 0.05, l1 = 0.1, l2 = 1;
    long report = 5000;
};

/// The bucket of a feature: the column, and the value, of numbers rounded on a logarithmic scale. FNV-1a, the same on every machine.
std::int32_t bucket(std::string const& column, std::string const& value) {
    std::uint64_t hash = 14695981039346656037u;
    auto const add = [&](std::string_view text) {
        for (char const c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
    };
    add(column);
    double number = 0;
    auto const [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error == std::errc() && end == value.data() + value.size() && std::isfinite(number))
        add("~" + std::to_string(std::lround(8 * std::copysign(std::log1p(std::abs(number)), number))));
    else add("=" + value);
    return static_cast<std::int32_t>((hash ^ (hash >> 32)) % buckets);
}

/// What the predictions were worth, each made before its row was learned.
struct progressive {
    double rows = 0, loss = 0, right = 0;
    void add(double row_loss, bool is_right) {
        rows += 1;
        loss += row_loss;
        right += is_right;
    }
};

template<class Train>
void save(Train& train, options const& o, progressive const& all) {
    char text[3][32];
    double const numbers[]{all.rows, all.loss, all.right};
    for (int k = 0; k < 3; ++k) std::snprintf(text[k], sizeof text[k], "%.17g", numbers[k]);
    xg::save(train, o.model, {{"label", o.label}, {"rows", text[0]}, {"loss", text[1]}, {"right", text[2]}});
}

int run(options const& o) {
    auto train = xg::minimize(xg::outputs(loss, logit), xg::ftrl{.learning_rate = o.rate, .l1 = o.l1, .l2 = o.l2});
    progressive all, last;
    if (!o.model.empty() && std::filesystem::exists(o.model)) {
        auto const kept = xg::restore(train, o.model);
        if (kept.count("label") == 0 || kept.at("label") != o.label)
            throw examples::input_error(o.model + ": this model has another label");
        all.rows = std::stod(kept.at("rows")), all.loss = std::stod(kept.at("loss")), all.right = std::stod(kept.at("right"));
    }
    examples::catch_stop_signals(true);
    if (!o.model.empty()) save(train, o, all);   // now, rather than after a day, is the time to see that this is possible
    examples::csv_reader csv("standard input", std::cin);
    std::vector<std::string> names, row;
    if (!csv.next(names)) throw examples::input_error("standard input: there is no row, not even the names of the columns");
    auto const found = std::find(names.begin(), names.end(), o.label);
    if (found == names.end()) csv.position().fail("no column is called \"" + o.label + "\"; name the label's column: --label NAME");
    auto const target = static_cast<std::size_t>(found - names.begin());

    std::vector<std::int32_t> features;
    long skipped = 0;
    auto const report = [&] {
        if (last.rows > 0)
            std::printf("%9.0f rows   log loss %.4f, of the last %.0f %.4f   right %.2f %%\n", all.rows, all.loss / all.rows, last.rows,
                last.loss / last.rows, 100 * last.right / last.rows);
        std::fflush(stdout);
        last = {};
    };
    for (;;) {
        try {
            if (!csv.next(row) || examples::stop_requested() != 0) break;   // an unfinished row is not learned
            if (row.size() != names.size())
                csv.position().fail(std::to_string(row.size()) + " fields, and there are " + std::to_string(names.size()) + " columns");
        } catch (examples::input_error const& e) {
            if (examples::stop_requested() != 0) break;
            if (++skipped <= 10) std::fprintf(stderr, "%s; this row is left out\n", e.what());
            csv.recover();
            continue;
        }
        features.clear();
        for (std::size_t k = 0; k < row.size(); ++k)
            if (k != target) features.push_back(bucket(names[k], row[k]));
        bool const is = row[target] == o.positive;
        auto const [row_loss, z] = train(ids = features, label = is ? 1.0f : 0.0f);
        all.add(double{row_loss}, (z > 0) == is);
        last.add(double{row_loss}, (z > 0) == is);
        if (last.rows >= static_cast<double>(o.report)) report();
    }
    report();
    if (skipped > 0) std::fprintf(stderr, "%ld rows left out\n", skipped);
    long used = 0;
    for (float const w : train.value(xg::variable<"weights", float, buckets>)) used += w != 0;
    std::printf("%.0f rows learned, %ld weights are not 0\n", all.rows, used);
    if (!o.model.empty()) {
        save(train, o, all);
        std::printf("saved %s\n", o.model.c_str());
    }
    return examples::stop_requested() == 0 ? 0 : 128 + examples::stop_requested();
}

}   // namespace

int main(int count, char** arguments) {
    options o;
    CLI::App app(
        "Learns to tell a column of a CSV stream from the others, row by row: online_learning --model model.safetensors < rows.csv\n"
        "Each row is predicted before it is learned. Ctrl-C saves the model, and the next run with it goes on.");
    app.add_option("--model", o.model, "continue from this model if it is there, and save it at the end");
    app.add_option("--label", o.label, "the column to tell")->capture_default_str();
    app.add_option("--positive", o.positive, "its value that is to be found")->capture_default_str();
    app.add_option("--rate", o.rate, "learning rate of Ftrl")->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--l1", o.l1, "pulls weights to exactly 0")->check(CLI::NonNegativeNumber)->capture_default_str();
    app.add_option("--l2", o.l2, "pulls weights towards 0")->check(CLI::NonNegativeNumber)->capture_default_str();
    app.add_option("--report", o.report, "rows between two lines of output")->check(CLI::Range(1L, 1000000000L))->capture_default_str();
    CLI11_PARSE(app, count, arguments);
    try {
        return run(o);
    } catch (std::exception const& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
}
