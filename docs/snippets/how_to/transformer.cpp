// SPDX-License-Identifier: MIT
// The program of docs/how_to/transformer.md.
// prints: loss 0[.][0-9]+.one, two, three, four, five, six,
#include <xgrad/nn/multi_head_attention.hpp>
#include <xgrad/nn/transformer.hpp>
#include <xgrad/ops/over_axes/arg_reduce.hpp>
#include <xgrad/xgrad.hpp>

#include <cstdio>
#include <string>
#include <vector>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr std::int64_t length = 16, symbols = 128, width = 32;
constexpr auto text = xg::input<"text", std::int32_t, batch, length>;
constexpr auto next = xg::input<"next", std::int32_t, batch, length>;   // the text, one character later

constexpr auto letters = xg::nn::embedding<"letters", symbols, width>(text);
constexpr auto placed = letters + xg::nn::position_embedding<"positions", length>(letters);
constexpr xg::nn::transformer_options how{.norm_first = true, .activation = xg::nn::feedforward::gelu, .dropout = 0.1};
constexpr auto block = xg::nn::transformer_decoder_block<"block", 2, 2 * width, how>(placed);   // 2 heads; it is causal
constexpr auto logits = xg::nn::dense<"out", symbols>(xg::nn::layer_norm<"norm">(block));
constexpr auto loss = xg::mean(xg::sparse_softmax_cross_entropy(logits, next));

int main() {
    std::string const words = "one, two, three, four, five, six, one, two, three, four, five, six, ";
    constexpr std::size_t rows = 34, columns = 16;   // each row begins at another character
    std::vector<std::int32_t> now, later;
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t k = 0; k < columns; ++k) now.push_back(words[r + k]), later.push_back(words[r + k + 1]);

    auto train = xg::minimize(loss, xg::chain(xg::clip_by_global_norm(1), xg::adam{.learning_rate = 0.005}));
    train.initialize(xg::glorot_uniform{.seed = 1});
    float value = 0;
    for (int step = 0; step < 120; ++step) value = train(text = xg::array(now, rows, columns), next = xg::array(later, rows, columns));
    std::printf("loss %.2f\n", value);

    xg::function predict{xg::eval(xg::argmax<2>(logits)), train};
    std::string said = words.substr(0, columns);   // "one, two, three,"
    while (said.size() < 34) {
        std::vector<std::int32_t> const window(said.end() - static_cast<std::ptrdiff_t>(columns), said.end());
        said += static_cast<char>(predict(text = xg::array(window, 1, columns))(0, length - 1));
    }
    std::printf("%s\n", said.c_str());
}
