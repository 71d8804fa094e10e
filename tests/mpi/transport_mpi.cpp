// SPDX-License-Identifier: MIT
// What every transport does, between processes.
#include <xgrad/transport/mpi.hpp>

#include <transport/conformance.hpp>

#include <cstdio>

namespace xg = xgrad;

int main() {
    try {
        xg::mpi ranks;
        test::conform(ranks);
        {
            xg::mpi in_pieces({.largest_piece = 1000});
            test::sizes(in_pieces);
            test::first_in_first_out(in_pieces);
        }
        xg::collectives(ranks).barrier(test::in_time());
        if (ranks.rank() == 0) std::printf("%d ranks: all as it should be\n", ranks.size());
    } catch (std::exception const& e) {
        std::printf("%s\n", e.what());
        std::fflush(stdout);
        std::_Exit(1);   // mpirun ends the others
    }
}
