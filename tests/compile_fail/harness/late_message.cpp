// SPDX-License-Identifier: MIT
// expect-error: the sentence
// The sentence comes after more than 15 lines.
#ifdef XGRAD_EXPECT_ERROR
int a = undeclared_1;
int b = undeclared_2;
int c = undeclared_3;
int d = undeclared_4;
int e = undeclared_5;
int f = undeclared_6;
static_assert(sizeof(char) == 2, "the sentence");
#endif
