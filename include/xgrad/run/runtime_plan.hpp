// SPDX-License-Identifier: MIT
// The part of a plan that is needed at run time: extents, strides and offsets as polynomials, without operations and types.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/kernels/arguments.hpp>
#include <xgrad/meta/sequence.hpp>
#include <xgrad/plan/plan.hpp>

XGRAD_NAMESPACE_BEGIN

/// An input or a variable, as known at run time.
struct leaf_info {
    std::string_view name;
    std::uint64_t hash;
    dtype type;
    int rank;
    short extents[max_rank];         // polynomials
    std::int64_t index_limit;        // inputs that are indices: they must be below this; -1: no limit
    int group;                       // variables: number of the rule that updates them; -1: none
    bool trainable;                  // variables: as declared
    double from = 0, below = 0;      // inputs: numbers must be in [from, below), if that is not empty
    char const* warning = nullptr;   // other numbers give this warning, not an error
    void const* values = nullptr;    // inputs that are bound already: constants
    start_form starts{};             // variables: how they begin by `start`, if not at 0
    float start = 0;
    short rest = -1, sliced_axis = 0;   // variables: the polynomial of what is after a slice that ends at a named dimension; -1: none
};

/// Indices in an input must also be below this polynomial: the rows of a table with named dimensions.
struct input_limit {
    short input, extent;
};

class runner;
struct array_ref;

/// A plan at run time: pointers into a runtime_storage.
struct runtime_plan {
    kernel_functions const* kernels;
    short const* kernel_of;             // of each step
    runtime_plan (*const* regions)();   // of the bodies of loops, in the order of their steps
    planner::plan_step const* steps;
    planner::step_operand const* operands;
    planner::parameter const* params;
    planner::plan_buffer const* buffers;
    extent const* block_bytes;
    extent const* polynomials;
    leaf_info const* inputs;
    input_limit const* limits;
    leaf_info const* variables;
    planner::step_operand const* outputs;
    leaf_info const* output_shapes;
    std::uint64_t const* stream_names;   // of each operand; null if the plan draws no random numbers
    // Functions that few plans need. They are null for the others, so that these do not compile them.
    bool (*warn_of_numbers)(runtime_plan const&, array_ref const*);   // if an input has numbers that only give a warning
    std::size_t (*share_groups)(runner&, std::byte*);                 // if several updates use rows by indices
    // Of the body of a loop: the inputs that are the same in all iterations and right factors of products, as bits.
    std::uint32_t fixed_inputs;
    int step_count, operand_count, param_count, buffer_count, block_count, polynomial_count, input_count, limit_count, variable_count,
        output_count;
};

/// The bytes of scratch memory that a step's kernel requests in addition to its operands.
inline std::size_t kernel_scratch(runtime_plan const& p, int step, step_arguments const& a) {
    scratch_function const bytes = p.kernels[p.kernel_of[step]].scratch;
    return bytes == nullptr ? 0 : bytes(a);
}

/// A named dimension of variables, and the first variable that has it.
struct variable_dim {
    dim_info const* info;
    leaf_info const* variable;
};
XGRAD_COLD constexpr sequence<variable_dim> variable_dims_of(runtime_plan const& p) {
    sequence<variable_dim> found;
    for (int i = 0; i < p.variable_count; ++i)
        for (int a = 0; a < p.variables[i].rank; ++a) {
            extent const& e = p.polynomials[p.variables[i].extents[a]];
            for (int k = 0; k < e.count; ++k)
                for (int f = 0; f < extent::max_factors && e.terms[k].dims[f] != nullptr; ++f) {
                    dim_info const* const d = e.terms[k].dims[f];
                    bool seen = false;
                    for (variable_dim const& other : found) seen = seen || other.info->hash == d->hash;
                    if (!seen) found.push({d, &p.variables[i]});
                }
        }
    return found;
}

/// The arrays that a runtime_plan points to, in exact size.
template<int Kernels, int Steps, int Operands, int Params, int Buffers, int Blocks, int Polynomials, int Inputs, int Limits, int Variables,
    int Outputs>
struct runtime_storage {
    static constexpr int at_least_one(int n) { return n > 0 ? n : 1; }
    planner::plan_step steps[at_least_one(Steps)];
    planner::step_operand operands[at_least_one(Operands)];
    planner::parameter params[at_least_one(Params)];
    planner::plan_buffer buffers[at_least_one(Buffers)];
    extent blocks[at_least_one(Blocks)];
    extent polynomials[at_least_one(Polynomials)];
    leaf_info inputs[at_least_one(Inputs)];
    input_limit limits[at_least_one(Limits)];
    leaf_info variables[at_least_one(Variables)];
    planner::step_operand outputs[at_least_one(Outputs)];
    leaf_info output_shapes[at_least_one(Outputs)];
    std::uint64_t names[at_least_one(Operands)];
    kernel_functions kernels[at_least_one(Kernels)];
    short kernel_of[at_least_one(Steps)];
    runtime_plan (*const* regions)();
    bool (*warn_of_numbers)(runtime_plan const&, array_ref const*);
    std::size_t (*share_groups)(runner&, std::byte*);
    std::uint32_t fixed_inputs;

    constexpr runtime_plan view() const {
        return {kernels, kernel_of, regions, steps, operands, params, buffers, blocks, polynomials, inputs, limits, variables, outputs,
            output_shapes, names, warn_of_numbers, share_groups, fixed_inputs, Steps, Operands, Params, Buffers, Blocks, Polynomials,
            Inputs, Limits, Variables, Outputs};
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
