// SPDX-License-Identifier: MIT
// A folder of checkpoints of one run: saves after a number of steps or seconds, and keeps the last few.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/io/checkpoint.hpp>
#include <xgrad/io/folder.hpp>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>

#include <sys/stat.h>

XGRAD_NAMESPACE_BEGIN

/// When a saver saves, and how many files it keeps.
/// Source: TensorFlow 1's tf.train.Saver (max_to_keep, 5 by default) and CheckpointSaverHook (save_steps, save_secs).
struct saver_options {
    std::string name = "model";     // files are called <name>-<steps>.safetensors
    int max_to_keep = 5;            // 0: all
    std::int64_t every_steps = 0;   // save_if_due saves this many steps after the last checkpoint; 0: not by steps
    double every_seconds = 0;       // or this many seconds after it; 0: not by time
};

namespace detail {

/// The steps of the checkpoints of that name in a folder, ascending. A missing folder has none. Throws io_error if the folder cannot
/// be read.
sequence<std::int64_t> steps_in(std::string const& folder, std::string_view name);
/// The last of them; -1 without a checkpoint.
std::int64_t last_in(std::string const& folder, std::string_view name);
std::string checkpoint_path(std::string const& folder, std::string_view name, std::int64_t steps);
/// Checks the options and makes the folder if it is missing. Returns the steps of its last checkpoint, or 0.
std::int64_t open_checkpoint_folder(std::string& folder, saver_options const& options);
/// The path of the next checkpoint. Throws io_error if the folder has a checkpoint of later steps.
std::string next_checkpoint(std::string const& folder, saver_options const& options, std::int64_t steps);
/// Removes all but the last `max_to_keep` checkpoints.
void keep_last(std::string const& folder, saver_options const& options);

#if XGRAD_COMPILED != 1
XGRAD_COLD XGRAD_HOST std::string checkpoint_path(std::string const& folder, std::string_view name, std::int64_t steps) {
    return message({folder, name, "-", steps, ".safetensors"});
}
XGRAD_COLD XGRAD_HOST sequence<std::int64_t> steps_in(std::string const& folder, std::string_view name) {
    sequence<std::int64_t> found;
    bool const read = visit_folder(folder, [&](std::string_view file) {
        std::uint64_t steps = 0;
        if (take_ending(file, ".safetensors") && take_number(file, steps) && take_ending(file, "-") && file == name)
            found.push(static_cast<std::int64_t>(steps));
    });
    if (!read && errno != ENOENT) raise_parts<io_error>({folder, ": cannot read this folder: ", std::strerror(errno)});
    for (int k = 1; k < found.count; ++k)
        for (int i = k; i > 0 && found.at[i - 1] > found.at[i]; --i) std::swap(found.at[i - 1], found.at[i]);
    return found;
}
XGRAD_COLD XGRAD_HOST std::int64_t last_in(std::string const& folder, std::string_view name) {
    sequence<std::int64_t> const there = steps_in(folder, name);
    return there.count > 0 ? there.at[there.count - 1] : -1;
}
XGRAD_COLD XGRAD_HOST std::int64_t open_checkpoint_folder(std::string& folder, saver_options const& options) {
    if (options.name.empty() || options.name.find('/') != std::string::npos)
        raise_parts<value_error>({"xgrad::saver: the name of checkpoints is \"", options.name, "\"; it must not be empty or have a slash"});
    if (options.max_to_keep < 0)
        raise_parts<value_error>({"xgrad::saver: max_to_keep is ", options.max_to_keep, "; it must be 0 (all) or positive"});
    if (options.every_steps < 0 || !(options.every_seconds >= 0))
        raise_parts<value_error>({"xgrad::saver: every_steps and every_seconds must be 0 (never) or positive"});
    if (!folder.empty() && folder.back() != '/') folder += '/';
    if (folder.empty()) folder = "./";
    if (::mkdir(folder.c_str(), 0777) != 0 && errno != EEXIST)
        raise_parts<io_error>({folder, ": cannot make this folder: ", std::strerror(errno)});
    std::int64_t const last = last_in(folder, options.name);
    return last < 0 ? 0 : last;
}
XGRAD_COLD XGRAD_HOST std::string next_checkpoint(std::string const& folder, saver_options const& options, std::int64_t steps) {
    std::string path = checkpoint_path(folder, options.name, steps);
    if (std::int64_t const last = last_in(folder, options.name); last > steps)
        raise_parts<io_error>({path, ": is not saved: the folder has ", checkpoint_path(folder, options.name, last),
            ", of a later step. Restore that one, remove the checkpoints after the restored one, or take another folder"});
    return path;
}
XGRAD_COLD XGRAD_HOST void keep_last(std::string const& folder, saver_options const& options) {
    if (options.max_to_keep == 0) return;
    sequence<std::int64_t> const there = steps_in(folder, options.name);
    for (int k = 0; k < there.count - options.max_to_keep; ++k) {
        std::string const path = checkpoint_path(folder, options.name, there.at[k]);
        if (std::remove(path.c_str()) != 0 && errno != ENOENT)
            raise_parts<io_error>({path, ": cannot be removed, the new checkpoint is in its place: ", std::strerror(errno)});
    }
}
#endif

}   // namespace detail

/// The path of the checkpoint with the most steps of that name in a folder; empty if there is no checkpoint or no folder. Files
/// appear whole or not at all, so the result can be restored, however the process before ended. Throws io_error if the folder cannot
/// be read.
inline std::string latest_checkpoint(std::string folder, std::string const& name = "model") {
    if (!folder.empty() && folder.back() != '/') folder += '/';
    std::int64_t const last = detail::last_in(folder, name);
    return last < 0 ? std::string() : detail::checkpoint_path(folder, name, last);
}

/// Saves a run into a folder as `<name>-<steps>.safetensors`, with the steps of the owner's store, and keeps the last `max_to_keep`
/// files.
///
///     xg::saver saver("run", {.max_to_keep = 3, .every_steps = 1000, .every_seconds = 600});
///     if (auto const last = xg::latest_checkpoint("run"); !last.empty()) xg::restore(train, last);
///     while (...) { train(x = batch); saver.save_if_due(train); }
///
/// * A missing folder is made; its parent must exist.
/// * A folder belongs to one run that moves forward. Saving fewer steps than its last checkpoint has is an io_error, because
///   latest_checkpoint would continue with that one.
/// * Over MPI only rank 0 has a saver.
/// * Throws value_error for invalid options.
class saver {
    std::string folder_;
    saver_options options_;
    std::int64_t last_steps_;
    std::chrono::steady_clock::time_point last_time_ = std::chrono::steady_clock::now();

    bool due(std::int64_t steps) const {
        if (steps == last_steps_) return false;
        if (options_.every_steps > 0 && steps - last_steps_ >= options_.every_steps) return true;
        return options_.every_seconds > 0 &&
               std::chrono::duration<double>(std::chrono::steady_clock::now() - last_time_).count() >= options_.every_seconds;
    }

public:
    template<class Owner, class... A>   // saver(train, folder)
        requires(!std::is_convertible_v<Owner const&, std::string> && requires(Owner& owner) { owner.store(); })
    explicit saver(Owner const&, A const&...) {
        static_assert(
            sizeof(Owner) == 0, "xgrad::saver: an owner is given in place of the folder; write saver keep(\"folder\"); keep.save(train)");
    }
    explicit saver(std::string folder, saver_options options = {})
        : folder_(std::move(folder)), options_(std::move(options)), last_steps_(detail::open_checkpoint_folder(folder_, options_)) {}

    /// Saves now, like xg::save(owner, path, metadata, words...), and removes old checkpoints. Returns the path.
    template<class Owner, SavedBeside... V>
    std::string save(Owner& owner, std::map<std::string, std::string> const& metadata = {}, V const&... words) {
        std::string path = detail::next_checkpoint(folder_, options_, owner.store().steps);
        xgrad::save(owner, path, metadata, words...);
        last_steps_ = owner.store().steps;
        last_time_ = std::chrono::steady_clock::now();
        detail::keep_last(folder_, options_);
        return path;
    }
    /// Saves if `every_steps` steps or `every_seconds` seconds have passed since the last checkpoint. Returns true if it has saved.
    /// At first the steps count from the last checkpoint of the folder, or step 0, and the seconds from the construction of the
    /// saver.
    template<class Owner, SavedBeside... V>
    bool save_if_due(Owner& owner, std::map<std::string, std::string> const& metadata = {}, V const&... words) {
        if (!due(owner.store().steps)) return false;
        save(owner, metadata, words...);
        return true;
    }
    template<class... A>   // save(path, train), save(train, batches)
    void save(A const&...) {
        static_assert(sizeof...(A) > 1000,
            "xgrad: saver.save(owner, metadata, others...): the owner is not first, or the second argument is not a map of texts; "
            "write saver.save(train), or saver.save(train, {}, batches)");
    }
    template<class... A>
    bool save_if_due(A const&... a) {
        save(a...);
        return false;
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
