// SPDX-License-Identifier: MIT
// Two language models of characters, a GRU and a transformer. They learn the licences that every Debian and Ubuntu has. More with --full.
// `character_model predict gru TEXT` continues a text, and so does `predict transformer TEXT`.
#include <support/licences.hpp>
#include <support/plot.hpp>
#include <support/progress.hpp>

#include <xgrad/all.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <random>
#include <string>
#include <utility>
#include <vector>
namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr std::int64_t length = 64, symbols = 96, width = 128;   // the printable characters of ASCII, and ends of lines
constexpr auto text = xg::input<"text", std::int32_t, batch, length>;
constexpr auto next = xg::input<"next", std::int32_t, batch, length>;
constexpr auto letters = xg::nn::embedding<"letters", symbols, width>(text);

constexpr auto remembered = xg::nn::gru<"gru", width>(letters, xg::nn::return_sequences);
constexpr auto gru_logits = xg::nn::dense<"gru/out", symbols>(remembered);

constexpr xg::nn::transformer_options how{.norm_first = true, .rotary = true, .activation = xg::nn::feedforward::gelu};
constexpr auto first = xg::nn::transformer_decoder_block<"first", 4, 4 * width, how>(letters);
constexpr auto second = xg::nn::transformer_decoder_block<"second", 4, 4 * width, how>(first);
constexpr auto transformer_logits = xg::nn::dense<"out", symbols>(xg::nn::layer_norm<"norm">(second));

static std::vector<std::int32_t> codes_of(std::string const& all) {
    std::vector<std::int32_t> codes;
    for (char const c : all)
        if (c == '\n' || (c >= ' ' && c <= '~')) codes.push_back(c == '\n' ? 95 : c - ' ');
    return codes;
}

/// Trains, prints bits per character and a sample. The text is cut into blocks, and each tenth one is not learned. Returns its bits.
/// With 0 steps the saved model continues the end of `codes`.
template<class Logits>
double learn(char const* name, Logits logits, int steps, std::vector<std::int32_t> const& codes, examples::plot_line& curve) {
    constexpr auto loss = xg::mean(xg::sparse_softmax_cross_entropy(Logits{}, next));
    constexpr std::size_t rows = 32, row = static_cast<std::size_t>(length), block = rows * row;
    auto train = xg::minimize(
        loss, xg::chain(xg::clip_by_global_norm(1), xg::adam{.learning_rate = xg::one_cycle{.peak = 4e-3, .steps = double(steps)}}));
    train.initialize(xg::glorot_uniform{.seed = 1});
    xg::function measure{loss, train}, predict{xg::softmax<2>(logits), train};

    std::mt19937 random(2);
    std::vector<std::int32_t> a(rows * row), b(rows * row);
    auto const take = [&](std::size_t k, std::size_t from) {
        std::copy_n(codes.begin() + static_cast<std::ptrdiff_t>(from), row, a.begin() + static_cast<std::ptrdiff_t>(k * row));
        std::copy_n(codes.begin() + static_cast<std::ptrdiff_t>(from + 1), row, b.begin() + static_cast<std::ptrdiff_t>(k * row));
    };
    examples::progress_bar bar(static_cast<std::size_t>(steps) * rows, 0, true);
    double mean = 0, bits = 0;
    for (int step = 1; step <= steps; ++step) {
        for (std::size_t k = 0; k < rows; ++k) {
            std::size_t const n = random() % (codes.size() / block / 10 * 9);
            take(k, (n / 9 * 10 + n % 9) * block + random() % (block - row));
        }
        mean += static_cast<double>(train(text = xg::array(a, rows, row), next = xg::array(b, rows, row)));
        bar.update(static_cast<std::size_t>(step) * rows, name, mean / ((step - 1) % 100 + 1));
        if (step % 100 != 0) continue;
        bar.clear();
        curve.points.emplace_back(step, std::exchange(mean, 0) / 100 / std::log(2.0));
        std::printf("%s  step %4d   %.3f bits per character\n", name, step, curve.points.back().second);
    }
    int parts = 0;
    for (std::size_t from = 9 * block; steps && from + block < codes.size(); from += 10 * block, ++parts) {
        for (std::size_t k = 0; k < rows; ++k) take(k, from + k * row);
        bits += static_cast<double>(measure(text = xg::array(a, rows, row), next = xg::array(b, rows, row))) / std::log(2.0);
    }
    if (steps) std::printf("%s  %.3f bits per character of text that it has not seen\n", name, bits / parts);
    if (steps) xg::save(train, std::string(name) + ".safetensors");
    else xg::restore(train, std::string(name) + ".safetensors", xg::variables_only);
    auto const start = steps ? codes.begin() : codes.end() - length;   // a sample continues the beginning of the text
    std::vector<std::int32_t> window(start, start + length);
    for (int k = 0; k < 300; ++k) {
        auto const chances = predict(text = xg::array(window, 1, row));
        double rest = std::uniform_real_distribution<double>()(random);
        std::int32_t c = 0;
        while (c < symbols - 1 && (rest -= static_cast<double>(chances(0, length - 1, c))) > 0) ++c;
        std::putchar(c == 95 ? '\n' : c + ' ');
        window.erase(window.begin());
        window.push_back(c);
    }
    std::putchar('\n');
    return bits / parts;
}

int main(int count, char** arguments) try {
    std::string const mode = count > 1 ? arguments[1] : "";
    bool const full = mode == "--full";
    examples::plot_line curves[]{{.title = "gru"}, {.title = "transformer"}};
    if (mode == "predict" && count > 3) {
        auto const prompt = codes_of(std::string(length, '\n') + arguments[3]);
        std::printf("%s", arguments[3]);
        arguments[2] == std::string("gru") ? learn("gru", gru_logits, 0, prompt, curves[0])
                                           : learn("transformer", transformer_logits, 0, prompt, curves[0]);
        return 0;
    }
    auto const codes = codes_of(examples::licence_text());
    if (codes.size() < 100000) {
        std::printf("skipped: /usr/share/common-licenses holds too little text\n");
        return 77;
    }
    double const gru = learn("gru", gru_logits, full ? 1000 : 100, codes, curves[0]);
    double const transformer = learn("transformer", transformer_logits, full ? 1000 : 100, codes, curves[1]);
    examples::report_svg(
        "character_model.svg", {.title = "Bits per character", .x_label = "step", .y_label = "bits", .lines = {curves[0], curves[1]}});
    return gru < (full ? 2.1 : 4.2) && transformer < (full ? 2 : 4) ? 0 : 1;
} catch (std::exception const& e) {
    std::fprintf(stderr, "character_model: %s\n", e.what());
    return 1;
}
