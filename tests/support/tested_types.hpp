// SPDX-License-Identifier: MIT
// Sanitizers look at addresses, which are alike for all element types; each loop costs their compiler up to several seconds.
#pragma once

#if XGRAD_SANITIZED
#    define XGRAD_TESTED_TYPES float
#else
#    define XGRAD_TESTED_TYPES float, double
#endif
