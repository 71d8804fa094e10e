// SPDX-License-Identifier: MIT
// The programs of docs/checkpoints.md: files of a network, savers, NumPy, a model as a header.
#include <xgrad/io/checkpoint.hpp>
#include <xgrad/io/export_header.hpp>
#include <xgrad/io/npz.hpp>
#include <xgrad/io/safetensors.hpp>
#include <xgrad/io/saver.hpp>
#include <xgrad/io/snapshot.hpp>

#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "plane.hpp"

namespace {

bool good = true;
void expect(bool held, char const* what) {
    if (!held) std::printf("not as the text says: %s\n", what);
    good = good && held;
}

namespace spiral {

inline constexpr xg::dim batch{"batch"};
constexpr auto point = xg::input<"point", float, batch, 2>;
constexpr auto label = xg::input<"label", std::int32_t, batch>;

constexpr auto hidden = xg::tanh(xg::nn::dense<"hidden", 32>(point));
constexpr auto logits = xg::nn::dense<"out", 3>(hidden);
constexpr auto loss = xg::mean(xg::sparse_softmax_cross_entropy(logits, label));

// Three arms of a spiral, 100 points each.
struct sample {
    std::vector<float> points;
    std::vector<std::int32_t> labels;
    sample() {
        for (int i = 0; i < 300; ++i) {
            float const t = static_cast<float>(i / 3) / 100.0f;
            auto const arm = static_cast<float>(i % 3);
            float const angle = 4.0f * t + 2.0944f * arm;
            points.insert(points.end(), {t * std::cos(angle), t * std::sin(angle)});
            labels.push_back(i % 3);
        }
    }
};

template<class Train>
float epoch(Train& train, std::vector<float> const& points, std::vector<std::int32_t> const& labels) {
    constexpr std::size_t size = 50;
    float sum = 0;
    for (std::size_t at = 0; at + size <= labels.size(); at += size)
        sum += train(point = xg::array(&points[2 * at], size, 2), label = std::span(&labels[at], size));
    return sum / static_cast<float>(labels.size() / size);
}

template<class Owner>
double accuracy(Owner& owner, std::vector<float> const& points, std::vector<std::int32_t> const& labels) {
    xg::function scores{logits, owner};
    auto const z = scores(point = xg::array(points.data(), labels.size(), 2));   // [batch, 3], a view of the function's memory
    std::size_t right = 0;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        float const* row = &z(i, 0);
        right += std::max_element(row, row + 3) - row == labels[i];
    }
    return static_cast<double>(right) / static_cast<double>(labels.size());
}

void run() {
    sample const s;
    auto train = xg::minimize(loss, xg::adam{.learning_rate = 0.01});
    train.initialize(xg::glorot_uniform{.seed = 1});
    train.reserve(batch = 50);
    float value = 0;
    for (int e = 0; e < 300; ++e) value = epoch(train, s.points, s.labels);
    double const share = accuracy(train, s.points, s.labels);
    std::printf("spiral: loss %.4f, accuracy %.3f\n", static_cast<double>(value), share);
    expect(share > 0.98, "the network learns the spiral");

    xg::save(train, "spiral.safetensors", {{"made by", "the tutorial"}});
    {
        auto again = xg::minimize(loss, xg::adam{.learning_rate = 0.01});
        auto const notes = xg::restore(again, "spiral.safetensors");   // notes.at("made by") == "the tutorial"
        expect(notes.at("made by") == "the tutorial", "metadata come back");
        expect(again.global_step() == train.global_step(), "the step comes back");
        expect(epoch(again, s.points, s.labels) == epoch(train, s.points, s.labels), "training goes on with the same bits");
        // [saver]
        xg::saver saver("run", {.max_to_keep = 3, .every_steps = 1000, .every_seconds = 600});
        if (auto const last = xg::latest_checkpoint("run"); !last.empty()) xg::restore(again, last);
        while (again.global_step() < 2500) {
            epoch(again, s.points, s.labels);
            saver.save_if_due(again);   // into run/model-<steps>.safetensors
        }
        saver.save(again);
        // [/saver]
        expect(xg::latest_checkpoint("run") == "run/model-" + std::to_string(again.global_step()) + ".safetensors", "the last one is found");
    }
    {
        xg::variables weights{logits};
        xg::restore(weights, "spiral.safetensors", xg::variables_only);
        double const correct = accuracy(weights, s.points, s.labels);
        expect(correct == share, "weights alone predict the same");
        // [npz]
        constexpr auto w = xg::variable<"hidden/w", float, 2, 32>;
        auto const now = weights.value(w);
        xg::tensor_record const arrays[] = {{"hidden/w", xg::dtype::float32, {2, 32}, now.data()}};
        xg::write_npz("spiral.npz", arrays);   // numpy.load("spiral.npz")["hidden/w"]

        xg::npz_file const file("spiral.npz");   // also what numpy.savez has written
        xg::npy_array const* const given = file.find("hidden/w");
        weights.initialize(xg::initial(xg::array(given->values<float>().data(), 2, 32), w));
        // [/npz]
        expect(given->values<float>()[33] == now[33] && accuracy(weights, s.points, s.labels) == share, "NumPy's files hold variables");
    }
    {
        // As Python would write it: torch.nn.Linear(2, 32) keeps its weight as [out, in].
        std::vector<float> weight(64);
        for (std::size_t i = 0; i < 64; ++i) weight[i] = static_cast<float>(i);
        std::vector<float> const bias(32, 0.5f);
        xg::tensor_record const python[] = {{"fc1.weight", xg::dtype::float32, {32, 2}, weight.data()},
            {"fc1.bias", xg::dtype::float32, {32}, bias.data()}};
        xg::write_safetensors("python.safetensors", python);
        xg::variables weights{logits};
        // [variables as]
        xg::restore(weights, "python.safetensors",
            xg::variables_as{
                {"hidden/w", xg::transposed("fc1.weight")},   // [32, 2] there, [2, 32] here
                {"hidden/b", "fc1.bias"},
            });
        // [/variables as]
        constexpr auto w = xg::variable<"hidden/w", float, 2, 32>;
        expect(weights.value(w)(1, 5) == weight[5 * 2 + 1], "the weight is transposed");
        // [safetensors file]
        xg::safetensors_file const file("python.safetensors");
        for (auto const& t : file.tensors()) std::printf("%s: %s, %zu elements\n", t.name.c_str(), t.file_type.c_str(), t.size());
        if (auto const* b = file.find("fc1.bias")) std::printf("first bias %g\n", static_cast<double>(b->values<float>()[0]));
        // [/safetensors file]
    }
    {
        // [snapshot]
        xg::snapshot const before(train);
        epoch(train, s.points, s.labels);
        before.restore(train);   // variables, slots, steps and seed
        // [/snapshot]
    }
    try {
        auto other = xg::minimize(loss, xg::gradient_descent{.learning_rate = 0.01});
        xg::restore(other, "spiral.safetensors");   // throws xg::checkpoint_error, and `other` is what it was
        expect(false, "another rule is refused");
    } catch (xg::checkpoint_error const& e) { std::printf("%s\n", e.what()); }
}

}   // namespace spiral

namespace exported {
constexpr auto x = xg::input<"x", float, 2>;
constexpr auto slope = xg::variable<"slope", float, 2>;
constexpr auto offset = xg::variable<"offset", float>;
constexpr auto height = xg::sum(slope * x) + offset;

void run() {
    auto train = xg::minimize(xg::square(height), xg::adam{});
    train.assign(slope, std::vector<float>{2.0f, -0.5f});
    train.assign(offset, 0.25f);
    // [export]
    xg::export_header(train, "plane.hpp", "plane");
    // [/export]
    // [exported]
    xg::variables weights{height};
    xg::restore(weights, plane::tensors);   // no file is read
    xg::function predict{height, weights};
    float const by_hand = plane::slope[0] * 3 + plane::slope[1] * 4 + plane::offset[0];   // or without xgrad
    // [/exported]
    expect(predict(x = std::vector<float>{3, 4}) == by_hand && by_hand == 4.25f, "a model in a header");
}
}   // namespace exported

}   // namespace

int main() {
    spiral::run();
    exported::run();
    return good ? 0 : 1;
}
