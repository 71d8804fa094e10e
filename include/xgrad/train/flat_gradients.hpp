// SPDX-License-Identifier: MIT
// The variables that a step moves as one vector of double, and their gradients, between the two parts of a step, as another one.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/batch.hpp>
#include <xgrad/core/random.hpp>
#include <xgrad/run/kept_gradients.hpp>
#include <xgrad/train/step_driver.hpp>

#include <cmath>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// Σ a[i] b[i]. The vectors are whole cache lines.
inline double dot(double const* a, double const* b, std::int64_t n) {
    using V = simd::batch<double>;
    constexpr std::int64_t width = static_cast<std::int64_t>(V::size);
    V sums[2]{V(0), V(0)};
    for (std::int64_t i = 0, k = 0; i < n; i += width, k ^= 1) sums[k] += simd::load_aligned(a + i) * simd::load_aligned(b + i);
    return simd::sum(sums[0] + sums[1]);
}
/// y ← c y + a x.
inline void scale_and_add(double* y, double c, double a, double const* x, std::int64_t n) {
    using V = simd::batch<double>;
    for (std::int64_t i = 0; i < n; i += static_cast<std::int64_t>(V::size))
        simd::store_aligned(y + i, V(c) * simd::load_aligned(y + i) + V(a) * simd::load_aligned(x + i));
}
inline double largest(double const* x, std::int64_t n) {
    double most = 0;
    for (std::int64_t i = 0; i < n; ++i) most = std::max(most, std::abs(x[i]));
    return most;
}

}   // namespace detail

/// The variables that the rules of a trainer move, concatenated to one vector of double, and their gradients as another vector.
///
///     xg::flat_gradients flat{train};
///     std::vector<double> g(flat.measure());
///     train.compute_gradients(x = images, y = labels);
///     flat.read_gradients(g.data());
///     // ... changes g
///     flat.write_gradients(g.data());
///     train.apply_gradients();
///
/// Vectors have measure() elements. They are double so that conversions of floats and sums of them lose nothing. The trainer must
/// outlive it.
class flat_gradients {
    struct part {
        stored_variable const* variable;
        int step;
        std::int64_t first;
    };
    runner const& run_;
    kept_gradients<runner> const& kept_;
    sequence<part> parts_;
    std::int64_t size_ = 0;

    void gather(part const& p, double* to) const {
        planner::plan_step const& s = run_.plan().steps[p.step];
        step_arguments const& a = kept_.arguments()[p.step];
        visit_floating(s.type, [&]<class T>(std::type_identity<T>) {
            auto const* from = reinterpret_cast<T const*>(kept_.data(p.step, 0));
            if (!s.sparse) {
                for (std::int64_t i = 0; i < p.variable->size; ++i) to[i] = static_cast<double>(from[i]);
                return;
            }
            auto const scatter = [&](auto const* rows) {   // rows that occur several times are added
                for (std::int64_t k = 0; k < a.extent[0]; ++k)
                    for (std::int64_t i = 0; i < a.inner; ++i) to[rows[k] * a.inner + i] += static_cast<double>(*from++);
            };
            std::fill_n(to, p.variable->size, 0.0);
            if (s.index_type == dtype::int32) scatter(reinterpret_cast<std::int32_t const*>(kept_.data(p.step, 1)));
            else scatter(reinterpret_cast<std::int64_t const*>(kept_.data(p.step, 1)));
        });
    }

public:
    template<class P>
    explicit flat_gradients(trainer<P>& train)
        : flat_gradients(step_driver::state(train).run, step_driver::state(train).gradients, train.store(),
              [&](int group) { return step_driver::state(train).groups.at[group].record->trains; }) {}
    /// Takes the updates of groups for which `moves(group)` is true. The runner must have borrowed its variables from the store.
    template<class Moves>
    flat_gradients(runner const& run, kept_gradients<runner> const& kept, variable_store const& store, Moves const& moves)
        : run_(run), kept_(kept) {
        runtime_plan const& plan = run.plan();
        for (int i = planner::first_update(plan);
             i < plan.step_count && planner::facts_of(plan.steps[i].kind).updates_variable && !planner::reads_new(plan, plan.steps[i]); ++i)
            if (moves(plan.steps[i].group)) parts_.push({store.find(plan.variables[plan.steps[i].variable].hash), i, 0});
    }
    /// The length of the vectors for the current variables, rounded up to a multiple of 8. The elements after the last variable
    /// are not touched. Call it again after a variable has grown.
    std::int64_t measure() {
        size_ = 0;
        for (part& p : parts_) {
            p.first = size_;
            size_ += p.variable->size;
        }
        return (size_ + 7) / 8 * 8;
    }
    /// A number that depends on the variables, their order and their sizes.
    std::uint64_t layout() const {
        std::uint64_t all = 0;
        for (part const& p : parts_) all = mix_bits(mix_bits(all ^ p.variable->hash) + static_cast<std::uint64_t>(p.variable->size));
        return all;
    }
    /// Calls f(variable, index of its first element), in the order of the vectors.
    template<class F>
    void each(F const& f) const {
        for (part const& p : parts_) f(*p.variable, p.first);
    }
    /// x ← variables.
    void read_variables(double* x) const {
        for (part const& p : parts_)
            visit(p.variable->type, [&]<class T>(std::type_identity<T>) {
                for (std::int64_t i = 0; i < p.variable->size; ++i)
                    x[p.first + i] = static_cast<double>(static_cast<T const*>(p.variable->data)[i]);
            });
    }
    /// variables ← x + t d, rounded once.
    void write_variables(double const* x, double t, double const* d) const {
        for (part const& p : parts_)
            visit(p.variable->type, [&]<class T>(std::type_identity<T>) {
                auto* const to = static_cast<T*>(p.variable->data);
                for (std::int64_t i = p.first, k = 0; k < p.variable->size; ++i, ++k) to[k] = narrow_to<T>(t == 0 ? x[i] : x[i] + t * d[i]);
            });
    }
    /// g ← gradients, after compute_gradients(). A sparse gradient is written as the dense one. Returns false if an element is
    /// not finite.
    bool read_gradients(double* g) const {
        for (part const& p : parts_) gather(p, g + p.first);
        bool finite = true;
        for (std::int64_t i = 0; i < size_; ++i) finite = finite && std::isfinite(g[i]);
        return finite;
    }
    /// gradients ← g, rounded once, before apply_gradients(). Throws binding_error if a gradient is sparse: it has only the rows
    /// that occur.
    void write_gradients(double const* g) const {
        for (part const& p : parts_)
            if (run_.plan().steps[p.step].sparse)
                raise_parts<binding_error>({"xgrad: flat_gradients.write_gradients(g): the gradient of the variable \"", p.variable->name,
                    "\" has only the rows that occur; read the variable as a whole, or change train.gradient(v) in place"});
        for (part const& p : parts_)
            visit_floating(run_.plan().steps[p.step].type, [&]<class T>(std::type_identity<T>) {
                auto* const to = reinterpret_cast<T*>(kept_.data(p.step, 0));
                for (std::int64_t i = 0; i < p.variable->size; ++i) to[i] = narrow_to<T>(g[p.first + i]);
            });
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
