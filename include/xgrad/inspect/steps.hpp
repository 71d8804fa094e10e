// SPDX-License-Identifier: MIT
// The text, cost and picture of each kind of step.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/inspect/steps/check.hpp>
#include <xgrad/inspect/steps/kernel.hpp>
#include <xgrad/inspect/steps/matmul.hpp>
#include <xgrad/inspect/steps/nest.hpp>
#include <xgrad/inspect/steps/region.hpp>
#include <xgrad/inspect/steps/update.hpp>
#include <xgrad/plan/step_kinds.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// In the order in which summaries list them. Each type has these members:
///
///     kind
///     words                          its name and how it is counted; missing if the operation defines them
///     frame                          title and colors of its picture
///     writes_behind_reads            operands after the first read_count ones are written
///     count(counter, step, counts)   adds flops and bytes, by a step_counter
///     write(writer, step)            the rest of its line in describe(), by a plan_writer
///     draw(picture, step)            the contents of its frame, by a dot_writer
///
/// write and draw are templates, so that a cost does not need the text writers.
using inspected_steps =
    planner::step_kinds<inspected_region, inspected_product, inspected_nest, inspected_kernel, inspected_check, inspected_update>;

/// The words for a kind of step; null: its operations define them.
struct kind_words {
    planner::step_kind kind;
    kernel_text const* words;
};
template<class Kind>
constexpr kind_words words_of_kind() {
    if constexpr (requires { Kind::words; }) return {Kind::kind, &Kind::words};
    else return {Kind::kind, nullptr};
}
struct kind_list {
    kind_words at[planner::step_kind_count];
};
template<class... K>
constexpr kind_list words_of_kinds(planner::step_kinds<K...>) {
    return {{words_of_kind<K>()...}};
}
inline constexpr kind_list inspected_words = words_of_kinds(inspected_steps{});

template<class Text>
XGRAD_COLD kernel_text const& words_of(Text const& text, int step) {
    for (kind_words const& k : inspected_words.at)
        if (k.kind == text.steps[step].kind && k.words != nullptr) return *k.words;
    return text.kernels[step].text;
}

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
