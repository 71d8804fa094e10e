// SPDX-License-Identifier: MIT
// The program of docs/sequences.md: lengths, padding ids, recurrent layers and their losses, time that is not the first axis, negative
// sampling.
#include <xgrad/data/negative_sampling.hpp>
#include <xgrad/nn/recurrent.hpp>
#include <xgrad/nn/sampled_losses.hpp>
#include <xgrad/ops/sequences/crf.hpp>
#include <xgrad/ops/sequences/ctc.hpp>
#include <xgrad/xgrad.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <vector>

namespace xg = xgrad;
using namespace xg::literals;

namespace {

void expect(bool held, char const* what) {
    if (held) return;
    std::printf("not as the text says: %s\n", what);
    std::exit(1);
}

inline constexpr xg::dim batch{"batch"};

namespace lengths {
// [lengths]
inline constexpr xg::dim time{"time"};
constexpr auto values = xg::input<"values", float, batch, time>;   // padded with anything
constexpr auto length = xg::input<"length", std::int32_t, batch>;

constexpr auto valid = xg::sequence_mask<time>(length);   // bool [batch, time]
constexpr auto count = xg::cast<float>(length);
constexpr auto mean = xg::sum<1>(xg::select(valid, values, 0_c)) / xg::maximum(count, 1_c);
constexpr auto weights = xg::softmax<1>(xg::select(valid, values, -1e9_c));   // 0 at padded places
// [/lengths]

void run() {
    xg::function f{xg::outputs(mean, weights)};
    std::vector<float> const padded{1, 2, 99, 4, 5, 6};
    std::vector<std::int32_t> const n{2, 3};
    auto const [means, shares] = f(values = xg::array(padded, 2, 3), length = n);
    expect(means[0] == 1.5f && means[1] == 5.0f, "the mean is of what is valid");
    expect(shares(0, 2) == 0.0f && std::abs(shares(0, 0) + shares(0, 1) - 1) < 1e-6f, "padded places have no weight");
}
}   // namespace lengths

namespace padding {
// [padding]
inline constexpr xg::dim words{"words"};
constexpr auto ids = xg::input<"ids", std::int32_t, batch, words>;   // 0 is padding
constexpr auto table = xg::variable<"table", float, 1000, 16>;

constexpr auto is_word = xg::not_equal(ids, 0_c);
constexpr auto vectors = xg::gather(table, ids);   // [batch, words, 16]
constexpr auto bag = xg::sum<1>(xg::select(xg::expand_dims<2>(is_word), vectors, 0_c));
// [/padding]

void run() {
    auto train = xg::minimize(xg::sum(bag), xg::gradient_descent{.learning_rate = 1});
    std::vector<std::int32_t> const two{5, 7, 0, 5, 0, 0};
    train(ids = xg::array(two, 2, 3));
    expect(train.value(table)(5, 0) == -2 && train.value(table)(7, 3) == -1, "words are trained");
    expect(train.value(table)(0, 0) == 0, "the row of the padding stays");
}
}   // namespace padding

namespace recurrent {
// [time first]
inline constexpr xg::dim time{"time"};
constexpr auto frames = xg::input<"frames", float, batch, time, 4>;   // time is the second axis here
constexpr auto length = xg::input<"length", std::int32_t, batch>;
constexpr auto w = xg::variable<"w", float, 4 + 8, 8>;

struct cell : xg::region {
    static constexpr auto value(auto state, auto frame) {
        return xg::carry(xg::tanh(xg::matmul(xg::concat<1>(frame, state), w)));
    }
};
constexpr auto start = xg::broadcast_to<batch, 8>(xg::constant<float, 0>);
constexpr auto by_time = xg::transpose<1, 0, 2>(frames);   // [time, batch, 4]
constexpr auto last = std::get<0>(xg::scan<cell>(xg::carry(start).lengths(length), by_time));
// [/time first]

// [turns]
constexpr auto number = xg::input<"number", std::int32_t>;
constexpr auto early = std::get<0>(xg::scan<cell>(xg::carry(start).turns(number), by_time));
// [/turns]

// [checkpoints]
constexpr auto far = std::get<0>(xg::scan<xg::gradient_checkpoints<cell, 16>>(xg::carry(start).lengths(length), by_time));
// [/checkpoints]

void run() {
    xg::variables weights{last};
    weights.initialize(xg::glorot_uniform{.seed = 1});
    xg::function f{last, weights};
    std::vector<float> in(2 * 3 * 4, 0.5f), other(in);
    other[4 * 2] = 7;   // row 0, time 2: after the end of its sequence
    std::vector<std::int32_t> const n{2, 3};
    std::vector<float> const a = f(frames = xg::array(in, 2, 3, 4), length = n);
    std::vector<float> const b = f(frames = xg::array(other, 2, 3, 4), length = n);
    expect(a == b, "what follows the end does not matter");

    std::vector<float> more(2 * 5 * 4, std::numeric_limits<float>::quiet_NaN());
    for (std::size_t row = 0; row < 2; ++row) std::copy_n(&in[row * 12], 12, &more[row * 20]);
    xg::function g{xg::outputs(early, last), weights};
    std::vector<std::int32_t> const all{3, 3};
    auto const [first_three, by_length] = g(frames = xg::array(more, 2, 5, 4), length = all, number = 3);
    for (std::int64_t i = 0; i < 16; ++i) expect(first_three[i] == by_length[i], "rows after the last iteration are not read");

    xg::function h{xg::outputs(xg::gradient_of(xg::sum(last), w), xg::gradient_of(xg::sum(far), w)), weights};
    std::vector<float> many(2 * 40 * 4, 0.25f);
    std::vector<std::int32_t> const long_ones{40, 21};
    auto const [plain, by_segments] = h(frames = xg::array(many, 2, 40, 4), length = long_ones);
    for (std::int64_t i = 0; i < 12 * 8; ++i) expect(std::abs(plain[i] - by_segments[i]) < 1e-5f, "the gradients are the same");
}
}   // namespace recurrent

namespace layers {
// [layers]
inline constexpr xg::dim time{"time"};
constexpr auto frames = xg::input<"frames", float, batch, time, 4>;   // padded with anything
constexpr auto length = xg::input<"length", std::int32_t, batch>;
constexpr auto heard = xg::nn::lstm<"lstm", 8>(frames, xg::nn::lengths(length), xg::nn::return_sequences);   // [batch, time, 8]
constexpr auto both = xg::nn::gru<"gru", 8, xg::nn::gru_options{.bidirectional = true}>(heard, xg::nn::lengths(length));   // [batch, 16]
// [/layers]

// [tags]
constexpr auto scores = xg::nn::dense<"scores", 3>(heard);               // of 3 tags in each time step
constexpr auto transitions = xg::variable<"transitions", float, 3, 3>;   // from a tag to a tag
constexpr auto tags = xg::input<"tags", std::int32_t, batch, time>;
constexpr auto tag_loss = -xg::mean(xg::crf_log_likelihood(scores, tags, length, transitions));
constexpr auto best_tags = std::get<0>(xg::crf_decode(scores, transitions, length));   // int32 [batch, time]
// [/tags]

// [ctc]
constexpr auto logits = xg::nn::dense<"logits", 6>(heard);               // class 0 is the blank
constexpr auto letters = xg::input<"letters", std::int32_t, batch, 3>;   // padded with anything
constexpr auto letter_count = xg::input<"letter_count", std::int32_t, batch>;
constexpr auto letter_loss = xg::mean(xg::ctc_loss(logits, letters, length, letter_count));
constexpr auto spelled = std::get<0>(xg::ctc_greedy_decode(logits, length));   // int32 [batch, time], -1 after the last letter
// [/ctc]

void run() {
    constexpr auto loss = tag_loss + letter_loss + xg::mean(xg::square(both));
    auto train = xg::minimize(loss, xg::adam{.learning_rate = 0.05});
    // [start]
    train.initialize(xg::glorot_uniform{.seed = 1});
    train.initialize(xg::glorot_uniform{.seed = 1}, xg::initial(xg::glorot_uniform{}, heard.u), xg::initial(xg::zeros_initializer{}, heard.b));
    // [/start]
    std::vector<float> in(2 * 5 * 4);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i * i % 13) / 13 - 0.5f;
    std::vector<std::int32_t> const n{5, 3}, wanted{0, 1, 2, 1, 0, 2, 2, 1, -1, -1}, word{3, 4, 4, 5, -1, -1}, count{3, 1};
    float first = 0, last = 0;
    for (int step = 0; step < 200; ++step) {
        last = train(frames = xg::array(in, 2, 5, 4), length = n, tags = xg::array(wanted, 2, 5), letters = xg::array(word, 2, 3),
            letter_count = count);
        if (step == 0) first = last;
    }
    expect(last < 0.2f * first, "the layers learn");
    xg::function decode{xg::outputs(best_tags, spelled), train};
    auto const [found, letters_found] = decode(frames = xg::array(in, 2, 5, 4), length = n);
    for (std::int64_t i = 0; i < 8; ++i) expect(found[i] == wanted[static_cast<std::size_t>(i)], "the tags are found");
    expect(letters_found(0, 0) == 3 && letters_found(0, 2) == 4 && letters_found(0, 3) == -1 && letters_found(1, 0) == 5, "so are letters");
}
}   // namespace layers

namespace negatives {
// [negative sampling]
inline constexpr xg::dim draws{"draws"};
constexpr auto center = xg::input<"center", std::int32_t, batch>;
constexpr auto context = xg::input<"context", std::int32_t, batch>;
constexpr auto wrong = xg::input<"wrong", std::int32_t, draws>;   // shared by the rows of the batch
constexpr auto from = xg::variable<"from", float, 500, 8>;
constexpr auto to = xg::variable<"to", float, 500, 8>;

constexpr auto c = xg::gather(from, center);
constexpr auto right_logits = xg::sum<1>(c * xg::gather(to, context));                     // [batch]
constexpr auto wrong_logits = xg::matmul(c, xg::transpose<1, 0>(xg::gather(to, wrong)));   // [batch, draws]
constexpr auto loss = xg::mean(xg::softplus(-right_logits)) + xg::mean(xg::sum<1>(xg::softplus(wrong_logits)));
// [/negative sampling]

// [sampled softmax]
constexpr auto bias = xg::variable<"bias", float, 500>;
constexpr auto sampled = xg::mean(xg::nn::sampled_softmax_loss<"words", 8>(to, bias, c, context));
// [/sampled softmax]

void run() {
    auto train = xg::minimize(loss, xg::adagrad{.learning_rate = 0.5});
    train.initialize(xg::random_uniform{.seed = 1});
    std::vector<std::int32_t> words(64), next(64), drawn(20);
    std::vector<int> counts(500, 1);
    float first = 0, last = 0;
    // [draw]
    xg::unigram_sampler sampler(counts, 0.75);   // word2vec's power
    for (int step = 0; step < 1000; ++step) {
        for (std::size_t i = 0; i < words.size(); ++i) {
            words[i] = static_cast<std::int32_t>((step * 64 + static_cast<int>(i)) % 500);
            next[i] = (words[i] + 1) % 500;
        }
        sampler.sample(drawn);
        last = train(center = words, context = next, wrong = drawn);
        if (step == 0) first = last;
    }
    // [/draw]
    std::printf("negative sampling: loss %.2f, then %.2f\n", static_cast<double>(first), static_cast<double>(last));
    expect(last < 0.7f * first, "words are near their neighbours");
    auto drawing = xg::minimize(sampled, xg::adagrad{.learning_rate = 0.5});
    drawing.initialize(xg::random_uniform{.seed = 1});
    for (int step = 0; step < 300; ++step) {
        last = drawing(center = words, context = next);
        if (step == 0) first = last;
    }
    expect(last < 0.7f * first, "words are found among drawn ones");
}
}   // namespace negatives

}   // namespace

int main() {
    lengths::run();
    padding::run();
    recurrent::run();
    layers::run();
    negatives::run();
}
