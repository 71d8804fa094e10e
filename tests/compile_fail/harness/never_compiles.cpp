// SPDX-License-Identifier: MIT
// expect-error: static assert.*the sentence
// Does not compile even without the mistake.
static_assert(sizeof(char) == 2, "the sentence");
