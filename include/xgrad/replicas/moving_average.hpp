// SPDX-License-Identifier: MIT
// Moving averages of the variables that several workers train.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/local/local_model.hpp>
#include <xgrad/replicas/local/moved_variables.hpp>
#include <xgrad/replicas/replicable.hpp>

#include <algorithm>

XGRAD_NAMESPACE_BEGIN

struct moving_average_options {
    double decay = 0.9999;
    /// If true, the average forgets faster in the beginning: the decay of update n is min(decay, (1 + n) / (10 + n)), where n is the global
    /// step after it.
    bool num_updates = false;
};

/// Exponential averages of the trained variables of a trainer (contrib's MovingAverageOptimizer around replicas). They begin with the
/// variables at construction. After each update:
///
///     a ← a − (1 − d)(a − v)
///
/// The object is a function of the global step. Call it after each update:
///
///     xg::moving_average averages(train, {.decay = 0.999});
///     auto replicas = xg::sync_replicas(train, {.workers = 4, .on_update = std::ref(averages)});
///     xg::moving_average some(train, {.decay = 0.999}, w1, w2);   // only these variables
///
/// - *Types.* An average has the type in which the rule computes: float for variables of 16 bits.
/// - *Checkpoints.* The averages are listed in the variables' store as `v/ExponentialMovingAverage`, after the slots that were made before.
///   A checkpoint contains them if it is saved while this object exists, and must be restored while it exists. Save it in the thread that
///   calls this object.
///
/// Throws value_error if decay is not in [0, 1].
template<class Train>
class moving_average;
template<class P>
class moving_average<trainer<P>> {
    trainer<P>& train_;
    moving_average_options options_;
    detail::plan_updates updates_;
    sequence<bool> trained_;
    attached_state averages_;
    sequence<std::int64_t> elements_;   // of each update, at construction
    static constexpr slot_info slot[] = {"average"};

    template<class V>
    void choose(sequence<bool>& chosen) const {
        constexpr int step = [] {
            if constexpr (detail::is_variable<V>) return detail::step_parts<P>::update_of(info_of<V>->attrs.name_hash);
            else return -1;
        }();
        static_assert(step >= 0,
            "xgrad::moving_average(train, options, v...): a v is not a variable that this trainer updates; give variables that it "
            "updates");
        if constexpr (step >= 0) {
            constexpr int k = step - detail::step_parts<P>::second();
            if (!trained_.at[k])
                raise_parts<value_error>({"xgrad: moving_average: the variable \"", V::info.attrs.name,
                    "\" is assigned and not trained; remove it from the list"});
            chosen.at[k] = true;
        }
    }
    template<class T>
    T* of(int k) {
        return static_cast<T*>(averages_.find(averages_.store->index_of(updates_.variable(k).hash))->slots[0]);
    }
    /// Calls f(k, T(), M()) for the averaged variables.
    template<class F>
    void each(F const& f) {
        detail::each_moved(updates_, [&](int k, auto t, auto memory) {
            if (trained_.at[k]) f(k, t, memory);
        });
    }

public:
    /// Averages all variables that rules move, or only the named ones: TensorFlow's variables_to_average.
    template<class... V>
    explicit moving_average(trainer<P>& train, moving_average_options const& options = {}, V const&...)
        : train_(train), options_(options), updates_(detail::local_model<P>::updates_of(train)),
          trained_(detail::local_model<P>::trained(train)), averages_(step_driver::state(train).slots.store) {
        [[maybe_unused]] constexpr bool fits = detail::is_replicable<P>();
        if (!(options.decay >= 0 && options.decay <= 1))
            raise<value_error>("xgrad: moving_average: decay is outside of [0, 1]; write a number such as 0.99");
        if constexpr (sizeof...(V) > 0) {
            sequence<bool> chosen(trained_.count, false);
            (choose<V>(chosen), ...);
            trained_.swap(chosen);
        }
        sequence<stored_slots> list;
        for (int k = 0; k < updates_.steps().count(); ++k) {
            elements_.push(updates_.elements(k));
            if (trained_.at[k])
                list.push({averages_.store->index_of(updates_.variable(k).hash), 0, "ExponentialMovingAverage", "moving_average", false, 1,
                    slot, {}, {}});
        }
        averages_.create(list, averages_.store->variables());
        averages_.global_step = train.global_step();
        copy_from(train);
    }
    moving_average(moving_average const&) = delete;

    /// Takes the variables after the update to global step `step` into the averages. Throws binding_error if a variable has grown since
    /// construction.
    void operator()(std::int64_t step) {
        averages_.store->expect_no_run("moving_average(step)", store_access::read);
        double const n = static_cast<double>(step);
        double const decay = options_.num_updates ? std::min(options_.decay, (1 + n) / (10 + n)) : options_.decay;
        each([&](int k, auto, auto) { expect_size(k); });
        each([&]<class T, class M>(int k, T, M) {
            T* const average = of<T>(k);
            M const* const now = detail::data_of<M>(updates_.variable(k));
            simd::batch<T> const rest(static_cast<T>(1 - decay));
            detail::each_batch<T>(updates_.elements(k), [&](auto at) {
                auto const a = at.load(average);
                at.store(average, a - rest * (a - at.load(now)));
            });
        });
        averages_.global_step = step;
    }
    /// The average of a trained variable, in its shape. Throws binding_error if the variable is not averaged, or has grown since
    /// construction.
    template<Expr V>
    auto value(V const& v) {
        auto const shape = train_.value(v).shape();
        using element = cpp_type_t<computed_type(V::info.value.type)>;
        int found = -1;
        each([&](int k, auto, auto) { found = updates_.variable(k).hash == V::info.attrs.name_hash ? k : found; });
        if (found < 0) raise_parts<binding_error>({"xgrad: moving_average: the variable \"", V::info.attrs.name, "\" is not averaged"});
        expect_size(found);
        return tensor_view<element, V::rank>(of<element>(found), shape);
    }
    /// Copies the averages into the variables of the same names of another owner, for evaluation or saving. Throws binding_error if the
    /// owner lacks one of them in this size; nothing has been changed then.
    void copy_to(variable_owner& to) {
        averages_.store->expect_no_run("moving_average.copy_to(owner)", store_access::read);
        to.store().expect_no_run("moving_average.copy_to(owner)", store_access::change);
        check(to);
        each([&]<class T, class M>(int k, T, M) {
            M* const there = detail::data_of<M>(*to.store().find(updates_.variable(k).hash));
            detail::each_batch<T>(updates_.elements(k), [&](auto at) { at.store(there, at.load(of<T>(k))); });
        });
    }
    /// The inverse, to continue from saved averages.
    void copy_from(variable_owner const& from) {
        averages_.store->expect_no_run("moving_average.copy_from(owner)", store_access::read);
        from.store().expect_no_run("moving_average.copy_from(owner)", store_access::read);
        check(from);
        each([&]<class T, class M>(int k, T, M) {
            M const* const there = detail::data_of<M>(*from.store().find(updates_.variable(k).hash));
            detail::each_batch<T>(updates_.elements(k), [&](auto at) { at.store(of<T>(k), at.load(there)); });
        });
    }

private:
    void expect_size(int k) {
        if (updates_.elements(k) != elements_.at[k])
            raise_parts<binding_error>(
                {"xgrad: moving_average: the variable \"", updates_.variable(k).name, "\" has grown since this was made"});
    }
    void check(variable_owner const& other) {
        each([&](int k, auto, auto) {
            stored_variable const& v = updates_.variable(k);
            stored_variable const* const there = other.store().find(v.hash);
            if (there == nullptr || there->size != v.size || there->type != v.type || v.size != elements_.at[k])
                raise_parts<binding_error>(
                    {"xgrad: moving_average: the owner has no variable \"", v.name, "\" of the size that this was made for"});
        });
    }
};
template<class P, class... V>
moving_average(trainer<P>&, moving_average_options const& = {}, V const&...) -> moving_average<trainer<P>>;

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
