// SPDX-License-Identifier: MIT
// The last include of each header: restores what macros_begin.hpp has hidden, if the header is the outermost one.
#ifdef XGRAD_MACROS_HIDDEN
#    pragma pop_macro("XGRAD_MACROS_HIDDEN")
#    if !defined(XGRAD_MACROS_HIDDEN)
#        include <xgrad/config/restore_macros.hpp>
#    endif
#endif
