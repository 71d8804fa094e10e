// SPDX-License-Identifier: MIT
// expect-error: static assert.*the sentence
// Compiles with the mistake as well.
int value;
