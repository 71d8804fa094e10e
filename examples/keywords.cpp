// SPDX-License-Identifier: MIT
// Finds spoken commands: a short-time Fourier transform and convolutions over time. The audio is made here: tones that glide, in noise.
// `keywords predict SOUNDS.wav` names the commands in a file of half a second for each.
#include <support/pgm.hpp>
#include <support/progress.hpp>
#include <support/wav.hpp>

#include <xgrad/all.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <numbers>
#include <random>
#include <string>
#include <vector>
namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr std::int64_t samples = 4096, commands = 8;   // half a second at 8 kHz
constexpr auto audio = xg::input<"audio", float, batch, samples>;
constexpr auto command = xg::input<"command", std::int32_t, batch>;

constexpr auto spectrum = xg::log(1e-3_c + xg::abs(xg::stft<256, 128>(audio)));   // [batch, 31 frames, 129 frequencies]
constexpr xg::window same{.padding = xg::window_padding::same}, half{.strides = 2, .padding = xg::window_padding::same};
template<xg::fixed_string Name, std::int64_t Filters, xg::window How>
constexpr auto block(xg::Expr auto const& x) {
    return xg::relu(xg::nn::batch_norm<xg::join_names<Name, "norm">()>(
        xg::nn::conv1d<xg::join_names<Name, "conv">(), Filters, 5, How, false>(x), 0.9_c));
}
constexpr auto features = block<"third", 32, half>(block<"second", 32, half>(block<"first", 32, same>(spectrum)));
constexpr auto logits = xg::nn::dense<"out", commands>(xg::dropout<"drop">(xg::flatten<1>(features), 0.2_c));
constexpr auto loss = xg::mean(xg::sparse_softmax_cross_entropy(logits, command));

/// A command is three tones, each gliding up or down as the bits of its number say. Pitch, speed, place and noise differ each time.
struct speaker {
    std::mt19937 random;
    std::normal_distribution<float> normal;
    float uniform(float from, float to) { return std::uniform_real_distribution<float>(from, to)(random); }
    std::int32_t say(float* to) {
        auto const which = static_cast<std::int32_t>(random() % commands);
        float const pitch = uniform(500, 900), speed = uniform(0.8f, 1.2f), noise = uniform(0.1f, 0.5f);
        auto const start = static_cast<std::size_t>(uniform(0, 840));
        for (std::size_t i = 0; i < samples; ++i) to[i] = noise * normal(random);
        float phase = 0;
        for (std::size_t i = 0; i < static_cast<std::size_t>(2600 / speed); ++i) {
            float const place = static_cast<float>(i) * speed / 867;   // 0 to 3
            int const part = static_cast<int>(place);
            float const within = place - static_cast<float>(part), glide = (which >> part & 1) ? within : 1 - within;
            phase += 2 * std::numbers::pi_v<float> * pitch * (1 + 0.25f * static_cast<float>(part) + 0.5f * glide) / 8000;
            to[start + i] += std::sin(std::numbers::pi_v<float> * within) * (std::sin(phase) + 0.5f * std::sin(2 * phase));
        }
        return which;
    }
};

int main(int count, char** arguments) try {
    constexpr std::size_t rows = 32, heard = 512, length = static_cast<std::size_t>(samples), kinds = static_cast<std::size_t>(commands);
    constexpr int steps = 400;
    auto train = xg::minimize(loss, xg::adam{.learning_rate = xg::one_cycle{.peak = 5e-3, .steps = steps}}, xg::nn::updates(loss));
    train.initialize(xg::glorot_uniform{.seed = 1});
    xg::function listen{xg::eval(logits), train};
    auto const best = [](auto const& scores, std::size_t row) {
        std::int64_t which = 0;
        for (std::int64_t c = 1; c < commands; ++c)
            if (scores(static_cast<std::int64_t>(row), c) > scores(static_cast<std::int64_t>(row), which)) which = c;
        return static_cast<std::size_t>(which);
    };
    if (count > 2 && arguments[1] == std::string("predict")) {
        xg::restore(train, "keywords.safetensors", xg::variables_only);
        auto const sounds = examples::read_wav(arguments[2], 8000);
        std::size_t const number = sounds.size() / length;
        auto const scores = listen(audio = xg::array(sounds.data(), number, length));
        for (std::size_t k = 0; k < number; ++k) std::printf("sound %zu: command %zu\n", k, best(scores, k));
        return 0;
    }
    speaker teacher{std::mt19937(1), {}}, stranger{std::mt19937(2), {}};
    std::vector<float> sounds(rows * length), others(heard * length);
    std::vector<std::int32_t> numbers(rows), wanted(heard);
    for (std::size_t k = 0; k < heard; ++k) wanted[k] = stranger.say(&others[k * length]);

    examples::progress_bar bar(steps * rows, 0, true);
    double accuracy = 0;
    for (int step = 1; step <= steps; ++step) {
        for (std::size_t k = 0; k < rows; ++k) numbers[k] = teacher.say(&sounds[k * length]);
        float const now = train(audio = xg::array(sounds, rows, length), command = numbers);
        bar.update(static_cast<std::size_t>(step) * rows, "keywords", static_cast<double>(now));
        if (step % 100 != 0) continue;
        bar.clear();
        xg::metrics::accuracy right;
        right.update(listen(audio = xg::array(others, heard, length)), wanted);
        accuracy = right.result();
        std::printf("step %3d   loss %.4f   accuracy for a stranger %.4f\n", step, static_cast<double>(now), accuracy);
    }
    xg::save(train, "keywords.safetensors");

    auto const scores = listen(audio = xg::array(others, heard, length));   // a row for each command, a column for each answer
    std::vector<float> confusion(kinds * kinds), said(kinds), cells;
    for (std::size_t k = 0; k < heard; ++k) said[static_cast<std::size_t>(wanted[k])] += 1;
    for (std::size_t k = 0; k < heard; ++k) {
        auto const row = static_cast<std::size_t>(wanted[k]);
        confusion[row * kinds + best(scores, k)] += 1 / said[row];
    }
    for (float const share : confusion) cells.insert(cells.end(), 32 * 32, std::min(share, 1.0f));
    examples::write_pgm("confusion.pgm", cells, 32, 32, kinds);
    examples::write_wav("sounds.wav", {others.data(), 4 * length}, 8000);
    std::printf("confusion.pgm: answers for each command; sounds.wav: commands %d %d %d %d\n", wanted[0], wanted[1], wanted[2], wanted[3]);
    return accuracy > 0.95 ? 0 : 1;
} catch (std::exception const& e) {
    std::fprintf(stderr, "keywords: %s\n", e.what());
    return 1;
}
