// SPDX-License-Identifier: MIT
// Reports of replicas as text.
#include <xgrad/replicas/reports/report.hpp>

#include <doctest/doctest.h>

namespace xg = xgrad;

static xg::sync_report some() {
    xg::sync_report r;
    r.workers = {{.steps = 41, .accepted = 40, .dropped = 1, .waited = 0.3, .updated = 0.125},
        {.steps = 40, .accepted = 39, .dropped = 1, .waited = 1.25, .updated = 0, .lost = true}};
    r.updates = 39;
    r.left = 1;
    r.seconds = 2.5;
    return r;
}

TEST_CASE("numbers with a point") {
    using xg::detail::decimal_text;
    CHECK(decimal_text(0, 0) == "0");
    CHECK(decimal_text(2.5, 1) == "2.5");
    CHECK(decimal_text(0.0049, 2) == "0.00");
    CHECK(decimal_text(-0.0049, 2) == "0.00");   // no sign of nothing
    CHECK(decimal_text(-0.005, 2) == "-0.01");
    CHECK(decimal_text(12.0625, 3) == "12.063");
    CHECK(decimal_text(0.999, 2) == "1.00");
    CHECK(decimal_text(-1234567.891, 3) == "-1234567.891");
}
TEST_CASE("a table of what became of the gradients") {
    CHECK(xg::to_table(some()) == "worker  steps  accepted  dropped  waiting (s)  share  updating (s)  share\n"
                                  "0          41        40        1        0.300   12 %         0.125    5 %\n"
                                  "1          40        39        1        1.250   50 %         0.000    0 %  lost\n"
                                  "all        81        79        2        1.550   31 %         0.125    3 %\n"
                                  "39 updates of 2.00 gradients, 1 left, 2.500 s, 15.6 updates/s\n");
}
TEST_CASE("a line while they run") {
    CHECK(
        xg::to_line(some()) ==
        "2.5 s, 39 updates of 2.00 gradients, 1 left | 0: 41 steps, 1 dropped, 12 % waiting | 1: 40 steps, 1 dropped, 50 % waiting, lost");
}
TEST_CASE("reports of nothing") {
    xg::sync_report r;
    CHECK(xg::to_table(r) == "worker  steps  accepted  dropped  waiting (s)  share  updating (s)  share\n"
                             "all         0         0        0        0.000      -         0.000      -\n"
                             "0 updates of 0.00 gradients, 0 left\n");
    CHECK(xg::to_line(r) == "0.0 s, 0 updates of 0.00 gradients, 0 left");
    r.workers.resize(1);
    r.workers[0].steps = r.workers[0].accepted = 1;   // it has come, and no update yet
    r.left = 1;
    CHECK(xg::gradients_per_update(r) == 0);
    CHECK(xg::to_line(r) == "0.0 s, 0 updates of 0.00 gradients, 1 left | 0: 1 step, 0 dropped, - waiting");
}
TEST_CASE("the mean batch is that of updates, without what is left") {
    xg::sync_report r = some();
    r.updates = 40;
    r.left = 0;
    CHECK(xg::gradients_per_update(r) == doctest::Approx(79.0 / 40));
}
