// SPDX-License-Identifier: MIT
// Why a call did nothing: the status that try_call and try_step return instead of throwing, and the message of the
// exception that other calls throw.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/error.hpp>

#include <cstdint>
#include <cstdio>
#include <string_view>

XGRAD_NAMESPACE_BEGIN

/// The reason why a call did nothing.
enum class status_code : unsigned char {
    ok,
    missing_input,
    wrong_rank,
    wrong_extent,
    not_contiguous,
    null_array,   // its address is null
    overlaps,     // the array is in memory that the call writes
    index_out_of_range,
    // The number of iterations of a loop is negative or above its length; the name is that of its body, or the call of a recurrent layer.
    turns_out_of_range,
    dimension_too_small,   // an extent such as time - 2 or 5 - time would be negative
    outgrown,              // a variable has grown to a shape that differs from its declaration in the expression
    too_many_rows,         // a table with row-wise updates has 2^31 rows or more, or the call has that many indices
    capacity_exceeded,     // a named dimension is larger than reserve() allowed for
    replaced_owner,        // the owner whose variables the function reads has been assigned over
    wrong_array,           // an array of into(...) does not have the shape of its result
    // An array of into(...) cannot be written. If it shares memory with an input, the name is that of the input.
    refused_array,
    in_use,                // another thread is in a call of the same object (checked without NDEBUG)
    refused_hyper,         // a hyper-parameter of a rule has an invalid value; the name is the message
    in_run,                // replicas update the variables, and their run has not returned; the name is that of the replicas
    number_out_of_range,   // an input has a number outside the allowed range, such as the rate of a dropout
    number_not_finite,     // an expression in check_numerics is NaN or infinite; the name is the text of the check
    // A step with check_finite() on has run, and a variable is NaN or infinite now; the name is that of the variable.
    not_finite
};
/// Result of a call that returns a status instead of throwing: what is wrong, and with which input.
/// Variables and the states of optimizers have changed only if the code is ok or not_finite.
struct status {
    status_code code = status_code::ok;
    std::string_view name{};
    constexpr explicit operator bool() const { return code == status_code::ok; }
};

/// Details of a failed check, for the message.
struct call_findings {
    int axis = 0;
    bool is_unsigned = false;   // `found`, an index
    std::int64_t found = 0, expected = 0, offset = 0;
    std::string_view dimension{}, variable{};   // variable: that has the dimension
    // The number of an array of into(...), from 1. `axis` may be -1: the rank, or -2: the number of elements.
    int array = 0;
    char const* reason = "";                  // of that array, or of an index below `expected`
    std::string_view operation{};             // that reads an index
    double number = 0, from = 0, below = 0;   // of an input that must be in [from, below)
};
/// Writes the message.
void explain(message_text& to, status const& s, call_findings const& f);
/// Throws the exception that belongs to the code.
[[noreturn]] void raise_status(status const& s, call_findings const& f);

#if XGRAD_COMPILED != 1
XGRAD_COLD XGRAD_HOST void explain(message_text& to, status const& s, call_findings const& f) {
    constexpr char const* input = "xgrad: input \"";
    switch (s.code) {
    case status_code::missing_input: return to.add({input, s.name, "\" is missing in the call; write ", s.name, " = array"});
    case status_code::wrong_rank:
        return to.add({input, s.name, "\" has rank ", f.expected, ", the array bound to it has rank ", f.found,
            f.found == 1 ? "; give its extents: xgrad::array(pointer, extents...)" : ""});
    case status_code::wrong_extent: {
        to.add({input, s.name, "\": axis ", f.axis, " must have extent ", f.expected});
        if (!f.dimension.empty() && f.variable.empty()) to.add({" (the dimension \"", f.dimension, "\" as the other inputs bind it)"});
        else if (!f.dimension.empty()) to.add({" (the dimension \"", f.dimension, "\" of the variable \"", f.variable, "\")"});
        return to.add({", the array has ", f.found});
    }
    case status_code::not_contiguous:
        return to.add({input, s.name,
            "\": the array is not contiguous and row-major; copy it to a row-major container first (xt::eval, or an explicit copy)"});
    case status_code::null_array: return to.add({input, s.name, "\": the array has ", f.found, " elements, and its address is null"});
    case status_code::overlaps:
        return to.add({input, s.name,
            "\": the array is in memory that this call writes (an earlier result or gradient of it, or a variable that is "
            "trained); copy it first"});
    case status_code::index_out_of_range:
        if (s.name.empty() && f.operation.empty())
            return to.add({"xgrad: an index into a table is out of range: one that the graph computes, or one into a table of a named "
                           "dimension; nothing has been updated"});
        if (s.name.empty()) to.add({"xgrad: ", f.operation, ": the index "});
        else to.add({input, s.name, "\": index "});
        to.add({f.is_unsigned ? message_part(static_cast<std::uint64_t>(f.found)) : message_part(f.found)});
        if (!s.name.empty()) to.add({" at offset ", f.offset});
        if (*f.reason != 0) to.add({" ", f.reason});
        else to.add({" is out of range [0, ", f.expected, ")"});
        if (!s.name.empty()) return;
        if (f.found == -1 && f.operation != "ctc_loss" && f.operation != "crf_log_likelihood")
            to.add({" (-1 also stands for a coordinate outside of its axis, and for offsets of rows that do not rise)"});
        return to.add({"; nothing has been updated"});
    case status_code::turns_out_of_range:
        if (s.name.starts_with("nn::"))
            return to.add({"xgrad: ", s.name, ": the length ", f.found, " is outside of [0, ", f.expected,
                "], the time steps of x; nothing has been updated"});
        return to.add({"xgrad: a loop over the body \"", s.name, "\" has ", f.found,
            f.found > f.expected ? " iterations or more" : " iterations", ", outside of [0, ", f.expected,
            "]; give scan a longer sequence, or while_loop a larger capacity; nothing has been updated"});
    case status_code::dimension_too_small:
        to.add({"xgrad: the dimension \"", s.name, "\" = ", f.found});
        if (!f.variable.empty())
            return to.add({" is too large: axis ", f.axis, " of the variable \"", f.variable, "\" has extent ", f.expected,
                ", and a slice of it, such as nn::position_embedding, would end after it"});
        return to.add({f.expected < 0 ? " is too large" : " is too small",
            " for this expression: an extent that depends on it would be negative, or a slice would end after it"});
    case status_code::outgrown:
        return to.add({"xgrad: the variable \"", s.name,
            "\" has grown to another shape than the one that it has in this expression; declare it with the named dimensions of its owner"});
    case status_code::too_many_rows:
        return to.add({"xgrad: the variable \"", s.name,
            "\" is updated row by row, and its table or its gradient has 2^31 rows or more; split the table or the call"});
    case status_code::capacity_exceeded:
        return to.add({"xgrad: a named dimension is larger than was reserved; call reserve(...) with the largest size first"});
    case status_code::replaced_owner:
        return to.add({"xgrad: this function reads the variables of an owner that has been assigned over, a trainer or xgrad::variables; "
                       "make the function again after the assignment"});
    case status_code::wrong_array:
        to.add({"xgrad: into(...): array ", f.array});
        if (f.axis == -2) return to.add({" has ", f.found, " elements, the result that is written into it has ", f.expected});
        if (f.axis == -1) return to.add({" has rank ", f.found, ", the result that is written into it has rank ", f.expected});
        return to.add({": axis ", f.axis, " must have extent ", f.expected, ", as the result that is written into it; it has ", f.found});
    case status_code::refused_array:
        to.add({"xgrad: into(...): array ", f.array, " ", f.reason});
        return s.name.empty() ? void() : to.add({" \"", s.name, "\""});
    case status_code::in_use:
        return to.add(
            {"xgrad: two threads call one object at the same time; give each thread a separate function, and train in one thread"});
    case status_code::refused_hyper: return to.add({"xgrad: ", s.name});
    case status_code::in_run:
        return to.add({"xgrad: a run of ", s.name,
            " moves these variables; read them in on_update or with_variables(f), and step or change them when run(work) has returned"});
    case status_code::number_out_of_range: {
        char numbers[120];
        std::snprintf(numbers, sizeof numbers, "%g at offset %lld is outside of [%g, %g)", f.number, static_cast<long long>(f.offset),
            f.from, f.below);
        return to.add({input, s.name, "\": ", static_cast<char const*>(numbers)});
    }
    case status_code::number_not_finite:
        return to.add({"xgrad::check_numerics<\"", s.name, "\">(x): element ", f.offset, f.expected != 0 ? " of the gradient is " : " is ",
            f.number != f.number ? "nan"
            : f.number > 0       ? "inf"
                                 : "-inf",
            "; nothing has been updated"});
    case status_code::not_finite: return to.add({"xgrad: the variable \"", s.name, "\" is NaN or infinite after this step"});
    case status_code::ok: break;
    }
    to.add({"xgrad: ok"});
}
[[noreturn]] XGRAD_COLD XGRAD_HOST void raise_status(status const& s, call_findings const& f) {
    message_text text;
    explain(text, s, f);
    switch (s.code) {
    case status_code::wrong_rank:
    case status_code::wrong_extent:
    case status_code::wrong_array:
    case status_code::outgrown:
    case status_code::too_many_rows:
    case status_code::dimension_too_small: raise<shape_error>(text.c_str());
    case status_code::refused_hyper:
    case status_code::number_out_of_range:
    case status_code::not_finite:
    case status_code::number_not_finite:
    case status_code::index_out_of_range:
    case status_code::turns_out_of_range: raise<value_error>(text.c_str());
    default: raise<binding_error>(text.c_str());
    }
}
#endif

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
