// SPDX-License-Identifier: MIT
// Reports of synchronous replicas as text: a table for the end, a line for a running run.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/reports/decimal_text.hpp>
#include <xgrad/replicas/sync/sync_options.hpp>

#include <algorithm>
#include <string>
#include <vector>

XGRAD_NAMESPACE_BEGIN

/// The mean number of gradients in an update; 0 before the first one. Multiplied by the rows of a worker's batch this is the batch size of
/// an update.
inline double gradients_per_update(sync_report const& r) {
    std::int64_t accepted = -r.left;
    for (worker_report const& w : r.workers) accepted += w.accepted;
    return r.updates == 0 ? 0 : static_cast<double>(accepted) / static_cast<double>(r.updates);
}

namespace detail {

/// `part` as a percentage of `all`, or a dash if `all` is zero.
XGRAD_COLD inline std::string share_text(double part, double all) {
    return all > 0 ? decimal_text(100 * std::clamp(part / all, 0.0, 1.0), 0) + " %" : "-";
}
/// "40 updates of 1.95 gradients, 1 left"
XGRAD_COLD inline std::string updates_text(sync_report const& r) {
    return message({r.updates, r.updates == 1 ? " update of " : " updates of ", decimal_text(gradients_per_update(r), 2), " gradients, ",
        r.left, " left"});
}

}   // namespace detail

/// A table of fixed width with a row for each worker: steps, accepted and dropped gradients, seconds of waiting for tokens, and seconds of
/// making updates. Next to the seconds are their shares of the run. The last line has the number of updates, the mean number of gradients
/// in them, and the gradients left over.
inline std::string to_table(sync_report const& report) {
    std::vector<std::vector<std::string>> rows{
        {"worker", "steps", "accepted", "dropped", "waiting (s)", "share", "updating (s)", "share", ""}};
    worker_report sum;
    auto const add = [&](std::string const& name, worker_report const& w, double seconds) {
        rows.push_back({name, message({w.steps}), message({w.accepted}), message({w.dropped}), detail::decimal_text(w.waited, 3),
            detail::share_text(w.waited, seconds), detail::decimal_text(w.updated, 3), detail::share_text(w.updated, seconds),
            w.lost ? "lost" : ""});
    };
    for (std::size_t k = 0; k < report.workers.size(); ++k) {
        worker_report const& w = report.workers[k];
        add(message({static_cast<std::int64_t>(k)}), w, report.seconds);
        sum.steps += w.steps;
        sum.accepted += w.accepted;
        sum.dropped += w.dropped;
        sum.waited += w.waited;
        sum.updated += w.updated;
    }
    add("all", sum, report.seconds * static_cast<double>(report.workers.size()));

    std::vector<std::size_t> width(rows[0].size());
    for (auto const& row : rows)
        for (std::size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], row[c].size());
    std::string out;
    for (auto const& row : rows) {
        for (std::size_t c = 0; c < row.size(); ++c) {
            std::string const padding(width[c] - row[c].size(), ' ');
            if (c == 0) out += row[c] + padding;
            else if (c + 1 < row.size()) out += "  " + padding + row[c];
            else if (!row[c].empty()) out += "  " + row[c];
        }
        out += '\n';
    }
    append(out, {detail::updates_text(report)});
    if (report.seconds > 0)
        append(out, {", ", detail::decimal_text(report.seconds, 3), " s, ",
                        detail::decimal_text(static_cast<double>(report.updates) / report.seconds, 1), " updates/s"});
    return out + "\n";
}

/// One line without a line end, for the report of a current run:
///
///     2.5 s, 40 updates of 1.95 gradients, 1 left | 0: 41 steps, 1 dropped, 12 % waiting | ...
inline std::string to_line(sync_report const& report) {
    std::string out;
    append(out, {detail::decimal_text(report.seconds, 1), " s, ", detail::updates_text(report)});
    for (std::size_t k = 0; k < report.workers.size(); ++k) {
        worker_report const& w = report.workers[k];
        append(out, {" | ", static_cast<std::int64_t>(k), ": ", w.steps, w.steps == 1 ? " step, " : " steps, ", w.dropped, " dropped, ",
                        detail::share_text(w.waited, report.seconds), " waiting", w.lost ? ", lost" : ""});
    }
    return out;
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
