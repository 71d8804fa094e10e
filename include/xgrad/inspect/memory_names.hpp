// SPDX-License-Identifier: MIT
// The text for numbers, shapes and memory in descriptions and graphs.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/inspect/plan_text.hpp>

#include <charconv>

XGRAD_NAMESPACE_BEGIN
namespace detail {

XGRAD_COLD inline std::string number_text(double x) {
    char s[40];
    auto const r = std::to_chars(s, s + sizeof s, x);
    return std::string(s, r.ptr);
}
XGRAD_COLD inline std::string shape_text(shape const& d) {
    std::string s = "[";
    for (int i = 0; i < d.rank; ++i) s += (i > 0 ? ", " : "") + polynomial_text(d.extents[i]);
    return s + "]";
}
XGRAD_COLD inline std::string value_text(named_value const& v) {
    return message({v.name, " ", shape_text(v.dims), " ", to_string(v.type)});
}

/// Names of the memory that steps read and write:
/// - inputs and variables: their names;
/// - after the first update of w: `updated(w)`;
/// - results: `result`, or `result.0` and so on;
/// - intermediates: `%` and the operation that makes them, with a number from the second one on.
class memory_names {
    plan_text const& t_;
    sequence<std::string> buffers_;

public:
    XGRAD_COLD explicit memory_names(plan_text const& t) : t_(t) {
        sequence<std::string_view> seen;
        for (int b = 0; b < t.buffer_count; ++b) {
            int result = -1;
            for (int k = 0; k < t.output_count; ++k)
                if (t.output_operands[k].base == planner::step_operand::where::buffer && t.output_operands[k].index == b && result < 0)
                    result = k;
            if (result >= 0) {
                buffers_.push(t.output_count == 1 ? message({"result"}) : message({"result.", result}));
                continue;
            }
            int again = 1;
            for (auto const& s : seen) again += s == t.values[b].name;
            seen.push(t.values[b].name);
            buffers_.push(again > 1 ? message({"%", t.values[b].name, ".", again}) : message({"%", t.values[b].name}));
        }
    }
    std::string const& buffer(int b) const { return buffers_.at[b]; }
    XGRAD_COLD std::string variable(int v, int version = 0) const {
        return version > 0 ? message({"updated(", variable(v, version - 1), ")"}) : message({t_.variables[v].name});
    }
    /// The memory of an operand.
    /// If it is not all of it in order, the first element and the stride of the inner dimension follow in brackets.
    XGRAD_COLD std::string operator()(planner::step_operand const& o) const {
        std::string s;
        switch (o.base) {
        case planner::step_operand::where::input: s = t_.inputs[o.index].name; break;
        case planner::step_operand::where::variable: s = variable(o.index, o.version); break;
        case planner::step_operand::where::buffer: s = buffer(o.index); break;
        default: break;
        }
        extent const &at = t_.pool[o.offset], &stride = t_.pool[o.inner];
        std::string part = at == static_extent(0) ? "" : "+" + polynomial_text(at);
        if (!(stride == static_extent(0)) && !is_one(stride)) part += (part.empty() ? "by " : " by ") + polynomial_text(stride);
        return part.empty() ? s : s + "[" + part + "]";
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
