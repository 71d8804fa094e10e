// SPDX-License-Identifier: MIT
// A file that appears whole or not at all: it is written to a temporary file in the same folder, flushed to disk and renamed.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/error.hpp>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

#if __has_include( \
    <unistd.h>) && __has_include(<fcntl.h>) && __has_include(<sys/stat.h>) && __has_include(<sys/file.h>) && __has_include(<dirent.h>)
#    include <xgrad/io/folder.hpp>

#    include <fcntl.h>
#    include <sys/file.h>
#    include <sys/stat.h>
#    include <unistd.h>
#    define XGRAD_HAS_FSYNC 1
#else
#    define XGRAD_HAS_FSYNC 0
#endif

XGRAD_NAMESPACE_BEGIN

#if XGRAD_HAS_FSYNC
namespace detail {

/// A temporary file is called <target>.xgrad_<process>_<number>.tmp. Its writer holds a lock on it (flock). The lock ends with the
/// process, also after a crash, so an unlocked temporary file is left over.
XGRAD_COLD inline bool is_temporary(std::string_view name) {
    std::uint64_t number = 0;
    return take_ending(name, ".tmp") && take_number(name, number) && take_ending(name, "_") && take_number(name, number) &&
           take_ending(name, ".xgrad_") && !name.empty();
}
XGRAD_COLD inline bool is_file_at(int file, std::string const& path) {
    struct ::stat open {
    }, there{};
    return ::fstat(file, &open) == 0 && ::lstat(path.c_str(), &there) == 0 && open.st_dev == there.st_dev && open.st_ino == there.st_ino;
}
/// Removes temporary files of killed processes from a folder, for all targets. Files that cannot be removed stay.
XGRAD_COLD inline void remove_left_over(std::string const& folder) {
    sequence<std::string> names;   // a folder that changes while it is read may skip files
    visit_folder(folder, [&](std::string_view name) {
        if (is_temporary(name)) names.push(std::string(name));
    });
    for (std::string const& name : names) {
        std::string const path = folder + name;
        int const file = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
        if (file < 0) continue;
        if (::flock(file, LOCK_EX | LOCK_NB) == 0 && is_file_at(file, path)) ::unlink(path.c_str());
        ::close(file);
    }
}

}   // namespace detail
#endif

/// Writes a file so that a reader, also after a crash, finds either the complete old content or the complete new content.
///
/// * Before `commit` the file at `path` is not touched.
/// * After any failure the temporary file is removed and io_error is thrown.
/// * Temporary files of killed processes in the same folder are removed.
/// * A symbolic link at `path` is replaced, not followed. A folder or a device is refused.
class atomic_file {
public:
    XGRAD_COLD explicit atomic_file(std::string path) : target_(std::move(path)) {
        if (target_.empty()) raise<io_error>("xgrad: the path of the file is empty");
#if XGRAD_HAS_FSYNC
        struct ::stat about {};   // otherwise root could replace /dev/null by a file
        if (::stat(target_.c_str(), &about) == 0 && (about.st_mode & S_IFMT) != S_IFREG)
            raise_parts<io_error>({target_, ": is not a regular file"});
#endif
        create();
        if (!file_)
            raise_parts<io_error>({target_, ": cannot create a temporary file next to it: ", std::strerror(errno),
                errno == ENOENT ? "; make its folder first" : ""});
    }
    atomic_file(atomic_file const&) = delete;
    atomic_file& operator=(atomic_file const&) = delete;
    ~atomic_file() { discard(); }

    XGRAD_COLD void write(void const* data, std::size_t bytes) {
        if (bytes != 0 && std::fwrite(data, 1, bytes, file_) != bytes) fail("cannot write");
    }

    /// Flushes the data to disk, renames the file to its target, and flushes the entry of the folder.
    XGRAD_COLD void commit() {
        if (std::fflush(file_) != 0) fail("cannot write");
#if XGRAD_HAS_FSYNC
        if (::fsync(::fileno(file_)) != 0) fail("cannot flush to disk");
#else
        close();   // not every system renames open files; with locks, the file stays open and locked until it is renamed
#endif
        if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail("cannot put the new file in place");
        temporary_.clear();
        close();
        flush_folder();
    }

private:
    // Leaves file_ null if it fails; errno has the reason.
    XGRAD_COLD void create() {
        static std::uint64_t count = 0;
#if XGRAD_HAS_FSYNC
        detail::remove_left_over(detail::folder_of(target_));
#endif
        do {
            std::uint64_t const number = __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
            errno = 0;
#if XGRAD_HAS_FSYNC
            temporary_ = target_ + message({".xgrad_", std::int64_t{::getpid()}, "_", number, ".tmp"});
            int const file = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
            if (file < 0) continue;
            while (::flock(file, LOCK_EX) != 0 && errno == EINTR) {}   // a file system without locks gives none to others either
            // Before it was locked, another process may have removed it as left over.
            bool const taken = !detail::is_file_at(file, temporary_);
            if (!taken && (file_ = ::fdopen(file, "wb")) != nullptr) break;
            int const why = taken ? EEXIST : errno;
            ::unlink(temporary_.c_str());
            ::close(file);
            errno = why;
#else
            temporary_ = target_ + message({".xgrad_0_", number, ".tmp"});
            file_ = std::fopen(temporary_.c_str(), "wbx");   // x: fails if the file exists, which another writer has made
#endif
        } while (!file_ && errno == EEXIST);
    }

    XGRAD_COLD void close() noexcept {
        if (file_) std::fclose(file_);
        file_ = nullptr;
    }

    [[noreturn]] XGRAD_COLD void fail(char const* what) {
        std::string const text = message({target_, ": ", what, ": ", std::strerror(errno), "; the file is as it was before"});
        discard();   // also here, because the destructor never runs without exceptions
        raise<io_error>(text);
    }

    XGRAD_COLD void discard() noexcept {
        if (!temporary_.empty()) std::remove(temporary_.c_str());
        temporary_.clear();
        close();
    }

    // The new file is complete and in place. If the file system cannot flush folders, that is not reported as a failure.
    XGRAD_COLD void flush_folder() const noexcept {
#if XGRAD_HAS_FSYNC
        int const folder = ::open(detail::folder_of(target_).c_str(), O_RDONLY);
        if (folder < 0) return;
        ::fsync(folder);
        ::close(folder);
#endif
    }

    std::string target_, temporary_;
    std::FILE* file_ = nullptr;
};

XGRAD_NAMESPACE_END

#undef XGRAD_HAS_FSYNC
#include <xgrad/config/macros_end.hpp>
