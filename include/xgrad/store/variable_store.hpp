// SPDX-License-Identifier: MIT
// The memory of variables: at fixed addresses until a dimension grows, aligned, contiguous for variables of one element type.
// Trainers share it and keep their slots separately. Steps and functions borrow it.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/error.hpp>
#include <xgrad/core/arrays/owned.hpp>
#include <xgrad/store/held_rows.hpp>
#include <xgrad/store/store_visit.hpp>
#include <xgrad/store/sizes.hpp>

#include <algorithm>

XGRAD_NAMESPACE_BEGIN

/// The variables and the seed of one model, and the trainers that update them. The address of the store never changes.
/// The address of a variable changes only when a named dimension grows.
class variable_store {
    sequence<stored_variable> list_;
    sequence<bound_size> sizes_;
    aligned_buffer<std::byte> memory_;
    sequence<optimizer_state*> optimizers_;   // of trainers, in the order of their creation
    int generation_ = 0;
    mutable held_rows* held_ = nullptr;
    char const* run_ = nullptr;   // name of the run that updates the variables in several threads or ranks now
    std::int64_t runs_ = 0;

    [[noreturn]] void refuse_in_run(char const* call) const;
    // Sets extents and number of elements of a variable. Throws shape_error.
    static void measure(stored_variable& v, sequence<bound_size> const& sizes);
    static std::size_t lay_out(sequence<stored_variable>& list, std::byte* memory);

public:
    std::int64_t steps = 0;   // of all trainers: random streams continue with each step
    std::uint64_t seed = 0;
    // Number of all references, and of owners among them. Replicas add and remove references in several threads.
    mutable int shares = 0;
    int owners = 0;
    bool replaced = false;         // another object was assigned to its last owner
    mutable bool warned = false;   // whether it was warned that all variables are 0
    void share() const { __atomic_add_fetch(&shares, 1, __ATOMIC_RELAXED); }
    bool leave() const { return __atomic_sub_fetch(&shares, 1, __ATOMIC_ACQ_REL) == 0; }

    variable_store() = default;
    variable_store(variable_store const&) = delete;
    variable_store& operator=(variable_store const&) = delete;

    /// Makes the variables with these sizes of their named dimensions, each on a multiple of 64 bytes. Their extents
    /// are set here. All elements are zero. Throws shape_error.
    void create(sequence<stored_variable>& list, sequence<bound_size>& sizes);
    /// Sets larger sizes of named dimensions. Elements keep their index, also in the slots of all trainers.
    /// `fill(variable, element)` sets new elements of variables. All addresses change. Throws shape_error and
    /// std::bad_alloc; nothing has changed then.
    template<class Fill>
    void grow(sequence<bound_size>& sizes, Fill const& fill) {
        bring_back();
        sequence<stored_variable> wider(list_);
        for (int k = 0; k < list_.count; ++k) {
            measure(wider.at[k], sizes);
            for (int d = 0; d < wider.at[k].rank; ++d)
                if (wider.at[k].extents[d] < list_.at[k].extents[d])
                    raise_parts<shape_error>({"xgrad: grow: the variable \"", wider.at[k].name, "\" has ", list_.at[k].extents[d],
                        " elements along axis ", d, " and would have ", wider.at[k].extents[d], "; sizes can only grow"});
        }
        aligned_buffer<std::byte> memory(lay_out(wider, nullptr));
        lay_out(wider, memory.data());
        for (int k = 0; k < list_.count; ++k)
            move_elements(part_of(list_.at[k]), part_of(wider.at[k]), [&](std::int64_t i) { fill(wider.at[k], i); });
        for (auto* o : optimizers_) o->prepare_to_grow(list_, wider);
        for (auto* o : optimizers_) o->finish_growing();
        memory_.swap(memory);
        for (int k = 0; k < list_.count; ++k) list_.at[k] = wider.at[k];   // in place, because borrowers hold their addresses
        sizes_.swap(sizes);
        ++generation_;
    }
    /// The states of the trainers that share the store, in the order of their creation.
    sequence<optimizer_state*> const& optimizers() const { return optimizers_; }
    void attach(optimizer_state& o);
    void detach(optimizer_state const& o);
    /// The size of a named dimension of a variable, or -1.
    std::int64_t size_of_dimension(dim_info const& d) const { return size_in(sizes_, d, -1); }
    sequence<bound_size> const& sizes() const { return sizes_; }
    /// Changes when the variables get other addresses or are replaced. While rows are held elsewhere it is
    /// another number.
    int generation() const { return held_ == nullptr ? generation_ : ~generation_; }
    void replace() {
        replaced = true;
        ++generation_;
    }
    sequence<stored_variable> const& variables() const {
        bring_back();
        return list_;
    }
    /// Name and extents of a variable. Its rows may be outside the store.
    stored_variable const& declared(int k) const { return list_.at[k]; }
    /// From now on `h` holds rows of some variables, until variables are requested. Null: no rows are held.
    void hold(held_rows* h) const { held_ = h; }
    held_rows* held() const { return held_; }
    void bring_back() const {
        if (held_rows* const h = held_; h != nullptr) {
            held_ = nullptr;
            h->bring_back(*h);
        }
    }
    /// A run updates the variables from now on, until end_run(). Throws value_error if another run does.
    void begin_run(char const* name);
    void end_run() { __atomic_store_n(&run_, nullptr, __ATOMIC_RELEASE); }
    bool has_run() const { return __atomic_load_n(&run_, __ATOMIC_RELAXED) != nullptr; }
    /// The name of the current run, or null.
    char const* run() const { return __atomic_load_n(&run_, __ATOMIC_RELAXED); }
    /// The number of runs that have begun.
    std::int64_t run_count() const { return __atomic_load_n(&runs_, __ATOMIC_RELAXED); }
    /// Throws binding_error if a run updates the variables and does not permit this access to this thread. `call` is
    /// the name of the call.
    void expect_no_run(char const* call, store_access what) const {
        if (has_run() && !detail::store_visit::allows(*this, what)) refuse_in_run(call);
    }
    /// The memory of the variables. The memory of slots belongs to the optimizer states.
    aligned_buffer<std::byte> const& memory() const { return memory_; }
    /// The variable with this name hash, or null.
    stored_variable const* find(std::uint64_t hash) const {
        bring_back();
        int const at = index_of(hash);
        return at < 0 ? nullptr : &list_.at[at];
    }
    /// The number of the variable with this name hash, or -1.
    int index_of(std::uint64_t hash) const;
    /// The variable that an expression declares. Throws binding_error if no variable has that name, shape_error if its
    /// extents or element type differ.
    stored_variable const& at(std::string_view name, dtype type, int rank, std::int64_t const* extents) const;
};

/// A shared reference to a store; the last one deletes it. Like std::shared_ptr, which costs the compiler about a
/// hundred instantiations.
class shared_store {
    variable_store* store_;

public:
    shared_store();
    /// Refers to nothing, or to a store that another shared_store refers to.
    explicit shared_store(variable_store const* store) : store_(const_cast<variable_store*>(store)) {
        if (store_ != nullptr) store_->share();
    }
    shared_store(shared_store const& o) : store_(detail::still_there(o.store_)) { store_->share(); }
    shared_store(shared_store&& o) noexcept : store_(o.store_) { o.store_ = nullptr; }
    shared_store& operator=(shared_store o) noexcept {
        variable_store* const other = store_;
        store_ = o.store_;
        o.store_ = other;
        return *this;
    }
    ~shared_store();
    explicit operator bool() const { return store_ != nullptr; }
    variable_store& operator*() const { return *detail::still_there(store_); }
    variable_store* operator->() const { return detail::still_there(store_); }
};
/// The reference of an owner. If another object is assigned to the last owner, functions that read its variables report
/// that.
class owned_store : public shared_store {
public:
    owned_store() { enter(); }
    explicit owned_store(owned_store const& o) : shared_store(o) { enter(); }
    owned_store(owned_store&&) noexcept = default;
    owned_store& operator=(owned_store&& o) noexcept {
        if (this == &o) return *this;
        if (*this && leave()) (*this)->replace();
        shared_store::operator=(static_cast<shared_store&&>(o));
        return *this;
    }
    ~owned_store() {
        if (*this) leave();
    }

private:
    void enter() { __atomic_add_fetch(&(*this)->owners, 1, __ATOMIC_RELAXED); }
    bool leave() { return __atomic_sub_fetch(&(*this)->owners, 1, __ATOMIC_ACQ_REL) == 0; }
};

/// Optimizer state in the list of a store. It keeps the store alive.
struct attached_state : optimizer_state {
    shared_store store;
    int shares = 1;   // number of trainers that share this optimizer

    explicit attached_state(shared_store const& s);
    ~attached_state();
};

/// A shared reference to such a state; the last one deletes it. Trainers with same_optimizer share their slots by it.
class shared_slots {
    attached_state* state_;

public:
    explicit shared_slots(shared_store const& s) : state_(new attached_state(s)) {}
    shared_slots(shared_slots const& o) : state_(o.state_) { ++state_->shares; }
    shared_slots& operator=(shared_slots const&) = delete;
    ~shared_slots() {
        if (--state_->shares == 0) delete state_;
    }
    attached_state& operator*() const { return *state_; }
};

#if XGRAD_COMPILED != 1
XGRAD_COLD XGRAD_HOST void variable_store::measure(stored_variable& v, sequence<bound_size> const& sizes) {
    constexpr double most = 0x1p47;   // elements: more than there are addresses, and sums of sizes do not overflow
    double elements = 1;
    v.size = 1;
    for (int d = 0; d < v.rank; ++d) {
        elements *= std::max(1.0, rough_extent_at(v.shape[d], sizes, -1));
        if (elements > most)
            raise_parts<shape_error>(
                {"xgrad: the variable \"", v.name, "\" has more elements with these sizes of its named dimensions than any memory holds"});
        v.extents[d] = extent_at(v.shape[d], sizes, -1);
        if (v.extents[d] < 0)
            raise_parts<shape_error>({"xgrad: the variable \"", v.name, "\": axis ", d, " has extent ", v.extents[d],
                " with these sizes of its named dimensions"});
        v.size *= v.extents[d];
    }
}
XGRAD_COLD XGRAD_HOST std::size_t variable_store::lay_out(
    sequence<stored_variable>& list, std::byte* memory) {   // returns the number of bytes; if memory is given, also sets the addresses
    std::size_t total = 0;
    sequence<bool> done(list.count, false);
    for (int i = 0; i < list.count; ++i)
        for (int k = i; !done.at[i] && k < list.count; ++k) {
            stored_variable& v = list.at[k];
            if (v.type != list.at[i].type) continue;
            done.at[k] = k > i;
            if (memory != nullptr) v.data = memory + total;
            total += (static_cast<std::size_t>(v.size) * size_of(v.type) + 63) / 64 * 64;
        }
    return total + 64;
}
XGRAD_COLD XGRAD_HOST void variable_store::create(sequence<stored_variable>& list, sequence<bound_size>& sizes) {
    for (auto& v : list) measure(v, sizes);
    list_.swap(list);
    sizes_.swap(sizes);
    memory_ = aligned_buffer<std::byte>(lay_out(list_, nullptr));
    lay_out(list_, memory_.data());
}
XGRAD_COLD XGRAD_HOST void variable_store::begin_run(char const* name) {
    char const* other = nullptr;
    if (!__atomic_compare_exchange_n(&run_, &other, name, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        raise_parts<value_error>({"xgrad: ", name, ": a run of ", other,
            " moves these variables; begin another one when its run(work) has returned, or with a trainer of other variables"});
    __atomic_add_fetch(&runs_, 1, __ATOMIC_RELAXED);
}
[[noreturn]] XGRAD_COLD XGRAD_HOST void variable_store::refuse_in_run(char const* call) const {
    char const* const name = run();
    raise_parts<binding_error>({"xgrad: ", call, ": a run of ", name == nullptr ? "replicas" : name,
        " moves these variables; read them in on_update or with_variables(f), and step or change them when run(work) has returned"});
}
XGRAD_COLD XGRAD_HOST void variable_store::attach(optimizer_state& o) {
    expect_no_run("a trainer of these variables is made", store_access::read);
    optimizers_.push(&o);
}
XGRAD_COLD XGRAD_HOST void variable_store::detach(optimizer_state const& o) {
    int left = 0;
    for (auto* other : optimizers_)
        if (other != &o) optimizers_.at[left++] = other;
    optimizers_.count = left;
}
XGRAD_HOST int variable_store::index_of(std::uint64_t hash) const {
    for (int k = 0; k < list_.count; ++k)
        if (list_.at[k].hash == hash) return k;
    return -1;
}
XGRAD_COLD XGRAD_HOST stored_variable const& variable_store::at(
    std::string_view name, dtype type, int rank, std::int64_t const* extents) const {
    auto const* v = find(hash_text(name));
    if (v == nullptr)
        raise_parts<binding_error>({"xgrad: there is no variable \"", name, "\" in this store; it has ",
            detail::names_text(list_, [](stored_variable const& each) { return each.name; })});
    bool same = v->type == type && v->rank == rank;
    for (int d = 0; same && d < rank; ++d) same = v->extents[d] == extents[d];
    if (!same)
        raise_parts<shape_error>({"xgrad: the variable \"", name,
            "\" has another shape or element type in the store than in this expression: ", to_string(v->type),
            detail::shape_text(v->extents, static_cast<std::size_t>(v->rank)), " there, ", to_string(type),
            detail::shape_text(extents, static_cast<std::size_t>(rank)), " here"});
    return *v;
}
XGRAD_COLD XGRAD_HOST shared_store::shared_store() : store_(new variable_store) { store_->share(); }
XGRAD_COLD XGRAD_HOST shared_store::~shared_store() {
    if (store_ != nullptr && store_->leave()) delete store_;
}
XGRAD_COLD XGRAD_HOST attached_state::attached_state(shared_store const& s) : store(s) { store->attach(*this); }
XGRAD_COLD XGRAD_HOST attached_state::~attached_state() { store->detach(*this); }
#endif

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
