// SPDX-License-Identifier: MIT
// A sequence tagger: a GRU in both directions and a conditional random field. It puts commas and ends of sentences into words without them.
// `punctuation predict WORD...` prints the words with marks.
#include <support/licences.hpp>
#include <support/plot.hpp>
#include <support/progress.hpp>

#include <xgrad/all.hpp>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <exception>
#include <sstream>
#include <string>
#include <vector>
namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr std::int64_t longest = 32, vocabulary = 2048, tags = 3;   // nothing, a comma, the end of a sentence after a word
constexpr auto words = xg::input<"words", std::int32_t, batch, longest>;
constexpr auto marks = xg::input<"marks", std::int32_t, batch, longest>;
constexpr auto count = xg::input<"count", std::int32_t, batch>;   // of words in each row

constexpr xg::nn::gru_options both_ways{.bidirectional = true};
constexpr auto vectors = xg::dropout<"drop">(xg::nn::embedding<"words", vocabulary, 48>(words), 0.3_c);
constexpr auto states = xg::nn::gru<"gru", 48, both_ways>(vectors, xg::nn::return_sequences, xg::nn::lengths(count));
constexpr auto scores = xg::nn::dense<"scores", tags>(states);
constexpr auto transitions = xg::variable<"transitions", float, tags, tags>;
constexpr auto loss = -xg::mean(xg::crf_log_likelihood(scores, marks, count, transitions));
constexpr auto decoded = xg::crf_decode(xg::eval(scores), transitions, count);   // marks and their scores

struct sentences {
    std::vector<std::int32_t> words, marks, counts;
    std::size_t size() const { return counts.size(); }
};
/// A number for the letters of a word (FNV-1a), -1 for a word without letters.
static std::int32_t number_of(std::string const& word) {
    std::uint32_t const none = 2166136261u;
    std::uint32_t hash = none;
    for (unsigned char const c : word)
        if (std::isalnum(c)) hash = (hash ^ static_cast<unsigned>(std::tolower(c))) * 16777619u;
    return hash == none ? -1 : static_cast<std::int32_t>(hash % vocabulary);
}
/// The words of a text in rows of up to 32. Each tenth row is for tests.
static void read_text(sentences& known, sentences& fresh) {
    std::vector<std::pair<std::int32_t, std::int32_t>> all;
    std::istringstream text(examples::licence_text());
    for (std::string word; text >> word;) {
        std::int32_t const mark = word.back() == ',' ? 1 : word.back() == '.' || word.back() == ';' || word.back() == ':' ? 2 : 0;
        if (std::int32_t const number = number_of(word); number >= 0) all.emplace_back(number, mark);
    }
    std::size_t rows = 0;
    for (std::size_t k = 0; k + longest < all.size(); ++rows) {
        sentences& to = rows % 10 == 9 ? fresh : known;
        std::size_t const length = 8 + rows * 7 % (longest - 7);
        for (std::size_t i = 0; i < longest; ++i) {
            bool const inside = i < length;
            to.words.push_back(inside ? all[k + i].first : 0);
            to.marks.push_back(inside ? all[k + i].second : 0);
        }
        to.counts.push_back(static_cast<std::int32_t>(length));
        k += length;
    }
}

int main(int arguments, char** argument) try {
    std::string const mode = arguments > 1 ? argument[1] : "";
    auto train = xg::minimize(loss, xg::chain(xg::clip_by_global_norm(5), xg::adam{.learning_rate = 3e-3}));
    train.initialize(xg::glorot_uniform{.seed = 1});
    xg::function tagger{std::get<0>(decoded), train};
    if (mode == "predict") {
        xg::restore(train, "punctuation.safetensors", xg::variables_only);
        std::vector<std::int32_t> row(longest), length{std::min(arguments - 2, static_cast<int>(longest))};
        for (int k = 0; k < length[0]; ++k) row[static_cast<std::size_t>(k)] = std::max(0, number_of(argument[k + 2]));
        auto const found = tagger(words = xg::array(row, 1, row.size()), count = length);
        for (int k = 0; k < length[0]; ++k) std::printf("%s%s%s", k ? " " : "", argument[k + 2], &"\0\0,\0."[2 * found(0, k)]);
        std::putchar('\n');
        return 0;
    }
    sentences known, fresh;
    read_text(known, fresh);
    if (known.size() < 500) {
        std::printf("skipped: /usr/share/common-licenses holds too little text\n");
        return 77;
    }
    int const epochs = mode == "--full" ? 30 : 12;
    xg::batches all{{.size = 32, .seed = 1}, xg::array(known.words, known.size(), std::size_t{longest}),
        xg::array(known.marks, known.size(), std::size_t{longest}), known.counts};
    examples::progress_bar bar(known.size() * static_cast<std::size_t>(epochs), 0, true);
    std::size_t done = 0;
    double f1 = 0;
    examples::plot_line curve;
    for (int epoch = 1; epoch <= epochs; ++epoch) {
        xg::metrics::mean losses;
        for (auto const& [w, m, n] : all) {
            losses.update(train(words = w, marks = m, count = n));
            bar.update(done += 32, "punctuation", losses.result());
        }
        bar.clear();
        auto const found = tagger(words = xg::array(fresh.words, fresh.size(), std::size_t{longest}), count = fresh.counts);
        double hits = 0, marked = 0, wanted = 0;
        for (std::size_t r = 0; r < fresh.size(); ++r)
            for (std::size_t i = 0; i < static_cast<std::size_t>(fresh.counts[r]); ++i) {
                auto const right = fresh.marks[r * longest + i], given = found(static_cast<std::int64_t>(r), static_cast<std::int64_t>(i));
                hits += right != 0 && given == right, marked += given != 0, wanted += right != 0;
            }
        f1 = 2 * hits / (marked + wanted);
        curve.points.emplace_back(epoch, f1);
        if (epoch % 3 == 0) std::printf("epoch %2d   loss of a row %.3f   F1 of the marks in new rows %.3f\n", epoch, losses.result(), f1);
    }
    xg::save(train, "punctuation.safetensors");
    examples::report_svg(
        "punctuation.svg", {.title = "F1 of the marks in new rows", .x_label = "epoch", .y_label = "F1", .lines = {curve}});
    return f1 > 0.5 ? 0 : 1;
} catch (std::exception const& e) {
    std::fprintf(stderr, "punctuation: %s\n", e.what());
    return 1;
}
