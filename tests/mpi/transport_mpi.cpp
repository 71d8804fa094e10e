// SPDX-License-Identifier: MIT
// What every transport does, between processes.
#include <xgrad/transport/mpi.hpp>

#include <transport/conformance.hpp>

#include "on_mpi_ranks.hpp"

namespace xg = xgrad;

int main() {
    test::on_mpi_ranks([](xg::mpi& ranks) {
        test::conform(ranks);
        {
            xg::mpi in_pieces({.largest_piece = 1000});
            test::sizes(in_pieces);
            test::first_in_first_out(in_pieces);
        }
    });
}
