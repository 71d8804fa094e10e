// SPDX-License-Identifier: MIT
// What every program of these tests does with its ranks: all checks, one line where they hold, and the end of all where one does not.
#pragma once

#include <xgrad/transport/mpi.hpp>

#include <transport/conformance.hpp>

#include <cstdio>
#include <cstdlib>
#include <exception>

namespace test {
template<class Checks>
void on_mpi_ranks(Checks const& checks) {
    try {
        xgrad::mpi ranks;
        checks(ranks);
        xgrad::collectives(ranks).barrier(in_time());
        if (ranks.rank() == 0) std::printf("%d ranks: all as it should be\n", ranks.size());
    } catch (std::exception const& e) {
        std::printf("%s\n", e.what());
        std::fflush(stdout);
        std::_Exit(1);   // mpirun ends the others
    }
}
}   // namespace test
