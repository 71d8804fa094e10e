// SPDX-License-Identifier: MIT
// The warning about numbers in an input that an operation does not expect. Only programs that have such an input compile it.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/arrays/array.hpp>
#include <xgrad/core/error.hpp>
#include <xgrad/kernels/arguments.hpp>
#include <xgrad/run/runtime_plan.hpp>

#include <cstdio>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// Warns about the first number outside its input's range. Returns whether there was one.
bool warn_of_numbers(runtime_plan const& plan, array_ref const* in);

#if XGRAD_COMPILED != 1
XGRAD_COLD XGRAD_HOST bool warn_of_numbers(runtime_plan const& plan, array_ref const* in) {
    for (int k = 0; k < plan.input_count; ++k) {
        xgrad::leaf_info const& leaf = plan.inputs[k];
        if (leaf.warning == nullptr) continue;
        std::int64_t n = 1, i = 0;
        double x = 0;
        for (int d = 0; d < in[k].rank; ++d) n *= in[k].extents[d];
        visit(leaf.type, [&]<class T>(std::type_identity<T>) {
            for (; i < n; ++i)
                if (x = static_cast<double>(static_cast<T const*>(in[k].data)[i]); x < leaf.from || x >= leaf.below) break;
        });
        if (i == n) continue;
        char number[64];
        std::snprintf(number, sizeof number, "%g at offset %lld; ", x, static_cast<long long>(i));
        message_text text;
        text.add({"the input \"", leaf.name, "\" is ", static_cast<char const*>(number), leaf.warning});
        warning_handler(text.c_str());
        return true;
    }
    return false;
}
#endif

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
