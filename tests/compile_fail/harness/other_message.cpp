// SPDX-License-Identifier: MIT
// expect-error: static assert.*the sentence
// Fails with another message; the expected one is only in the source that the compiler repeats.
#ifdef XGRAD_EXPECT_ERROR
static int value = "static assertion: the sentence";
#endif
