// SPDX-License-Identifier: MIT
// Binds a plan to memory: sizes of named dimensions, the arena, and the addresses that kernels read. Everything is checked before
// anything runs. Include runner.hpp instead of this file; the bodies of the functions are there, in runner_checks.hpp
// and in runner_results.hpp.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/aligned_buffer.hpp>
#include <xgrad/backend/flush_denormals.hpp>
#include <xgrad/core/arrays/array.hpp>
#include <xgrad/core/error.hpp>
#include <xgrad/run/result_memory.hpp>
#include <xgrad/run/runtime_plan.hpp>
#include <xgrad/run/status.hpp>
#include <xgrad/run/stored_extents.hpp>
#include <xgrad/store/variable_store.hpp>
#include <xgrad/kernels/arguments.hpp>
#include <xgrad/sparse/check_indices.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

XGRAD_NAMESPACE_BEGIN

/// Runs the steps of a plan on the arrays of its calls. Functions, trainers and the bodies of loops each have one.
class runner {
    struct patch {   // an operand that points into an input
        int operand, input;
        std::int64_t bytes;
    };
    runtime_plan plan_;
    aligned_buffer<std::byte> arena_, scratch_;
    // The bytes of scratch_ before the memory of steps that keep something from iteration to iteration, and before groups of indices.
    // Each other step may use the first ones.
    std::size_t shared_scratch_ = 0, steps_scratch_ = 0;
    sequence<step_arguments> steps_;
    sequence<operand_argument> operands_;
    sequence<double> params_;
    sequence<std::int64_t> values_;   // of the polynomials
    sequence<std::int64_t> block_at_;
    sequence<bound_size> dims_, trial_;
    // Of each dimension: the variable whose owner defines its size, or null if a call defines it.
    sequence<leaf_info const*> holders_;
    sequence<patch> patches_;
    result_memory results_;
    sequence<stored_variable const*> variables_;
    optimizer_state const* written_ = nullptr;   // the slots, if the plan updates variables
    struct owned_runners : sequence<runner*> {
        ~owned_runners() {
            for (runner* r : *this) delete r;
        }
    };
    owned_runners bodies_;                    // of steps over bodies
    variable_store const* store_ = nullptr;   // of the variables, if the plan has any
    int generation_ = 0;                      // of the variables' addresses
    call_fault fault_{};
    bool laid_out_ = false, bad_index_ = false, in_use_ = false, called_ = false, warned_ = false;
    // Findings of the last check, for the message.
    call_findings found_;

    std::int64_t value(short polynomial) const { return values_.at[polynomial]; }

    void add_dim(dim_info const& d);
    void collect_dims();
    // Evaluates the polynomials and the offsets of the arena's blocks. Returns the size of the arena in bytes.
    // Returns the maximum of size_t if a size does not fit into 62 bits.
    std::size_t evaluate();
    static std::size_t padded(std::size_t bytes) { return (bytes + 63) / 64 * 64; }
    std::size_t scratch_of(planner::step_operand const& o) const {
        return o.base != planner::step_operand::where::scratch ? 0 : padded(static_cast<std::size_t>(value(o.inner)) * size_of(o.type));
    }
    // Sets extents and parameters of the steps.
    void size_steps();
    // Scratch memory of a step: unused outputs, then the memory that the kernel requests.
    std::size_t scratch_of_step(int i) const;
    std::size_t scratch_bytes();
    // Whether step i is a product whose right factor is the same in all iterations of the loop whose body this is.
    bool has_fixed_factor(int i) const {
        planner::plan_step const& s = plan_.steps[i];
        if (plan_.fixed_inputs == 0 || !planner::facts_of(s.kind).in_tiles) return false;
        planner::step_operand const& o = plan_.operands[s.first_operand + s.read_count + 1];
        return o.base == planner::step_operand::where::input && (plan_.fixed_inputs >> o.index & 1) != 0;
    }
    std::size_t share_groups(std::byte* memory) { return plan_.share_groups == nullptr ? 0 : plan_.share_groups(*this, memory); }
    // Sets everything that depends only on the sizes of named dimensions.
    void lay_out();
    std::byte* address(planner::step_operand const& o, std::int64_t bytes) {
        using where = planner::step_operand::where;
        switch (o.base) {
        case where::buffer: return arena_.data() + block_at_.at[plan_.buffers[o.index].place] + bytes;
        case where::variable: return static_cast<std::byte*>(variables_.at[o.index]->data) + bytes;
        default: return nullptr;
        }
    }
    // Allocates memory for the sizes in dims_. Throws std::bad_alloc; then the old memory is still valid.
    bool make_room(bool grow);
    // Checks that no extent is negative with the sizes in dims_.
    status check_extents();
    // The body of a loop takes the sizes of the loop's program.
    XGRAD_RARE void take_sizes(sequence<bound_size> const& from) {
        for (bound_size& d : dims_) d.size = find_size(from, *d.info)->size;
        laid_out_ = false;
    }
    // Exchanges dims_ and trial_ until the end of the scope, or permanently if `keep` is set.
    struct trial {
        runner& of;
        bool keep = false;
        explicit trial(runner& r) : of(r) {
            of.dims_.swap(of.trial_);
            of.laid_out_ = false;
        }
        trial(trial const&) = delete;
        XGRAD_RARE ~trial() {
            if (keep) return;
            of.dims_.swap(of.trial_);
            of.evaluate();
        }
    };

    bool is_written(void const* p) const {
        return arena_.holds(p) || (written_ != nullptr && (store_->memory().holds(p) || written_->memory().holds(p)));
    }
    status follow() {
        return store_ == nullptr || (store_->generation() == generation_ && !store_->has_run()) ? status{} : follow_growth();
    }
    // Follows variables that have grown. Variables with fixed extents in the plan must still have these extents.
    status follow_growth();
    // Reads sizes and addresses of the variables again.
    void connect();

    status check(array_ref const* in, std::uint64_t const* given);
    // Whether all n numbers of an input are in the range that an operation requires.
    bool check_numbers(leaf_info const& leaf, array_ref const& a, std::int64_t n);
    // The number of rows that indices of an input may name, or -1 if it has no indices.
    std::int64_t index_limit(int input) const;
    // Whether all n indices of an input are at least 0 and below the limit.
    bool check_indices(leaf_info const& leaf, array_ref const& a, std::int64_t n, std::int64_t limit);
    // Warns before the first call if several matrices and everything else that is trained are 0: initialize was probably forgotten.
    void warn_of_zeros() const;
    // The number of elements of a result with the sizes in trial_, or -1 if such a result is impossible.
    std::int64_t trial_elements(leaf_info const& result) const;
    status check_results(array_ref const* in, array_ref const* out);
    bool fits(leaf_info const& result, array_ref const& array);
    // Finds the buffers that are whole results, with the sizes that are being laid out.
    void choose_results();
    void point_results(array_ref const* out);
    std::int64_t elements(leaf_info const& result) const {
        std::int64_t n = 1;
        for (int d = 0; d < result.rank; ++d) n *= value(result.extents[d]);
        return n;
    }

public:
    /// Updates with the same indices share the groups of these indices. Returns the bytes needed.
    /// With `memory` = nullptr it only computes them.
    static std::size_t share_groups(runner& of, std::byte* memory);

    random_state random{};
    bool flush = false;   // denormals are treated as zero during a call

    explicit runner(runtime_plan const& plan);
    runner(runner const&) = delete;
    ~runner();
    runner& operator=(runner const&) = delete;

    /// Finds variables by name. Extents and types must be those of the plan. The store must outlive the runner if the plan has variables.
    void borrow(variable_store const& store);
    /// The slots of the variables that the plan updates. They must outlive the runner.
    void borrow_slots(optimizer_state const& slots) { written_ = &slots, connect(); }
    /// Sets the scalars of a step for the rule of a group, for variables of one element type.
    void set_scalars(int group, dtype type, void const* scalars);

    /// A call, from its check to its end. With XGRAD_CHECKS it is false if another thread is in a call of this runner.
    class sole_call {
        runner* of_;

    public:
        explicit sole_call(runner& r) : of_(&r) {
            if constexpr (XGRAD_CHECKS != 0)
                if (__atomic_exchange_n(&r.in_use_, true, __ATOMIC_ACQUIRE)) of_ = nullptr;
        }
        sole_call(sole_call const&) = delete;
        ~sole_call() {
            if constexpr (XGRAD_CHECKS != 0)
                if (of_ != nullptr) __atomic_store_n(&of_->in_use_, false, __ATOMIC_RELEASE);
        }
        explicit operator bool() const { return of_ != nullptr; }
    };

    /// Checks the inputs, binds named dimensions and sets addresses. Allocates only if a dimension exceeds the reserved size and `grow` is
    /// set. `out`: an array for each result that is not a scalar. This requires want_results() before and copy_results() after the steps.
    status bind(array_ref const* in, std::uint64_t const* given, bool grow, array_ref const* out = nullptr);
    /// Allows arrays for results in later calls.
    void want_results() {
        if (results_.wanted) return;
        results_.want(plan_);
        laid_out_ = false;
    }
    /// Copies results that are not whole buffers to the arrays of the call.
    void copy_results();
    /// Sets the inputs of a body for one run.
    void point_inputs(std::byte* const* in) {
        for (auto const& p : patches_) operands_.at[p.operand].data = in[p.input] + p.bytes;
        bad_index_ = false;
    }
    /// Calls f(input, address, bytes) for each operand that points into an input of a body: the operand's address, to be set,
    /// and its distance from the first element. Call it before the first run of a call.
    template<class F>
    void each_use_of_inputs(F const& f) {
        for (auto const& p : patches_) f(p.input, operands_.at[p.operand].data, p.bytes);
        bad_index_ = false;
    }
    /// Sets the memory of the results of a body for one run. Results that are not whole buffers stay where output() finds them.
    void lend_results(std::byte* const* to);
    /// The results of a body are in its own memory again.
    void take_back_results();
    /// The array that holds output k, alone or with others, or -1; see place_result.
    int array_of_result(int k) const { return results_.takes(plan_.outputs[k]) ? results_.array_of[plan_.outputs[k].index] : -1; }
    std::byte* memory_of_array(int array) const { return results_.given[array]; }
    /// Lets the results that this array holds be written to `to`.
    void place_result(int array, std::byte* to) {
        results_.given[array] = to;
        for (auto const& p : results_.patches)
            if (p.array == array) operands_.at[p.operand].data = to + p.bytes;
    }
    /// Lets one input of a body be read from `at`.
    void place_input(int input, std::byte* at) {
        for (auto const& p : patches_)
            if (p.input == input) operands_.at[p.operand].data = at + p.bytes;
    }
    /// What the next iterations do with copies of the right factors that are the same in all of them.
    void use_panels(panel_use how) {
        if (plan_.fixed_inputs == 0) return;
        for (int i = 0; i < plan_.step_count; ++i)
            if (has_fixed_factor(i)) steps_.at[i].panels = how;
    }
    /// Allocates memory for the given sizes, so that calls up to these sizes do not allocate.
    /// Sizes that shrink as a dimension grows are taken at the given value. Throws value_error for a negative size or more
    /// memory than can be addressed, binding_error for an unknown dimension, and std::bad_alloc.
    void reserve(dim_size const* sizes, int count);
    [[noreturn]] void fail(status const& s);
    /// The status of an index that a step has found, with the name of the input that has it.
    status find_index(call_fault const& f);
    /// Throws binding_error if no call has been bound yet: there are no results.
    void require_call() const {
        if (!called_) raise<binding_error>("xgrad: result(): there is no result yet, because no call of this object has succeeded");
    }
    step_arguments const* arguments() const { return steps_.at; }
    /// Why run_steps has ended early.
    status failure() {
        call_fault const f = take_fault();
        if (f.name.empty()) {
            found_.operation = {};
            return {status_code::index_out_of_range, {}};
        }
        if (f.is_number) {
            found_.offset = f.found;
            found_.expected = f.most;
            found_.number = f.number;
            return {status_code::number_not_finite, f.name};
        }
        found_.found = f.found;
        found_.expected = f.most;
        if (f.index != nullptr) return find_index(f);
        return {status_code::turns_out_of_range, f.name};
    }
    /// What has ended the last run, if it has a name.
    call_fault take_fault() { return std::exchange(fault_, {}); }
    /// Runs all steps. Returns false if an index or the number of iterations of a loop was out of range, or a check failed; see failure().
    bool run_all() const { return run_steps(steps_.at, 0, plan_.step_count); }
    runtime_plan const& plan() const { return plan_; }
    int generation() const { return generation_; }   // of the addresses in the arguments
    std::size_t arena_bytes() const {                // including the bodies of loops
        std::size_t n = arena_.size();
        for (runner const* body : bodies_) n += body->arena_bytes();
        return n;
    }

    void const* output(int k) {
        planner::step_operand const& o = plan_.outputs[k];
        std::int64_t const bytes = value(o.offset) * static_cast<std::int64_t>(size_of(o.type));
        return results_.lent && results_.takes(o) ? results_.given[results_.array_of[o.index]] + bytes : address(o, bytes);
    }
    std::int64_t output_extent(int k, int axis) const { return value(plan_.output_shapes[k].extents[axis]); }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
