// SPDX-License-Identifier: MIT
// The first include of each header; macros_end.hpp is the last one. Between them, common macros of the program, such as N, min or emit,
// are undefined. Only the outermost header hides and restores them. There is no #pragma once, because each header includes this file.
#pragma push_macro("XGRAD_MACROS_HIDDEN")
#if !defined(XGRAD_MACROS_HIDDEN)
#    define XGRAD_MACROS_HIDDEN
#    define XGRAD_MACROS_TO_RESTORE
#    include <xgrad/config/hide_macros.hpp>
#endif
