// SPDX-License-Identifier: MIT
// A stream that is only declared, beside a type of the library: whether it can be printed is a question with an answer.
#include <iosfwd>

#include <xgrad/xgrad.hpp>

template<class A>
concept Prints = requires(std::ostream& out, A const& a) { out << a; };
template<class A>
concept Reads = requires(std::istream& in, A& a) { in >> a; };
static_assert(!Prints<xgrad::fixed_string<3>> && !Reads<xgrad::fixed_string<3>>);
