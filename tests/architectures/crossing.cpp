// SPDX-License-Identifier: MIT
// Hands an object of xgrad to a function: TAKES defines it, otherwise this is the program that calls it. SUBJECT 1 is a
// trained model, SUBJECT 2 an exception.
#include "subject.hpp"

#if SUBJECT == 1
using subject = trainer_type;
#else
using subject = xgrad::shape_error;
#endif

int take(subject const& object);

#ifdef TAKES
int take(subject const& object) { return static_cast<void const*>(&object) != nullptr ? 'a' : 0; }
#else
int main() {
#    if SUBJECT == 1
    auto const object = xg::minimize(loss, xg::adam{.learning_rate = 0.01f});
#    else
    subject const object("a");
#    endif
    return take(object) == 'a' ? 0 : 1;
}
#endif
