// SPDX-License-Identifier: MIT
// Linked into every test program: a function that is not inline is defined twice and fails the link.
#if __has_include(<xgrad/xgrad.hpp>)
#    include <xgrad/xgrad.hpp>
#endif
#if __has_include(<xgrad/fwd.hpp>)
#    include <xgrad/fwd.hpp>
#endif
