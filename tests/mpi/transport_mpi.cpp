// SPDX-License-Identifier: MIT
// What every transport does, between processes.
#include <xgrad/transport/mpi.hpp>

#include <transport/conformance.hpp>

#include "on_mpi_ranks.hpp"

namespace xg = xgrad;

int main() {
    int level = 0;
    MPI_Init_thread(
        nullptr, nullptr, MPI_THREAD_MULTIPLE, &level);   // by the program, which also finalises it, before the last transport is destroyed
    xg::mpi until_the_end;
    test::on_mpi_ranks([](xg::mpi& ranks) {
        test::conform(ranks);
        {
            xg::mpi in_pieces({.largest_piece = 1000});
            test::sizes(in_pieces);
            test::first_in_first_out(in_pieces);
        }
    });
    until_the_end.send(until_the_end.rank(), 1, {});   // which is never received
    MPI_Finalize();
}
