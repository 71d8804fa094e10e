#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random programs of bodies in bodies as C++, with values and derivatives by JAX in double.

    python3 random_bodies.py --count 300 --out FOLDER      programs from number --first on, ten in each source
    python3 random_bodies.py --numbers 3,7 --out FOLDER    these programs, in one source
    python3 random_bodies.py --wrap ...                    the same numbers, with recompute and gradient_checkpoints

Made with JAX 0.10.2 (`pip install jax`). Program k depends on its number alone. A number whose program is too near to a kink has none,
and is passed over. bodies/ holds the parts: language.py, generate.py, evaluate.py, write.py.
"""

import argparse
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "bodies"))

PER_FILE = 10
HEAD = """// SPDX-License-Identifier: MIT
// Made by clang-format and this command in tests/reference:
// python3 random_bodies.py{wrap} --numbers {numbers} --name {name} --out ../grad
// Bodies in bodies, with the values and derivatives of JAX.
#include <support/random_bodies.hpp>

namespace {{
namespace xg = xgrad;
using namespace xg::literals;
using random_bodies::list_of, random_bodies::of, random_bodies::of_sines, random_bodies::read, random_bodies::rows;
}}
"""


def main():
    from write import program

    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--out", required=True, metavar="FOLDER")
    ask.add_argument("--first", type=int, default=1)
    ask.add_argument("--count", type=int, default=300)
    ask.add_argument("--numbers", help="separated by commas")
    ask.add_argument("--name", help="of the source of --numbers")
    ask.add_argument("--wrap", action="store_true", help="bodies with checkpoints, and bodies that run again for their gradient")
    given = ask.parse_args()
    os.makedirs(given.out, exist_ok=True)
    wanted = [int(n) for n in given.numbers.split(",")] if given.numbers else None
    made, number = [], given.first

    def write():
        numbers, wrap = ",".join(str(n) for n, _ in made), " --wrap" if given.wrap else ""
        path = os.path.join(given.out, f"random_bodies_{given.name or made[0][0]}_test.cpp")
        with open(path, "w") as out:
            out.write(
                "\n".join(
                    [HEAD.format(wrap=wrap, numbers=numbers, name=given.name or made[0][0])] + [line for _, text in made for line in text]
                ).rstrip("\n")
                + "\n"
            )
        print(path, flush=True)
        made.clear()

    total = 0
    while total < given.count if wanted is None else wanted:
        if wanted is not None:
            number = wanted.pop(0)
        found = program(number, given.wrap)
        if found is None:
            print(f"program {number} is passed over", file=sys.stderr)
        else:
            made.append((number, found))
            total += 1
        if len(made) == PER_FILE and wanted is None:
            write()
        number += 1
    if made:
        write()


if __name__ == "__main__":
    main()
