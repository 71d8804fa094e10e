// SPDX-License-Identifier: MIT
// A file that appears whole or not at all: temporary file beside it, flush to disk, rename.
#pragma once

#include <xgrad/core/error.hpp>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <string>

#if __has_include(<unistd.h>) && __has_include(<fcntl.h>) && __has_include(<sys/stat.h>)
#    include <fcntl.h>
#    include <sys/stat.h>
#    include <unistd.h>
#    define XGRAD_HAS_FSYNC 1
#else
#    define XGRAD_HAS_FSYNC 0
#endif

XGRAD_NAMESPACE_BEGIN

/// Writes a file so that a reader, or a crash, meets either the old content or all of the new one. Until `commit` nothing of `path` is
/// touched; on any failure the temporary file is removed and io_error raised. A symbolic link at `path` is replaced, not followed; a folder or a
/// device is refused.
class atomic_file {
public:
    XGRAD_COLD explicit atomic_file(std::string path) : target_(std::move(path)) {
#if XGRAD_HAS_FSYNC
        struct ::stat about {};   // root may put a file in the place of /dev/null
        if (::stat(target_.c_str(), &about) == 0 && (about.st_mode & S_IFMT) != S_IFREG)
            raise_parts<io_error>({target_, ": is not a regular file"});
#endif
        for (int attempt = 0; attempt < 100 && !file_; ++attempt) {
            temporary_ = message({target_, ".tmp", attempt});
            errno = 0;
            file_ = std::fopen(temporary_.c_str(), "wbx");   // x: never takes over another writer's temporary file
            if (!file_ && errno != EEXIST) break;
        }
        if (!file_) raise_parts<io_error>({target_, ": cannot create a temporary file beside it: ", std::strerror(errno)});
    }
    atomic_file(atomic_file const&) = delete;
    atomic_file& operator=(atomic_file const&) = delete;
    ~atomic_file() { discard(); }

    XGRAD_COLD void write(void const* data, std::size_t bytes) {
        if (bytes != 0 && std::fwrite(data, 1, bytes, file_) != bytes) fail("cannot write");
    }

    /// Flushes the data to disk, puts the file in its place, and flushes the folder's entry.
    XGRAD_COLD void commit() {
        if (std::fflush(file_) != 0) fail("cannot write");
#if XGRAD_HAS_FSYNC
        if (::fsync(::fileno(file_)) != 0) fail("cannot flush to disk");
#endif
        std::FILE* const file = file_;
        file_ = nullptr;
        if (std::fclose(file) != 0) fail("cannot close");
        if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail("cannot put the new file in place");
        temporary_.clear();
        flush_folder();
    }

private:
    [[noreturn]] XGRAD_COLD void fail(char const* what) {
        std::string const text = message({target_, ": ", what, ": ", std::strerror(errno), "; the file is as it was before"});
        discard();   // here and not only in the destructor: without exceptions the destructor never runs
        raise<io_error>(text);
    }

    XGRAD_COLD void discard() noexcept {
        if (file_) std::fclose(file_);
        file_ = nullptr;
        if (!temporary_.empty()) std::remove(temporary_.c_str());
        temporary_.clear();
    }

    // The new file is complete and in place: a file system that cannot flush folders is no reason to report a failure.
    XGRAD_COLD void flush_folder() const noexcept {
#if XGRAD_HAS_FSYNC
        std::size_t const slash = target_.rfind('/');
        std::string const parent = message({slash == std::string::npos ? "." : std::string_view(target_).substr(0, slash + 1)});
        int const folder = ::open(parent.c_str(), O_RDONLY);
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
