// SPDX-License-Identifier: MIT
// A checkpoint in memory, for example of the best weights so far.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/io/checkpoint.hpp>

#include <vector>

XGRAD_NAMESPACE_BEGIN

namespace detail {

/// A copy of the tensors, steps and seed of a store.
class store_copy {
    struct kept_tensor {
        std::string name;
        dtype type;
        std::vector<std::int64_t> extents;
        std::size_t first, bytes;   // in memory_
    };
    std::vector<kept_tensor> tensors_;
    std::size_t variables_ = 0;   // the first ones of tensors_
    aligned_buffer<std::byte> memory_;
    std::uint64_t seed_ = 0;
    std::int64_t steps_ = 0;

    bool fits(stored_tensors const& now) const;
    static tensor_entry as_entry(kept_tensor const& t) {
        return {.name = t.name, .type = t.type, .rank = t.extents.size(), .extents = t.extents.data()};
    }

public:
    bool empty() const { return tensors_.empty(); }
    void take(variable_store& store);
    void give_back(variable_store& store, bool only_variables) const;
};

#if XGRAD_COMPILED != 1
XGRAD_COLD XGRAD_HOST bool store_copy::fits(stored_tensors const& now) const {
    bool same = static_cast<std::size_t>(now.list.count) == tensors_.size();
    for (int k = 0; same && k < now.list.count; ++k) {
        tensor_entry const& t = now.list.at[k];
        kept_tensor const& kept = tensors_[static_cast<std::size_t>(k)];
        same = t.name == kept.name && t.type == kept.type && t.rank == kept.extents.size() &&
               std::equal(kept.extents.begin(), kept.extents.end(), t.extents);
    }
    return same;
}
XGRAD_COLD XGRAD_HOST void store_copy::take(variable_store& store) {
    store.expect_no_run("snapshot.take(owner)", store_access::read);
    stored_tensors const now(store);
    if (!fits(now)) {
        std::vector<kept_tensor> tensors;
        std::size_t total = 0;
        for (auto const& t : now.list) {
            std::uint64_t bytes = 0;
            checked_bytes(t.extents, t.rank, size_of(t.type), bytes);
            tensors.push_back({std::string(t.name), t.type, {t.extents, t.extents + t.rank}, total, static_cast<std::size_t>(bytes)});
            total += static_cast<std::size_t>(bytes);
        }
        memory_.grow_to(total + 1);
        tensors_.swap(tensors);
        variables_ = static_cast<std::size_t>(now.variables);
    }
    for (std::size_t k = 0; k < tensors_.size(); ++k)
        if (tensors_[k].bytes != 0) std::memcpy(memory_.data() + tensors_[k].first, now.list.at[k].data, tensors_[k].bytes);
    seed_ = store.seed;
    steps_ = store.steps;
}
XGRAD_COLD XGRAD_HOST void store_copy::give_back(variable_store& store, bool only_variables) const {
    store.expect_no_run("snapshot.restore(owner)", only_variables ? store_access::change : store_access::step);
    if (empty()) raise_parts<checkpoint_error>({"xgrad::snapshot: nothing has been taken; call take(owner) first"});
    stored_tensors const now(store);
    std::size_t const count = only_variables ? variables_ : tensors_.size();
    int const here = only_variables ? now.variables : now.list.count;
    std::string wrong;
    std::vector<tensor_entry const*> to(count, nullptr);
    for (int n = 0; n < here; ++n) {
        tensor_entry const& t = now.list.at[n];
        std::size_t k = 0;
        while (k < count && tensors_[k].name != t.name) ++k;
        if (k == count) {
            append(wrong, {"\n  \"", t.name, "\" is ", tensor_kind(t), " here and missing in the snapshot"});
            continue;
        }
        to[k] = &t;
        if (tensor_entry const kept = as_entry(tensors_[k]); !same_kind(kept, t))
            append(wrong, {"\n  \"", t.name, "\" is ", tensor_kind(t), " here and ", tensor_kind(kept), " in the snapshot"});
    }
    for (std::size_t k = 0; k < count; ++k)
        if (to[k] == nullptr)
            append(wrong, {"\n  \"", tensors_[k].name, "\" is ", tensor_kind(as_entry(tensors_[k])), " in the snapshot and missing here"});
    if (!wrong.empty())
        raise_parts<checkpoint_error>({"xgrad::snapshot: restore: the owner does not fit; nothing has been changed:", wrong});
    for (std::size_t k = 0; k < count; ++k)
        if (tensors_[k].bytes != 0) std::memcpy(to[k]->data, memory_.data() + tensors_[k].first, tensors_[k].bytes);
    if (only_variables) return;
    store.seed = seed_;
    store.steps = steps_;
}
#endif

}   // namespace detail

/// A copy in memory of what save() writes: variables, slots, optimizer scalars, global step and seed of a trainer or xgrad::variables.
///
///     xg::snapshot best;
///     if (stop.update(validation_loss)) best.take(train);   // metrics::early_stopping
///     best.restore(train);
class snapshot {
    detail::store_copy copy_;

    template<class Owner>
    static constexpr bool check() {
        constexpr bool owns = requires(Owner& owner) { owner.store().variables(); };
        static_assert(owns, "xgrad::snapshot: the owner must be a trainer (minimize, apply_gradients) or xgrad::variables");
        return owns;
    }

public:
    /// Nothing is in it yet.
    snapshot() = default;
    template<class Owner>
    explicit snapshot(Owner& owner) {
        take(owner);
    }
    /// Copies the owner's state, in place of what was taken before. Allocates the first time, and where the owner has grown.
    template<class Owner>
    void take(Owner& owner) {
        if constexpr (check<Owner>()) copy_.take(owner.store());
    }
    /// Puts it back. Throws checkpoint_error if nothing has been taken, or if names, shapes or element types differ; nothing has been changed then.
    template<class Owner>
    void restore(Owner& owner) const {
        if constexpr (check<Owner>()) copy_.give_back(owner.store(), false);
    }
    /// Puts the variables back and leaves slots, steps and seed as they are, as Keras' restore_best_weights does. The owner may be another one
    /// with the same variables.
    template<class Owner>
    void restore(Owner& owner, variables_only_flag) const {
        if constexpr (check<Owner>()) copy_.give_back(owner.store(), true);
    }
    template<class R = void>
    void take() const {
        static_assert(!std::is_void_v<R>, "xgrad: snapshot.take(owner): the owner is missing; write best.take(train)");
    }
    template<class... A, class R = void>   // restore(), restore(variables_only, train)
    void restore(A const&...) const {
        static_assert(!std::is_void_v<R>,
            "xgrad: snapshot.restore(owner) takes an owner that is not const, then at most variables_only: best.restore(train)");
    }
    bool empty() const { return copy_.empty(); }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
