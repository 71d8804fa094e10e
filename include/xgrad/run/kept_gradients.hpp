// SPDX-License-Identifier: MIT
// The gradients of a step that runs in two parts: where they are stored between the parts, for reading and writing.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/plan/extent_pool.hpp>
#include <xgrad/plan/plan.hpp>
#include <xgrad/run/runner.hpp>

#include <algorithm>
#include <limits>

XGRAD_NAMESPACE_BEGIN

/// A callback for the progress of the first part.
/// `call` is called before each step from `first` on, with the number of steps that have run.
struct step_watch {
    int first = std::numeric_limits<int>::max();
    void (*call)(void* with, int steps_done) = nullptr;
    void* with = nullptr;
};

/// The operands of the updates of a runner whose plan computes all gradients before all updates.
/// - A gradient with a separate buffer stays there.
/// - A gradient in an input, a variable, rows that are not adjacent, or memory with other readers is copied to memory of this object.
///
/// This is a template so that programs that do not split their steps do not pay for it.
template<class Runner>
class kept_gradients {
    struct operand {
        int step, k;   // operand k of that step
    };
    Runner* run_ = nullptr;
    // The updates [first_, end_). Updates that read new values, and all after them, are excluded: they have no gradients yet.
    int first_ = 0, end_ = 0;
    sequence<bool> copied_;   // of each operand, two for each update
    sequence<operand_argument> operands_;
    sequence<step_arguments> steps_;   // of all steps, with those operands
    aligned_buffer<std::byte> memory_;
    bool ready_ = false;

    runtime_plan const& plan() const { return run_->plan(); }
    planner::plan_step const& step_of(operand const& o) const { return plan().steps[o.step]; }
    planner::step_operand const& operand_of(operand const& o) const { return plan().operands[step_of(o).first_operand + o.k]; }
    step_arguments const& given(operand const& o) const { return run_->arguments()[o.step]; }
    int number_of(operand const& o) const { return (o.step - first_) * 2 + o.k; }
    template<class Visit>
    void each(Visit const& visit) const {
        for (int i = first_; i < end_; ++i)
            for (int k = 0; k < plan().steps[i].operand_count; ++k) visit(operand{i, k});
    }

    // Whether the operand has slices that are not adjacent in memory.
    bool is_strided(operand const& o) const {
        planner::plan_step const& s = step_of(o);
        return s.sparse && o.k == 0 && (s.extent[1] != planner::one_extent || operand_of(o).stride[0] != s.inner);
    }
    // Whether anything else uses the same memory when the updates begin.
    bool is_shared(operand const& o) const {
        planner::step_operand const& s = operand_of(o);
        if (s.base != planner::step_operand::where::buffer) return true;
        for (int k = 0; k < plan().output_count; ++k)
            if (plan().outputs[k].base == s.base && plan().outputs[k].index == s.index) return true;
        for (int i = first_; i < plan().step_count; ++i)
            for (int k = 0; k < plan().steps[i].operand_count; ++k) {
                planner::step_operand const& other = plan().operands[plan().steps[i].first_operand + k];
                if (&other != &s && other.base == s.base && other.index == s.index) return true;
            }
        return false;
    }
    // Whether a step reads or writes the buffer that contains an operand.
    bool has_operand_in(int step, planner::step_operand const& o) const {
        for (int k = 0; k < plan().steps[step].operand_count; ++k) {
            planner::step_operand const& other = plan().operands[plan().steps[step].first_operand + k];
            if (other.base == o.base && other.index == o.index) return true;
        }
        return false;
    }
    std::int64_t row_length(operand const& o) const { return step_of(o).sparse && o.k == 0 ? given(o).inner : 1; }
    std::int64_t row_count(operand const& o) const {   // slices, indices or elements
        return step_of(o).sparse ? given(o).extent[0] : given(o).inner;
    }
    std::size_t bytes_of(operand const& o) const {
        return (static_cast<std::size_t>(row_count(o) * row_length(o)) * size_of(operand_of(o).type) + 63) / 64 * 64;
    }
    void copy(operand const& o, std::byte* to) const {
        step_arguments const& a = given(o);
        operand_argument const& from = a.operands[o.k];
        std::size_t const element = size_of(operand_of(o).type), bytes = static_cast<std::size_t>(row_length(o)) * element;
        bool const strided = is_strided(o);
        if (!strided) std::memcpy(to, from.data, static_cast<std::size_t>(row_count(o)) * bytes);
        for (std::int64_t p = 0; strided && p < row_count(o); ++p) {
            std::int64_t const at = p / a.extent[1] * from.stride[0] + p % a.extent[1] * from.stride[1];
            std::memcpy(to + static_cast<std::size_t>(p) * bytes, from.data + at * static_cast<std::int64_t>(element), bytes);
        }
    }

    // Makes space for the copies. The call must be bound, and none of its arrays may be in this memory. Throws std::bad_alloc.
    status make_room(array_ref const* in) {
        for (int i = 0; i < plan().input_count; ++i)
            if (memory_.holds(in[i].data)) return {status_code::overlaps, plan().inputs[i].name};
        std::size_t need = 0;
        each([&](operand const& o) { need += copied_.at[number_of(o)] ? bytes_of(o) : 0; });
        if (need <= memory_.size()) return {};
        aligned_buffer<std::byte> larger(need);
        memory_.swap(larger);
        return {};
    }
    // Sets the addresses for a bound call.
    void place() {
        ready_ = false;
        for (int i = 0; i < plan().step_count; ++i) {
            steps_.at[i] = run_->arguments()[i];
            steps_.at[i].groups = nullptr;   // indices may be changed before the updates, separately for each update
        }
        for (int i = first_; i < end_; ++i) steps_.at[i].operands = operands_.at + (i - first_) * 2;
        std::byte* free = memory_.data();
        each([&](operand const& o) {
            operand_argument& s = operands_.at[number_of(o)] = given(o).operands[o.k];
            if (!copied_.at[number_of(o)]) return;
            s.data = free;
            free += bytes_of(o);
            if (!is_strided(o)) return;
            step_arguments& a = steps_.at[o.step];
            s.stride[0] = row_length(o);
            a.extent[1] = 1;
            a.extent[3] = row_count(o);
        });
    }
    // Call when the first part has run.
    void keep() {
        each([&](operand const& o) {
            if (copied_.at[number_of(o)]) copy(o, data(o.step, o.k));
        });
        ready_ = true;
    }

public:
    /// Use the gradients of this runner. It must outlive this object and must not move.
    void begin(Runner& run) {
        if (run_ != nullptr) return;
        struct unless_ready {   // the code below may throw std::bad_alloc
            kept_gradients& all;
            bool ready = false;
            ~unless_ready() {
                if (!ready) all.run_ = nullptr;
            }
        } guard{*this};
        run_ = &run;
        end_ = first_ = planner::first_update(plan());
        while (end_ < plan().step_count && planner::facts_of(plan().steps[end_].kind).updates_variable &&
               !planner::reads_new(plan(), plan().steps[end_]))
            ++end_;
        sequence<bool> copied((end_ - first_) * 2, false);
        each([&](operand const& o) { copied.at[number_of(o)] = is_strided(o) || is_shared(o); });
        copied_.swap(copied);
        sequence<operand_argument> operands(copied_.count, {});
        operands_.swap(operands);
        sequence<step_arguments> steps(plan().step_count, {});
        steps_.swap(steps);
        guard.ready = true;
    }

    /// Runs the first part for these arrays: computes all gradients and keeps them. `bound` is the result of binding the call.
    /// Throws like a call, and std::bad_alloc.
    void compute(status bound, array_ref const* in, step_watch const& watch = {}) {
        if (bound) bound = make_room(in);
        if (bound) {
            flush_denormals const guard(run_->flush);
            place();
            int done = std::min(watch.first, first_);
            bool right = run_steps(run_->arguments(), 0, done);
            for (; right && done < first_; ++done) {
                watch.call(watch.with, done);
                right = run_steps(run_->arguments(), done, done + 1);
            }
            if (!right) bound = run_->failure();
        }
        if (!bound) run_->fail(bound);
        keep();
    }
    /// The number of steps after which the gradient for update step `step` is where data() points.
    /// For a copied gradient: all steps of the first part.
    int complete_after(int step) const {
        int complete = 0;
        for (int k = 0; k < plan().steps[step].operand_count; ++k) {
            if (copied_.at[number_of({step, k})]) return first_;
            int i = first_;
            while (i > 0 && !has_operand_in(i - 1, operand_of({step, k}))) --i;
            complete = std::max(complete, i);
        }
        return complete;
    }
    void forget() { ready_ = false; }
    /// Throws binding_error if there are no gradients, or if the store has grown since they were computed.
    void require(variable_store const& store) const {
        if (!ready_)
            raise<binding_error>(
                "xgrad: there are no gradients; call train.compute_gradients(...) first, and no other function of this trainer "
                "between it and apply_gradients");
        if (run_->generation() != store.generation())
            raise<binding_error>("xgrad: the variables have grown since compute_gradients; compute the gradients again");
    }
    /// Checks the indices, which may have been changed. Throws value_error.
    void check_indices() const {
        for (int i = first_; i < end_; ++i) {
            planner::plan_step const& s = plan().steps[i];
            if (!s.sparse) continue;
            step_arguments const& a = steps_.at[i];
            auto const check = [&](auto const* indices) {
                if (sparse::first_out_of_range(indices, a.extent[0], a.extent[2]) < 0) return;   // returns without building a text
                sparse::check_indices(indices, a.extent[0], a.extent[2],
                    message({"xgrad: apply_gradients: the gradient of the variable \"", plan().variables[s.variable].name, "\""}));
            };
            if (s.index_type == dtype::int32) check(reinterpret_cast<std::int32_t const*>(a.operands[1].data));
            else check(reinterpret_cast<std::int64_t const*>(a.operands[1].data));
        }
    }
    step_arguments const* arguments() const { return steps_.at; }
    std::byte* data(int step, int k) const { return operands_.at[number_of({step, k})].data; }
};

#if XGRAD_COMPILED == 1
extern template class kept_gradients<runner>;
#elif XGRAD_COMPILED == 2
template class kept_gradients<runner>;
#endif

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
