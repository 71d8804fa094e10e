// SPDX-License-Identifier: MIT
// Hand-written Adam, Adagrad and Ftrl (TensorFlow's forms): one vector, a dense array, and a table's touched rows with duplicates summed.
#pragma once

#include "data.hpp"
#include "vec.hpp"

#include <cmath>
#include <utility>

namespace hand {
inline namespace HAND_NAMESPACE {

/// Adam: m += (g - m)(1 - b1); v += (g^2 - v)(1 - b2); w -= a m / (sqrt(v) + e), a = rate sqrt(1 - b2^t) / (1 - b1^t).
struct adam {
    static constexpr int slots = 2;
    float rate = 1e-3f, beta1 = 0.9f, beta2 = 0.999f, epsilon = 1e-8f;
    double power1 = 1, power2 = 1;
    vf a, c1, c2, e;

    void begin() {   // once a step, before the first update
        power1 *= double(beta1);
        power2 *= double(beta2);
        a = set1<vf>(float(double(rate) * std::sqrt(1 - power2) / (1 - power1)));
        c1 = set1<vf>(1 - beta1);
        c2 = set1<vf>(1 - beta2);
        e = set1<vf>(epsilon);
    }
    HAND_INLINE void update(float* w, float* m, float* v, vf g) const {
        vf mo = loadf(m), vo = loadf(v);
        mo = fma(g - mo, c1, mo);
        vo = fma(fma(g, g, vf{} - vo), c2, vo);
        store<vf>(m, mo);
        store<vf>(v, vo);
        store<vf>(w, loadf(w) - a * mo / (sqrt(vo) + e));
    }
};

/// Adam with a gradient in [-clip, clip], after w *= keep, and a moving average of its result, x += (w - x) weight.
struct composed_adam : adam {
    static constexpr int slots = 3;
    static float start(int k, float w) { return k == 2 ? w : 0; }
    float clip = 0.05f, keep = 0.99f, weight = 0.001f;
    HAND_INLINE void update(float* w, float* m, float* v, float* x, vf g) const {
        g = max(min(g, set1<vf>(clip)), set1<vf>(-clip));
        vf mo = loadf(m), vo = loadf(v), wo = loadf(w) * set1<vf>(keep), xo = loadf(x);
        mo = fma(g - mo, c1, mo);
        vo = fma(fma(g, g, vf{} - vo), c2, vo);
        wo = wo - a * mo / (sqrt(vo) + e);
        store<vf>(m, mo);
        store<vf>(v, vo);
        store<vf>(w, wo);
        store<vf>(x, fma(wo - xo, set1<vf>(weight), xo));
    }
};

/// Adagrad: s += g^2; w -= rate g / sqrt(s). No epsilon; s starts at 0.1.
struct adagrad {
    static constexpr int slots = 1;
    float rate = 0.01f;
    static float start(int, float) { return 0.1f; }
    void begin() {}
    HAND_INLINE void update(float* w, float* s, vf g) const {
        vf so = fma(g, g, loadf(s));
        store<vf>(s, so);
        store<vf>(w, loadf(w) - set1<vf>(rate) * g / sqrt(so));
    }
};

/// The same with the processor's estimate of the root and one step of Newton's method.
struct fast_adagrad {
    static constexpr int slots = 1;
    float rate = 0.01f;
    static float start(int, float) { return 0.1f; }
    void begin() {}
    HAND_INLINE void update(float* w, float* s, vf g) const {
        vf so = fma(g, g, loadf(s)), y = rsqrt_estimate(so);
        y = fma(set1<vf>(0.5f) * y, fnma(so * y, y, set1<vf>(1)), y);
        store<vf>(s, so);
        store<vf>(w, fnma(set1<vf>(rate) * g, y, loadf(w)));
    }
};

/// Ftrl-proximal, learning_rate_power -0.5: n' = n + g^2; z += g - (sqrt(n') - sqrt(n)) / rate w;
/// w = |z| > l1 ? (sign(z) l1 - z) / (sqrt(n') / rate + 2 l2) : 0.
struct ftrl {
    static constexpr int slots = 2;
    float rate = 0.1f, l1 = 0.01f, l2 = 0.0f;
    static float start(int k, float) { return k == 0 ? 0.1f : 0; }
    void begin() {}
    HAND_INLINE void update(float* w, float* n, float* z, vf g) const {
        vf no = loadf(n), nn = fma(g, g, no), root = sqrt(nn), inverse = set1<vf>(1 / rate), limit = set1<vf>(l1);
        vf zn = loadf(z) + fnma((root - sqrt(no)) * inverse, loadf(w), g);
        store<vf>(n, nn);
        store<vf>(z, zn);
        vf x = (copysign(limit, zn) - zn) / fma(root, inverse, set1<vf>(2 * l2));
        store<vf>(w, where_greater(abs(zn), limit, x));
    }
};

/// One vector of the variable at w, its slots at the other pointers. A rule takes pointers, or the vectors themselves.
template<class Rule, class... Slot>
HAND_INLINE void update_at(Rule const& rule, vf g, float* w, Slot*... slot) {
    if constexpr (requires { rule.update(w, slot..., g); }) rule.update(w, slot..., g);
    else {
        vf x = loadf(w), s[sizeof...(Slot) + 1] = {loadf(slot)...};
        rule.update(x, s, g);
        store<vf>(w, x);
        vf const* next = s;
        (store<vf>(slot, *next++), ...);
    }
}

/// What slot k begins as, of a parameter w.
template<class Rule>
float start_of(int k, float w) {
    if constexpr (requires { Rule::start(k, w); }) return Rule::start(k, w);
    else return 0;
}

/// n parameters, gradients and slots, and one step over them in a loop of whole vectors. Both sides of a bench get the same parameters and
/// gradients.
template<class Rule>
struct dense_update {
    std::size_t n;
    Rule rule{};
    buffer<float> w, g, slot[Rule::slots == 0 ? 1 : Rule::slots];

    explicit dense_update(std::size_t count) : n(count), w(count + 64), g(count + 64) {
        for (auto& s : slot) s = buffer<float>(count + 64);
        for (std::size_t i = 0; i < n; ++i) {
            w[i] = float(0.1 * (2 * uniform(11, 0, i) - 1));
            g[i] = float(0.1 * (2 * uniform(11, 1, i) - 1));
            for (int k = 0; k < Rule::slots; ++k) slot[k][i] = start_of<Rule>(k, w[i]);
        }
    }
    void step() {
        constexpr auto all = std::make_index_sequence<static_cast<std::size_t>(Rule::slots)>{};
        rule.begin();
        if constexpr (requires { rule.settle(0.0, 0.0); }) reduce(all, rule, w, g, slot, n);
        run(all, rule, w, g, slot, (n + wf - 1) / wf * wf);
    }

private:
    /// Two sums over the variable before the step, of what `terms` adds: in float over 32 vectors, then in double.
    /// The elements after the last one are 0.
    template<std::size_t... K>
    [[gnu::noinline]] static void reduce(
        std::index_sequence<K...>, Rule& rule, float const* w, float const* g, buffer<float>* slot, std::size_t n) {
        Rule const r = rule;
        [[maybe_unused]] float const* const p[Rule::slots + 1] = {slot[K].data()...};
        double first = 0, second = 0;
        for (std::size_t from = 0; from < n; from += 32 * wf) {
            std::size_t const end = std::min(n, from + 32 * wf);
            vf a[4]{};
            for (std::size_t i = from; i < end; i += 2 * wf) {
                vf const s[Rule::slots + 1] = {loadf(p[K] + i)...}, t[Rule::slots + 1] = {loadf(p[K] + i + wf)...};
                r.terms(loadf(w + i), loadf(g + i), s, a[0], a[1]);
                r.terms(loadf(w + i + wf), loadf(g + i + wf), t, a[2], a[3]);
            }
            first += double(hsum(a[0] + a[2]));
            second += double(hsum(a[1] + a[3]));
        }
        rule.settle(first, second);
    }
    template<std::size_t... K>
    [[gnu::noinline]] static void run(
        std::index_sequence<K...>, Rule const& given, float* w, float const* g, buffer<float>* slot, std::size_t n) {
        Rule const r = given;
        [[maybe_unused]] float* const p[Rule::slots + 1] = {slot[K].data()...};
#pragma GCC unroll 2
        for (std::size_t i = 0; i < n; i += wf) update_at(r, loadf(g + i), w + i, (p[K] + i)...);
    }
};

/// Groups equal ids, in order of first occurrence, each group in order of position. Open addressing; an entry is id (32 bits), stamp of
/// the call (16), number of the group (16). So a new stamp empties the table, and one comparison finds whether an id is known.
/// Whether it is new cannot be predicted and does not branch. At most 65,535 ids a call.
class distinct_ids {
public:
    explicit distinct_ids(std::size_t n) : id_(n + 64), group_(n + 64), size_(n + 64), begin_(n + 64), order_(n + 64) {
        while ((std::size_t(1) << bits_) < 4 * n) ++bits_;
        table_ = buffer<std::uint64_t>(std::size_t(1) << bits_);
    }
    /// Group u holds the positions order()[begin()[u]] ... order()[begin()[u + 1] - 1]. Returns the number of groups.
    int find(std::int32_t const* ids, int n) {
        if (++stamp_ == 65536) {
            stamp_ = 1;
            std::fill_n(table_.data(), table_.size(), std::uint64_t(0));
        }
        std::uint64_t* const table = table_;
        std::int32_t *const first = id_, *const group = group_, *const size = size_, *const begin = begin_, *const order = order_;
        std::size_t const mask = (std::size_t(1) << bits_) - 1;
        std::uint64_t const stamp = stamp_;
        std::fill_n(size, n, 0);
        std::int32_t count = 0;
        for (int k = 0; k < n; ++k) {
            std::uint32_t const id = std::uint32_t(ids[k]);
            std::uint64_t const key = std::uint64_t(id) << 16 | stamp;
            std::size_t h = id * 0x9E3779B1u >> (32 - bits_);
            std::uint64_t entry = table[h];
            unsigned known, stop;
            for (;;) {
                known = entry >> 16 == key;
                stop = known | ((entry >> 16 & 65535) != stamp);
                asm("" : "+r"(stop));   // one branch, hardly ever taken
                if (stop) [[likely]]
                    break;
                h = (h + 1) & mask;
                entry = table[h];
            }
            std::uint32_t const old = 0u - known, u = (std::uint32_t(entry & 65535) & old) | (std::uint32_t(count) & ~old);
            table[h] = key << 16 | u;
            group[k] = std::int32_t(u);
            ++size[u];
            first[count] = ids[k];   // stays if it is new
            count += std::int32_t(1 - known);
        }
        std::int32_t sum = 0;
        for (std::int32_t u = 0; u < count; ++u) {
            begin[u] = sum;
            sum += size[u];
            size[u] = begin[u];
        }
        begin[count] = sum;
        for (int k = 0; k < n; ++k) order[size[group[k]]++] = k;
        return count;
    }
    /// The id of each group.
    std::int32_t const* id() const { return id_; }
    std::int32_t const* begin() const { return begin_; }
    std::int32_t const* order() const { return order_; }

private:
    int bits_ = 4;
    std::uint32_t stamp_ = 0;
    buffer<std::uint64_t> table_;
    buffer<std::int32_t> id_, group_, size_, begin_, order_;
};

/// One step on the rows of a table that `ids` name. First sums the gradients of equal ids (in order of occurrence), then applies Rule to
/// each touched row, fetched 24 rows ahead. Adam is the lazy form (touched rows only). A rule of rows, hand/row_rules.hpp, gets the row as
/// a whole, and may keep one number for each. Slots are in separate tables. row_layouts_bench.cpp measures rows next to their slots.
template<class Rule>
struct row_update {
    static constexpr int slots = Rule::slots, dim = 32, ahead = 24;
    /// Numbers of slot k for each row.
    static constexpr std::size_t width(int k) {
        if constexpr (requires { Rule::width(k); }) return Rule::width(k);
        else return dim;
    }
    std::int32_t rows;
    Rule rule;
    buffer<float> table, slot[2];                 // [rows][32]; slots [rows][width(k)]
    std::vector<std::vector<std::int32_t>> ids;   // several batches, used in turn, as new rows come in training
    buffer<float> gradients;                      // [8192][32]
    distinct_ids distinct;
    std::size_t turn = 0;

    explicit row_update(std::int32_t table_rows = 1000000, int batches = 16, std::size_t n = 8192)
        : rows(table_rows), table(std::size_t(table_rows) * dim), gradients(n * dim), distinct(n) {
        for (std::int32_t r = 0; r < rows; ++r)
            for (int d = 0; d < dim; ++d) weight(r)[d] = initial(r, d);
        for (int k = 0; k < slots; ++k) {
            slot[k] = buffer<float>(std::size_t(table_rows) * width(k));
            std::fill_n(slot[k].data(), slot[k].size(), start_of<Rule>(k, 0));
        }
        for (int i = 0; i < batches; ++i) ids.push_back(zipf_ids(21 + std::uint64_t(i), n, rows));
        for (std::size_t i = 0; i < n * dim; ++i) gradients[i] = float(0.1 * (2 * uniform(12, 1, i) - 1));
    }
    static float initial(std::int32_t r, int d) { return float((r * 7 + d * 3) % 101 - 50) * 0.001f; }
    float* weight(std::int32_t r) { return table.data() + std::size_t(r) * dim; }

    /// Returns the number of touched rows.
    int step() {
        std::vector<std::int32_t> const& batch = ids[turn++ % ids.size()];
        int const count = distinct.find(batch.data(), int(batch.size()));
        std::int32_t const *const id = distinct.id(), *const begin = distinct.begin(), *const order = distinct.order();
        rule.begin();
        Rule const r = rule;
        float *const w = table, *const first = slot[0], *const second = slot[1];
        float const* const values = gradients;
        for (int u = 0; u < count; ++u) {
            if (u + ahead < count) {
                std::size_t const next = std::size_t(id[u + ahead]);
                for (std::size_t e = 0; e < dim; e += 16) prefetch(w + next * dim + e);
                for (std::size_t e = 0; e < width(0); e += 16) prefetch(first + next * width(0) + e);
                if constexpr (slots == 2)
                    for (std::size_t e = 0; e < width(1); e += 16) prefetch(second + next * width(1) + e);
            }
            std::size_t const row = std::size_t(id[u]), at = row * dim;
            vf g[dim / wf];
            float const* const g0 = values + std::size_t(order[begin[u]]) * dim;
#pragma GCC unroll 8
            for (int c = 0; c < dim / wf; ++c) g[c] = loadf(g0 + c * wf);
            for (std::int32_t i = begin[u] + 1; i < begin[u + 1]; ++i) {
#pragma GCC unroll 8
                for (int c = 0; c < dim / wf; ++c) g[c] += loadf(values + std::size_t(order[i]) * dim + c * wf);
            }
            if constexpr (requires { r.update_row(w, first, second, g); }) {
                r.update_row(w + at, first + row * width(0), second + row * width(1), g);
            } else {
#pragma GCC unroll 8
                for (int c = 0; c < dim / wf; ++c)
                    if constexpr (slots == 2) r.update(w + at + c * wf, first + at + c * wf, second + at + c * wf, g[c]);
                    else r.update(w + at + c * wf, first + at + c * wf, g[c]);
            }
        }
        return count;
    }
};

}   // namespace HAND_NAMESPACE
}   // namespace hand
