// SPDX-License-Identifier: MIT
// Where the slots of a table's rows are stored, and how far ahead rows are fetched.
// First hand-written: 8192 rows of a table that fits no cache are looked up, summed and updated. The right column is the layout of
// kernels/updates/update_rows.hpp: a table for each slot, rows fetched 24 ahead. `beside`: a row is [w | slot | slot].
// Then whole steps of a trainer, with interleaved_rows on the left.
#include "frame.hpp"
#include "hand/data.hpp"
#include "hand/vec.hpp"

#include <xgrad/train/interleaved_rows.hpp>
#include <xgrad/xgrad.hpp>

#include <algorithm>
#include <memory>
#include <string>

namespace {

// Vectors of the machine, or of four floats for rows that are no longer.
struct wide {
    using vector = hand::vf;
    using in_memory = float __attribute__((vector_size(sizeof(hand::vf)), aligned(4), may_alias));
};
struct four {
    using vector = float __attribute__((vector_size(16)));
    using in_memory = float __attribute__((vector_size(16), aligned(4), may_alias));
};
template<class V>
[[gnu::always_inline]] inline V root(V x) {
    if constexpr (sizeof(V) == sizeof(hand::vf)) return hand::sqrt(x);
#if defined(__SSE2__)
    else if constexpr (sizeof(V) == 16) return (V)_mm_sqrt_ps((__m128)x);
#endif
    else
        for (unsigned i = 0; i < sizeof(V) / 4; ++i) x[i] = __builtin_sqrtf(x[i]);
    return x;
}

struct momentum {
    static constexpr int slots = 1;
    template<class V>
    [[gnu::always_inline]] static void update(V& w, V* s, V g) {
        s[0] = 0.9f * s[0] + g;
        w -= 0.01f * s[0];
    }
};
struct adam {
    static constexpr int slots = 2;
    template<class V>
    [[gnu::always_inline]] static void update(V& w, V* s, V g) {
        s[0] += 0.1f * (g - s[0]);
        s[1] += 0.001f * (g * g - s[1]);
        w -= 0.001f * s[0] / (root(s[1]) + 1e-8f);
    }
};

template<class Rule, int Width>
struct rows {
    static constexpr int slots = Rule::slots, lanes = std::min(Width, hand::wf);
    static constexpr std::size_t count = 8192, table_rows = std::size_t(1) << (Width <= 4 ? 24 : Width <= 16 ? 23 : Width == 64 ? 21 : 20);
    using part = std::conditional_t<Width == 4, four, wide>;
    using V = typename part::vector;
    using M = typename part::in_memory;

    bool beside;
    hand::buffer<float> memory[slots + 1];
    std::vector<std::vector<std::int32_t>> batches;   // ids of a batch without duplicates
    hand::buffer<float> gradients{count * Width};
    std::size_t turn = 0;

    explicit rows(bool beside_) : beside(beside_) {
        if (beside) memory[0] = hand::buffer<float>(table_rows * Width * (slots + 1));
        else
            for (auto& m : memory) m = hand::buffer<float>(table_rows * Width);
        for (std::size_t i = 0; i < count * Width; ++i) gradients[i] = float(hand::uniform(3, 1, i) - 0.5);
        for (std::uint64_t b = 0; b < 16; ++b) {
            auto ids = hand::zipf_ids(40 + b, 4 * count, std::int32_t(table_rows));
            std::sort(ids.begin(), ids.end());
            ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
            for (std::size_t i = 0; i < ids.size(); ++i) std::swap(ids[i], ids[hand::stream(5, b, i) % (i + 1)]);
            ids.resize(std::min(ids.size(), count));
            batches.push_back(std::move(ids));
        }
    }
    template<bool Beside>
    float* at(int slot, std::int32_t row) {
        if constexpr (Beside) return memory[0].data() + (std::size_t(row) * (slots + 1) + std::size_t(slot)) * Width;
        else return memory[slot].data() + std::size_t(row) * Width;
    }
    // The sum of the rows that occur, and their update.
    template<bool Beside, int Ahead>
    float step() {
        std::vector<std::int32_t> const& ids = batches[turn++ % batches.size()];
        auto const n = std::ptrdiff_t(ids.size());
        V sum{};
        for (std::ptrdiff_t k = 0; k < n; ++k) {
            if (Ahead > 0 && k + Ahead < n)
                for (int e = 0; e < Width; e += 16) hand::prefetch(at<Beside>(0, ids[k + Ahead]) + e);
            float const* const w = at<Beside>(0, ids[k]);
            for (int e = 0; e < Width; e += lanes) sum += V(*(M const*)(w + e));
        }
        float const* g = gradients;
        for (std::ptrdiff_t k = 0; k < n; ++k, g += Width) {
            if (Ahead > 0 && k + Ahead < n)
                for (int s = 0; s <= slots; ++s)
                    for (int e = 0; e < Width; e += 16) hand::prefetch(at<Beside>(s, ids[k + Ahead]) + e);
            float* p[slots + 1];
            for (int s = 0; s <= slots; ++s) p[s] = at<Beside>(s, ids[k]);
            for (int e = 0; e < Width; e += lanes) {
                V w = *(M const*)(p[0] + e), s[slots];
                for (int i = 0; i < slots; ++i) s[i] = *(M const*)(p[i + 1] + e);
                Rule::update(w, s, V(*(M const*)(g + e)));
                *(M*)(p[0] + e) = w;
                for (int i = 0; i < slots; ++i) *(M*)(p[i + 1] + e) = s[i];
            }
        }
        float all = 0;
        for (int i = 0; i < lanes; ++i) all += sum[i];
        return all;
    }
};

template<class Rule, int Width>
void of_width(bench::suite& suite, std::string const& title) {
    std::string const name = title + ", rows of " + std::to_string(Width);
    if (!suite.wanted(name)) return;
    auto const apart = std::make_unique<rows<Rule, Width>>(false), also = std::make_unique<rows<Rule, Width>>(false),
               beside = std::make_unique<rows<Rule, Width>>(true);
    for (int i = 0; i < 20; ++i) {
        float const a = apart->template step<false, 24>(), b = beside->template step<true, 24>(), c = also->template step<false, 0>();
        suite.agree(name, "the sum of step " + std::to_string(i), a, b, 0);
        suite.agree(name, "the sum of step " + std::to_string(i), a, c, 0);
    }
    auto const against = [&](std::string const& what, auto const& other) {
        suite.row(
            name + ", " + what, [&] { bench::keep(other()); }, [&] { bench::keep(apart->template step<false, 24>()); });
    };
    against("not fetched ahead", [&] { return also->template step<false, 0>(); });
    against("8 ahead", [&] { return also->template step<false, 8>(); });
    against("16 ahead", [&] { return also->template step<false, 16>(); });
    against("32 ahead", [&] { return also->template step<false, 32>(); });
    against("48 ahead", [&] { return also->template step<false, 48>(); });
    against("beside", [&] { return beside->template step<true, 24>(); });
}
template<class Rule>
void all_widths(bench::suite& suite, std::string const& title) {
    of_width<Rule, 4>(suite, title);
    of_width<Rule, 16>(suite, title);
    of_width<Rule, 64>(suite, title);
    of_width<Rule, 128>(suite, title);
}

// Whole steps of a trainer: rows next to their slots (left) and in separate tables (right).
namespace xg = xgrad;
template<int Width, class Rule>
void through_trainer(bench::suite& suite, std::string const& title, Rule const& rule) {
    std::string const name = title + ", rows of " + std::to_string(Width) + ", trainer, beside";
    if (!suite.wanted(name)) return;
    using by_hand = rows<momentum, Width>;
    static constexpr auto count = static_cast<std::int64_t>(by_hand::count), table_rows = static_cast<std::int64_t>(by_hand::table_rows);
    static constexpr auto ids = xg::input<"ids", std::int32_t, count>;
    static constexpr auto values = xg::input<"values", float, count, Width>;
    static constexpr auto table = xg::variable<"table", float, table_rows, Width>;
    static constexpr auto loss = xg::sum(xg::gather(table, ids) * values);
    auto apart = xg::minimize(loss, rule), beside = xg::minimize(loss, rule);
    xg::interleaved_rows step{beside};
    std::vector<std::vector<std::int32_t>> batches;
    for (std::uint64_t b = 0; b < 16; ++b) batches.push_back(hand::zipf_ids(40 + b, by_hand::count, std::int32_t(table_rows)));
    std::vector<float> gradients(by_hand::count * Width);
    for (std::size_t i = 0; i < gradients.size(); ++i) gradients[i] = float(hand::uniform(3, 1, i) - 0.5);
    std::size_t turns[2]{};
    auto const run = [&](auto& train, std::size_t& turn) {
        auto const& now = batches[turn++ % batches.size()];
        return train(ids = std::span(now), values = xg::array(gradients.data(), count, Width));
    };
    for (int i = 0; i < 20; ++i) suite.agree(name, "the loss", run(step, turns[0]), run(apart, turns[1]), 0);
    suite.row(
        name, [&] { bench::keep(run(step, turns[0])); }, [&] { bench::keep(run(apart, turns[1])); });
}

}   // namespace

int main(int argc, char** argv) {
    bench::suite suite(argc, argv, "layouts of rows");
    all_widths<momentum>(suite, "momentum");
    all_widths<adam>(suite, "Adam");
    xg::momentum const m{.learning_rate = 0.01, .momentum = 0.9};
    xg::lazy_adam const a{.learning_rate = 1e-3};
    through_trainer<2>(suite, "momentum", m);
    through_trainer<4>(suite, "momentum", m);
    through_trainer<8>(suite, "momentum", m);
    through_trainer<16>(suite, "momentum", m);
    through_trainer<64>(suite, "momentum", m);
    through_trainer<2>(suite, "lazy Adam", a);
    through_trainer<4>(suite, "lazy Adam", a);
    through_trainer<8>(suite, "lazy Adam", a);
    through_trainer<16>(suite, "lazy Adam", a);
    through_trainer<64>(suite, "lazy Adam", a);
    through_trainer<128>(suite, "lazy Adam", a);
    return suite.finish();
}
