// SPDX-License-Identifier: MIT
// The state that workers with their own steps keep from run to run, for checkpoints.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/local/local_model.hpp>

#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

XGRAD_NAMESPACE_BEGIN

/// What the workers of agn, elastic_average, model_average, diloco or downpour need for their next run. It holds slots and scalars of the
/// rule, the number of the worker's steps, and residuals of a compression. Save it together with the trainer between two runs. The replicas
/// then continue from the checkpoint as if they had not been interrupted:
///
///     xg::save(train, path, {}, replicas.worker_state());
///     auto state = replicas.worker_state();      // of replicas with the same options
///     xg::restore(train, path, state);
///     replicas.set_worker_state(state);
class worker_state {
    std::string name_;
    std::size_t head_;                    // how many of the numbers must match on restore
    std::vector<std::int64_t> numbers_;   // these, then the bytes of each worker

public:
    /// The first `head` of the `numbers` identify the kind of workers.
    worker_state(std::string_view name, std::size_t head, std::vector<std::int64_t> numbers)
        : name_(name), head_(head), numbers_(std::move(numbers)) {}

    // Used by checkpoints: the state, its name in the file, and the way back.
    static constexpr std::string_view saved_as = "workers", broken = "is not a state of this number of workers, method, rule and variables";
    std::string_view name() const { return name_; }
    std::vector<std::int64_t> const& numbers() const { return numbers_; }
    worker_state blank() const {
        worker_state other = *this;
        std::fill(other.numbers_.begin() + static_cast<std::ptrdiff_t>(head_), other.numbers_.end(), 0);
        return other;
    }
    /// Replaces the numbers. Returns false, and changes nothing, if they are not of such workers.
    bool assign(std::span<std::int64_t const> numbers) {
        if (numbers.size() != numbers_.size() ||
            !std::equal(numbers_.begin(), numbers_.begin() + static_cast<std::ptrdiff_t>(head_), numbers.begin()))
            return false;
        numbers_.assign(numbers.begin(), numbers.end());
        return true;
    }
};

namespace detail {

/// Appends bytes to a list of numbers; each piece is padded to whole numbers.
struct state_writer {
    std::vector<std::int64_t>& to;
    static constexpr bool reads = false;

    void operator()(void const* data, std::size_t bytes) const {
        std::size_t const at = to.size();
        to.resize(at + (bytes + 7) / 8);
        if (bytes > 0) std::memcpy(to.data() + at, data, bytes);
    }
    template<class T>
    void operator()(T& number) const {
        (*this)(&number, sizeof number);
    }
};
/// Reads the same pieces back.
struct state_reader {
    std::int64_t const*& from;
    static constexpr bool reads = true;

    void operator()(void* data, std::size_t bytes) const {
        if (bytes > 0) std::memcpy(data, from, bytes);
        from += (bytes + 7) / 8;
    }
    template<class T>
    void operator()(T& number) const {
        (*this)(&number, sizeof number);
    }
};

/// Reads or writes what a worker of any method keeps from run to run.
template<class P, class Pass>
void pass_worker(local_model<P>& m, Pass const& pass) {
    optimizer_state& o = step_driver::state(m.train).slots;
    for (stored_slots const& s : o.all())
        for (int k = 0; k < s.slot_count; ++k) {
            stored_part const p = part_of(s, k, m.train.store().variables().at[s.variable]);
            pass(p.data, p.bytes());
        }
    pass(o.powers.at, static_cast<std::size_t>(o.powers.count) * sizeof(double));
    pass(o.global_step);
    pass(m.steps);
}
/// A hash of the variables, their sizes and types, and their rules. States of other trainers have other hashes.
template<class P>
std::int64_t layout_of(trainer<P> const& train, std::string_view method) {
    std::uint64_t h = hash_text(method);
    for (stored_slots const& s : train.optimizer().all()) {
        stored_variable const& v = train.store().variables().at[s.variable];
        h = hash_mix(hash_mix(hash_mix(h, v.hash), static_cast<std::uint64_t>(v.size)), static_cast<std::uint64_t>(v.type));
        h = hash_mix(hash_mix(h, hash_text(s.kind)), static_cast<std::uint64_t>(s.slot_count));
    }
    return static_cast<std::int64_t>(h);
}

template<class P, class Method, class Pass>
void pass_kept(typename Method::model& m, Pass const& pass) {
    pass_worker<P>(m, pass);
    if constexpr (requires { Method::keep(m, pass); }) Method::keep(m, pass);
}
/// The state of `count` workers. `model(k, here)` returns the model of worker k, or a new one after setting `here` to false.
template<class P, class Method, class Model>
worker_state state_of(trainer<P> const& centre, int count, Model const& model) {
    std::vector<std::int64_t> numbers{layout_of(centre, Method::name), count};
    std::size_t const head = numbers.size();
    for (int k = 0; k < count; ++k) {
        bool here = true;
        auto const m = model(k, here);
        numbers.push_back(here ? 1 : 0);
        pass_kept<P, Method>(*m, state_writer{numbers});
    }
    return {Method::name, head, std::move(numbers)};
}
/// The inverse: reads the state into `model(k, here)`. If nothing was saved for worker k, `here` is false and the model is discarded.
template<class P, class Method, class Model>
void read_state(worker_state const& s, int count, Model const& model) {
    std::int64_t const* at = s.numbers().data() + 2;
    for (int k = 0; k < count; ++k) {
        auto const m = model(k, *at++ != 0);
        pass_kept<P, Method>(*m, state_reader{at});
    }
}
[[noreturn]] inline void refuse_state(std::string_view method) {
    raise_parts<value_error>({"xgrad: ", method,
        ": set_worker_state(state): the state has another number of workers, method, rule or variables; make it by worker_state()"});
}

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
