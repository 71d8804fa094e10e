// SPDX-License-Identifier: MIT
// The gradients of a step that is run in two parts: where they lie between the parts, for reading and writing.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/plan/extent_pool.hpp>
#include <xgrad/plan/plan.hpp>
#include <xgrad/run/runner.hpp>

#include <algorithm>
#include <limits>

XGRAD_NAMESPACE_BEGIN

/// Who wants to know how far the first part has come: before each of its steps from `first` on, once so many have run, `call` is called with their number.
struct step_watch {
    int first = std::numeric_limits<int>::max();
    void (*call)(void* with, int steps_done) = nullptr;
    void* with = nullptr;
};

/// Operands of the updates of a runner whose plan has all gradients before all updates. A gradient that has a buffer of its own stays there; one that
/// lies in an input, in a variable, in rows at a distance, or where something else is read too is copied to memory of this object. (A template, so
/// that a program whose steps are whole does not pay for it.)
template<class Runner>
class kept_gradients {
    struct operand {
        int step, k;   // operand k of that step
    };
    Runner* run_ = nullptr;
    int first_ = 0, end_ = 0;   // the updates; those that read new values, or stand behind what does, have no gradients yet
    sequence<bool> copied_;     // of each operand, two for each update
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

    // Slices at a distance.
    bool is_strided(operand const& o) const {
        planner::plan_step const& s = step_of(o);
        return s.sparse && o.k == 0 && (s.extent[1] != planner::one_extent || operand_of(o).stride[0] != s.inner);
    }
    // Whether anything but this operand is in the same memory when updates begin.
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
    // Whether a step reads or writes the buffer in which an operand lies.
    bool has_operand_in(int step, planner::step_operand const& o) const {
        for (int k = 0; k < plan().steps[step].operand_count; ++k) {
            planner::step_operand const& other = plan().operands[plan().steps[step].first_operand + k];
            if (other.base == o.base && other.index == o.index) return true;
        }
        return false;
    }
    std::int64_t row_length(operand const& o) const { return step_of(o).sparse && o.k == 0 ? given(o).inner : 1; }
    std::int64_t row_count(operand const& o) const {   // slices, indices, elements
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

    // Once a call with these arrays is bound, none of which may lie here: room for what is copied. Throws std::bad_alloc.
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
    // Where they will lie, once a call is bound.
    void place() {
        ready_ = false;
        for (int i = 0; i < plan().step_count; ++i) {
            steps_.at[i] = run_->arguments()[i];
            steps_.at[i].groups = nullptr;   // indices may be written before the updates, to each update its own
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
    // When the first part has run.
    void keep() {
        each([&](operand const& o) {
            if (copied_.at[number_of(o)]) copy(o, data(o.step, o.k));
        });
        ready_ = true;
    }

public:
    /// Those of this runner, which outlives them and stays where it is.
    void begin(Runner& run) {
        if (run_ != nullptr) return;
        struct unless_ready {   // what follows may throw std::bad_alloc
            kept_gradients& all;
            bool ready = false;
            ~unless_ready() {
                if (!ready) all.run_ = nullptr;
            }
        } guard{*this};
        run_ = &run;
        end_ = first_ = planner::first_update(plan());
        while (end_ < plan().step_count && plan().steps[end_].kind == planner::step_kind::update &&
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

    /// The first part, for these arrays, once a call with them is bound, as `bound` says: all gradients, which are kept. Throws as a call, and std::bad_alloc.
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
            if (!right) bound = {status_code::index_out_of_range, {}};
        }
        if (!bound) run_->fail(bound);
        keep();
    }
    /// Behind how many steps of the plan the gradient of the update that is step `step` lies where data() says; all of the first part, where it is copied.
    int complete_behind(int step) const {
        int behind = 0;
        for (int k = 0; k < plan().steps[step].operand_count; ++k) {
            if (copied_.at[number_of({step, k})]) return first_;
            int i = first_;
            while (i > 0 && !has_operand_in(i - 1, operand_of({step, k}))) --i;
            behind = std::max(behind, i);
        }
        return behind;
    }
    void forget() { ready_ = false; }
    /// Throws binding_error where there are none, or where they are of a store before it has grown.
    void require(variable_store const& store) const {
        if (!ready_)
            raise<binding_error>(
                "xgrad: there are no gradients: call train.compute_gradients(...) first, and nothing of this trainer between it "
                "and apply_gradients");
        if (run_->generation() != store.generation())
            raise<binding_error>("xgrad: the variables have grown since compute_gradients; compute the gradients again");
    }
    /// Indices may have been written. Throws value_error.
    void check_indices() const {
        for (int i = first_; i < end_; ++i) {
            planner::plan_step const& s = plan().steps[i];
            if (!s.sparse) continue;
            step_arguments const& a = steps_.at[i];
            auto const check = [&](auto const* indices) {
                if (sparse::first_out_of_range(indices, a.extent[0], a.extent[2]) < 0) return;   // and no text is made
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
