// SPDX-License-Identifier: MIT
// A region is the bodies of a step as data: what they read, what they return, and the same for their gradients of any order.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/symbol.hpp>
#include <xgrad/meta/bit_set.hpp>

#include <cstdlib>

XGRAD_NAMESPACE_BEGIN

using operand_set = bit_set<max_region_operands>;
using output_set = bit_set<max_region_outputs>;

/// How a step runs the bodies of its region.
enum class region_policy : unsigned char {
    loop,    // one body, in each iteration
    until,   // a body and a condition: iterations run while the condition holds
    call,    // one body, once
    branch   // several bodies, of which an index selects one
};

/// What one body returns.
struct body_info {
    node_info const* const* results;   // next carries, then emitted values; of a condition: a bool
    operand_set const* paths;          // for each result: the operands to which a gradient passes
    int carries, emitted;

    constexpr int count() const { return carries + emitted; }
};

/// A value of a body that its gradient reads, where the body would have to compute it again.
struct kept_value {
    int node;            // of the body's table, counted from the first after the leaves
    int part;            // which output of that node, or -1
    int output;          // of the step
    bool extra;          // whether that output exists only for the gradient
    operand_set paths;   // the operands to which a gradient passes
    value_info value;
    int carry = -1;   // the carry of the next iteration that it is: the history of that carry has it, with one more row
};
/// A product of a body with a matrix that is the same in all iterations. The gradient of the matrix is one product after the
/// loop of the gradient, which stacks the gradients of the body's product.
struct late_product {
    int node;          // of the body's table, counted from the first after the leaves
    int matrix;        // the operand of the step that is the right factor
    int left;          // the left factor: an operand of the step, or -1
    int left_node;     // if it is none: as `node`
    bool emits_left;   // whether the loop of the gradient stacks the left factor too
    int slice;         // a slice whose gradient is that of the product, because both are only terms of one sum; or -1
    int twin;          // the first late product that is a term of that sum, if it is another one; or -1
    bool has_kept;     // whether a term of that sum, below it, is kept: if that has a gradient, those of the terms differ
    op_info const* op;
    flag transpose_b;
    value_info left_value, value;
};
/// The values that a body keeps for its gradient, and its products whose gradients come after the loop.
struct kept_values {
    static constexpr int most = 16, most_late = 6;
    kept_value at[most];
    int count, extra;
    late_product late[most_late];
    int late_count;
    operand_set unread;   // carries that the gradient of carries and emitted values does not read
};

struct region_info;
/// The operands that a step over a region reads, differentiated as the attributes say. Null: all.
using operands_reader = operand_set (*)(region_info const& r, attributes const& a);

/// The bodies of a step as the user wrote them: expressions of their parameters and of outer expressions. The parameters
/// are the carries, then a slice of each sequence, then the arguments. All bodies of a step have the same parameters and
/// captures. The bodies of a branch have results of the same shapes.
struct region_info {
    region_policy policy;
    int body_count;
    int carries, slices, arguments, captures, emitted;
    node_info const* const* parameters;
    node_info const* const* captured;   // the parts of the outer graph that the bodies read
    body_info const* bodies;
    value_info const* control;     // of the index of a branch, or of the number of iterations, or null
    extent length;                 // of what a loop stacks: its largest number of iterations; 1 without a loop
    bool may_fail;                 // an index, or the number of iterations, may be out of range
    std::string_view name;         // of the body, for errors
    kept_values const* kept;       // of the first body, or null
    int gradients_from;            // of the gradient of a custom_gradient by gradients alone: the first argument that is one; else -1
    op_info const* by_gradients;   // of a custom_gradient: the step over its gradient that is such a one; else null
    // For random numbers: the iterations that come before those of this loop, which is a part of a longer one, and the length of that.
    extent before, in_all;
    operands_reader operands_read;

    constexpr int kept_count() const { return kept != nullptr ? kept->count : 0; }
    constexpr int extra_outputs() const { return kept != nullptr ? kept->extra : 0; }
};

/// Which operands of a step need a gradient, and which of its outputs have one: bits in words of the attributes.
struct gradient_bits {
    std::uint64_t const* words;
    int first_output;   // the bit of output 0

    constexpr bool wanted(int k) const { return (words[k / 64] >> k % 64 & 1) != 0; }
    constexpr bool given(int k) const { return wanted(first_output + k); }
    constexpr bool any_wanted(int operands) const {
        for (int k = 0; k < operands; ++k)
            if (wanted(k)) return true;
        return false;
    }
};

/// The operands and outputs of a step over a region or over its gradient.
/// * Operands: initial carries, sequences [length, slice...], captures (arguments are the first of them), then the
///   control: the index of a branch, or the number of iterations.
/// * Outputs: final carries, stacked values, values summed over the iterations, then the number of iterations of `until`.
///
/// The values that are kept for the gradient come after those that the user emits. The last stacked values are the
/// history: the carries at the start of each iteration, and some final carries. The gradient reads them too.
/// A call and a branch have neither carries nor sequences. Their results are summed over their one iteration.
/// The gradient of `until` is a loop with that number of iterations.
struct region_form {
    region_policy policy;
    int body_count, carries, slices, captures, control, stacked, summed, counts;
    bool backwards;
    extent length, before, in_all;                    // see region_info
    kept_values const* kept;                          // null in a gradient
    value_info const* operand[max_region_operands];   // in one iteration
    value_info const* result[max_region_outputs];     // stacked, then summed, in one iteration

    constexpr bool loops() const { return policy == region_policy::loop || policy == region_policy::until; }
    constexpr int kept_count() const { return kept != nullptr ? kept->count : 0; }
    constexpr int late_count() const { return kept != nullptr ? kept->late_count : 0; }
    /// Whether the gradient of operand k comes after the loop.
    constexpr bool is_late(int k) const {
        for (int i = 0; i < late_count(); ++i)
            if (kept->late[i].matrix == k) return true;
        return false;
    }

    /// Whether the history or a value that only the gradient reads has a gradient.
    constexpr bool differentiates_kept(gradient_bits bits) const {
        for (int k = carries + emitted() - kept->extra; k < outputs(); ++k)
            if (bits.given(k)) return true;
        return false;
    }
    /// Whether the loop of the gradient does not read the history of carry i. It may, if the history or a kept value has a gradient.
    constexpr bool drops_history(int i, gradient_bits bits) const {
        if (kept == nullptr || policy != region_policy::loop || !kept->unread.has(i)) return false;
        return !differentiates_kept(bits);
    }
    constexpr int histories_read(gradient_bits bits) const {
        int n = 0;
        for (int i = 0; i < carries; ++i) n += !drops_history(i, bits);
        return n;
    }
    /// The slice, or the earlier late product, whose gradient is also that of the late product i and is stacked anyway; or -1.
    constexpr int shared_slice(int i, gradient_bits bits) const {
        int const k = kept->late[i].slice;
        return k >= 0 && bits.wanted(k) && shares(i, bits) ? k : -1;
    }
    constexpr int shared_twin(int i, gradient_bits bits) const {
        int const k = kept->late[i].twin;
        return k >= 0 && bits.wanted(kept->late[k].matrix) && shares(i, bits) ? k : -1;
    }
    constexpr bool shares(int i, gradient_bits bits) const { return !kept->late[i].has_kept || !differentiates_kept(bits); }
    /// Whether the loop of the gradient stacks the gradient of the late product i for itself.
    constexpr bool stacks_late(int i, gradient_bits bits) const {
        return bits.wanted(kept->late[i].matrix) && shared_slice(i, bits) < 0 && shared_twin(i, bits) < 0;
    }

    /// The operands that the bodies read.
    constexpr int inputs() const { return carries + slices + captures; }
    constexpr int operands() const { return inputs() + control; }
    constexpr int outputs() const { return carries + stacked + summed + counts; }
    constexpr int emitted() const { return stacked - carries; }   // without the history
    /// The output that is the history of carry i.
    constexpr int history(int i) const { return stacked + i; }
    /// Whether the history of carry i ends with the final carry. So it has what the iterations keep, if that is their next carry.
    constexpr bool keeps_last(int i) const {
        for (int k = 0; k < kept_count(); ++k)
            if (kept->at[k].carry == i) return true;
        return false;
    }
    /// Rows of the output k, which is stacked.
    constexpr extent rows(int k) const { return k >= stacked && keeps_last(k - stacked) ? length + static_extent(1) : length; }
    constexpr bool is_slice(int k) const { return k >= carries && k < carries + slices; }
    /// The bits of its gradient: at most 32 operands and 32 outputs share one word.
    constexpr int first_output_bit() const { return inputs() <= 32 && outputs() <= 32 ? 32 : (inputs() + 63) / 64 * 64; }
    constexpr int gradient_words() const { return (first_output_bit() + outputs() + 63) / 64; }
    constexpr gradient_bits bits_in(std::uint64_t const* words) const { return {words, first_output_bit()}; }
    /// Output k of one iteration.
    constexpr value_info output_of_turn(int k) const {
        if (k < carries) return *operand[k];
        if (k >= carries + stacked + summed) return {dtype::int32, {}, fault::none};
        return *result[k - carries];
    }
    constexpr value_info output(int k) const {
        value_info r = output_of_turn(k);
        if (k < carries || k >= carries + stacked) return r;
        for (int i = r.dims.rank++; i > 0; --i) r.dims.extents[i] = r.dims.extents[i - 1];
        r.dims.extents[0] = rows(k);
        return r;
    }
};

// Not constexpr: if constant evaluation reaches it, the compiler prints its name and stops.
[[noreturn]] inline void a_gradient_of_a_scan_has_more_than_256_operands() { std::abort(); }

inline constexpr value_info number_of_iterations{dtype::int32, {}, fault::none};

/// Makes the form of a region's gradient from the form of the region.
/// * The gradient of a carry is a carry of a loop that runs in the opposite direction.
/// * The gradient of a slice is stacked, and that of a capture is summed.
/// * For a late product, the gradient of the product is stacked instead, and where needed its left factor.
/// * The gradient loop reads what the region read, the history of the carries where it needs it, kept values, and the gradients of
///   stacked and summed values.
constexpr region_form next_form(region_form const& f, gradient_bits bits) {
    auto wanted = [&](int k) { return bits.wanted(k); };
    auto given = [&](int k) { return bits.given(k); };
    region_form g{};
    bool const counts = f.policy == region_policy::until;
    g.policy = counts ? region_policy::loop : f.policy;
    g.body_count = counts ? 1 : f.body_count;
    g.control = counts ? 1 : f.control;
    g.backwards = !f.backwards;
    g.length = f.length;
    g.before = f.before;
    g.in_all = f.in_all;
    int n = 0;
    auto add = [&](value_info const* v) {
        if (n == max_region_operands) a_gradient_of_a_scan_has_more_than_256_operands();
        g.operand[n++] = v;
    };
    for (int i = 0; i < f.carries; ++i)
        if (is_floating(f.operand[i]->type)) add(f.operand[i]);
    g.carries = n;
    for (int i = 0; i < f.slices; ++i) add(f.operand[f.carries + i]);
    for (int i = 0; i < f.carries; ++i)
        if (!f.drops_history(i, bits)) add(f.operand[i]);
    for (int k = 0; f.loops() && k < f.kept_count(); ++k) add(&f.kept->at[k].value);
    for (int k = 0; k < f.stacked; ++k)
        if (given(f.carries + k)) add(f.result[k]);
    g.slices = n - g.carries;
    for (int i = 0; i < f.captures; ++i) add(f.operand[f.carries + f.slices + i]);
    for (int k = 0; !f.loops() && k < f.kept_count(); ++k) add(&f.kept->at[k].value);
    for (int k = 0; k < f.summed; ++k)
        if (given(f.carries + f.stacked + k)) add(f.result[f.stacked + k]);
    g.captures = n - g.carries - g.slices;
    if (g.control > 0) add(counts ? &number_of_iterations : f.operand[f.inputs()]);
    n = 0;
    for (int i = 0; i < f.slices; ++i)
        if (wanted(f.carries + i)) g.result[n++] = f.operand[f.carries + i];
    for (int i = 0; i < f.late_count(); ++i) {
        late_product const& p = f.kept->late[i];
        if (f.stacks_late(i, bits)) g.result[n++] = &p.value;
        if (wanted(p.matrix) && p.emits_left) g.result[n++] = &p.left_value;
    }
    for (int i = 0; i < g.carries; ++i) g.result[n++] = g.operand[i];
    g.stacked = n;
    for (int i = 0; i < f.captures; ++i)
        if (int const k = f.carries + f.slices + i; wanted(k) && !f.is_late(k)) g.result[n++] = f.operand[f.carries + f.slices + i];
    g.summed = n - g.stacked;
    return g;
}
constexpr region_form first_form(region_info const& r) {
    region_form f{};
    f.policy = r.policy;
    f.kept = r.kept;
    f.body_count = r.body_count;
    f.carries = r.carries;
    f.slices = r.slices;
    f.captures = r.arguments + r.captures;
    f.control = r.control != nullptr;
    int const emitted = r.emitted + r.extra_outputs();
    f.stacked = f.loops() ? emitted + r.carries : 0;
    f.summed = f.loops() ? 0 : emitted;
    f.counts = r.policy == region_policy::until;
    f.length = r.length;
    f.before = r.before;
    f.in_all = r.in_all;
    int const parameters = r.carries + r.slices + r.arguments;
    for (int i = 0; i < parameters; ++i) f.operand[i] = &r.parameters[i]->value;
    for (int i = 0; i < r.captures; ++i) f.operand[parameters + i] = &r.captured[i]->value;
    if (f.control > 0) f.operand[f.inputs()] = r.control;
    for (int i = 0; i < r.emitted; ++i) f.result[i] = &r.bodies->results[r.carries + i]->value;
    for (int k = 0, n = r.emitted; k < r.kept_count(); ++k)
        if (f.kept->at[k].extra) f.result[n++] = &f.kept->at[k].value;
    for (int i = 0; i < r.carries; ++i) f.result[emitted + i] = f.operand[i];
    return f;
}
/// The form of the condition of `until`, which reads all operands.
constexpr region_form condition_form(region_info const& r) {
    region_form f = first_form(r);
    f.policy = region_policy::call;
    f.kept = nullptr;
    f.captures = f.inputs();
    f.carries = f.stacked = f.counts = 0;
    f.summed = 1;
    f.result[0] = &r.bodies[1].results[0]->value;
    return f;
}
/// The operands that a gradient of the given outputs reaches, in this iteration or an earlier one.
constexpr operand_set connected_operands(region_info const& r, gradient_bits bits) {
    operand_set found{};
    auto pass = [&](int result) {
        for (int b = 0; b < (r.policy == region_policy::until ? 1 : r.body_count); ++b) found.add(r.bodies[b].paths[result]);
    };
    int const history = r.carries + r.emitted + r.extra_outputs();
    for (int i = 0; i < r.carries; ++i)
        if (bits.given(i) || bits.given(history + i)) found.add(i);
    for (int k = 0; k < r.kept_count(); ++k)
        if (kept_value const& v = r.kept->at[k]; v.extra && bits.given(v.output)) found.add(v.paths);
    for (int k = 0; k < r.emitted; ++k)
        if (bits.given(r.carries + k)) pass(r.carries + k);
    // Each iteration reaches at least one more carry, until nothing changes.
    for (int turn = 0; turn < r.carries; ++turn)
        for (int i = 0; i < r.carries; ++i)
            if (found.has(i)) pass(i);
    return found;
}
/// The attributes of a region have words for each time that it was differentiated: the bits of next_form.
constexpr region_form form_of(region_info const& r, attributes const& a) {
    region_form f = first_form(r);
    for (int i = 0, words = 0; i < a.word_count; i += words) {
        words = f.gradient_words();
        f = next_form(f, f.bits_in(a.words + i));
    }
    return f;
}

namespace detail {
/// The shape of a step over bodies, as one of its bodies needs it at run time.
struct region_shape {
    region_policy policy;
    int carries, slices, captures, control, emitted, stacked, summed, counts;   // emitted: stacked without the history
    int extra;   // of the emitted, those that only the gradient reads; they are the last
    bool backwards;
    operand_set keeps_last;          // of carries: see region_form
    output_set live;                 // of stacked and summed
    short const* operand_of_input;   // of the body's program
    dtype const *operand, *result;
    dtype control_type;
    std::string_view name;   // of the body

    int operands() const { return carries + slices + captures + control; }
};
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
