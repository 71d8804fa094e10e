// SPDX-License-Identifier: MIT
// Names no message.
#ifdef XGRAD_EXPECT_ERROR
#    error "the sentence"
#endif
