// SPDX-License-Identifier: MIT
// What each kind of step says of itself: text, cost, picture.
#pragma once

#include <xgrad/inspect/steps/check.hpp>
#include <xgrad/inspect/steps/kernel.hpp>
#include <xgrad/inspect/steps/matmul.hpp>
#include <xgrad/inspect/steps/nest.hpp>
#include <xgrad/inspect/steps/scan.hpp>
#include <xgrad/inspect/steps/update.hpp>
#include <xgrad/plan/step_kinds.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// In the order in which summaries name them. Each has
///     kind
///     words                 its name and how it is counted; of a kernel of an operation's own the operation says them
///     frame                 title and colours of its picture
///     writes_behind_reads   its operands behind the first read_count ones are written
///     count(counter, step, counts)   adds flops and bytes, by a step_counter
///     write(writer, step)            the rest of its line in describe(), by a plan_writer
///     draw(picture, step)            what stands in its frame, by a dot_writer
/// The last two are templates, so that a cost takes no writer of text with it.
using inspected_steps =
    planner::step_kinds<inspected_scan, inspected_product, inspected_nest, inspected_kernel, inspected_check, inspected_update>;

template<class Kind, class Text>
constexpr kernel_text const& words_of(Kind, Text const& text, int step) {
    if constexpr (requires { Kind::words; }) return Kind::words;
    else return text.kernels[step].text;
}

}   // namespace detail
XGRAD_NAMESPACE_END
