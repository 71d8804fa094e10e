// SPDX-License-Identifier: MIT
// One rank, without a launcher. tests/mpi trains with more.
#include <xgrad/transport/mpi.hpp>

int main() {
    xgrad::mpi const ranks;
    return ranks.rank() == 0 && ranks.size() == 1 ? 0 : 1;
}
