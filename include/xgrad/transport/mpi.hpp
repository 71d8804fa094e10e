// SPDX-License-Identifier: MIT
// A transport whose ranks are the processes of an MPI program. No other header includes this one, because it needs MPI.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/arrays/owned.hpp>
#include <xgrad/transport/transport.hpp>

#ifndef OMPI_SKIP_MPICXX
#    define OMPI_SKIP_MPICXX 1   // the C interface is enough
#endif
#ifndef MPICH_SKIP_MPICXX
#    define MPICH_SKIP_MPICXX 1
#endif
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <climits>
#include <cstdio>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

XGRAD_NAMESPACE_BEGIN

/// `{.communicator = comm}`: the processes that take part.
struct mpi_options {
    MPI_Comm communicator = MPI_COMM_WORLD;
    std::size_t largest_piece = std::size_t{1} << 30;   // larger messages are described to MPI in pieces, because MPI counts in int
    /// Applies when replicas have lost a rank: how long the destructor waits for it before MPI_Abort ends the job.
    std::chrono::nanoseconds patience = std::chrono::seconds(30);
};

/// The processes of a communicator as ranks. The communicator is duplicated, so other messages of the program cannot get mixed up with
/// these. All processes must construct and destroy this object together.
///
/// *Initialization.* If MPI is not initialized yet, the constructor does it with MPI_THREAD_MULTIPLE, and the destructor finalizes MPI
/// unless the program has done so.
/// A program that initializes MPI itself must ask for at least MPI_THREAD_SERIALIZED. With less than MPI_THREAD_MULTIPLE it must not call
/// MPI elsewhere while this object is in use.
///
/// *Lost ranks.* MPI_Finalize would wait forever for a process that hangs. So the destructor ends the job if replicas have lost a rank, or
/// heard nothing from it until their deadline:
/// 1. It waits until all other ranks have come to their end.
/// 2. It waits for the lost rank, at most for `patience`.
/// 3. It then prints a line to stderr that names the rank, and MPI_Abort ends the job with status 1. Save results before.
///
/// *Waiting.* No call blocks inside MPI, so time-outs and stops end every wait. A waiting rank yields and then sleeps for longer and longer
/// periods, because there are often more processes than processors.
/// Messages are copied into memory that is reused.
class mpi {
    struct message {
        message_buffer bytes;
        received what{};
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Datatype type = MPI_BYTE;   // for messages of several pieces: one type that covers all bytes
    };
    using messages = std::vector<std::unique_ptr<message>>;
    struct state {
        MPI_Comm communicator = MPI_COMM_NULL, ending = MPI_COMM_NULL;   // for messages; for the final handshake in wait_for_all()
        bool finalises = false;
        std::size_t largest_piece = 0;
        std::chrono::nanoseconds patience{};
        std::vector<char> silent;   // ranks that replicas have lost; empty if none
        messages leaving, arriving, spare;

        ~state();
        void wait_for_all();
    };
    owned<state> state_;
    int rank_ = 0, size_ = 1;

    // Serializes the calls of MPI in this process: MPI_THREAD_SERIALIZED promises no more.
    static std::mutex& calls() {
        static std::mutex m;
        return m;
    }
    static void must(int code, char const* call) {
        if (code == MPI_SUCCESS) return;
        char text[MPI_MAX_ERROR_STRING];
        int length = 0;
        MPI_Error_string(code, text, &length);
        raise_parts<io_error>({"xgrad: ", call, ": ", std::string_view(text, static_cast<std::size_t>(length))});
    }
    // The functions below need the mutex of calls().
    std::unique_ptr<message> fresh() {
        auto& spare = state_->spare;
        if (spare.empty()) return std::unique_ptr<message>(new message);
        auto m = std::move(spare.back());
        spare.pop_back();
        return m;
    }
    static void free_type(message& m) {
        if (m.type != MPI_BYTE) MPI_Type_free(&m.type);
        m.type = MPI_BYTE;
    }
    // Returns the count to pass to MPI for `n` bytes, and sets the type of `m`.
    int describe(message& m, std::size_t n) const {
        std::size_t const piece = state_->largest_piece;
        if (n <= piece) return static_cast<int>(n);
        int const pieces = static_cast<int>(n / piece), rest = static_cast<int>(n % piece);
        MPI_Datatype whole = MPI_DATATYPE_NULL;
        must(MPI_Type_contiguous(static_cast<int>(piece), MPI_BYTE, &whole), "MPI_Type_contiguous");
        int const lengths[] = {pieces, rest};
        MPI_Aint const places[] = {0, static_cast<MPI_Aint>(piece) * pieces};
        MPI_Datatype const types[] = {whole, MPI_BYTE};
        int const made = MPI_Type_create_struct(2, lengths, places, types, &m.type);
        MPI_Type_free(&whole);
        must(made, "MPI_Type_create_struct");
        must(MPI_Type_commit(&m.type), "MPI_Type_commit");
        return 1;
    }
    // Recycles the memory of messages that have been sent.
    void advance() {
        auto& leaving = state_->leaving;
        for (std::size_t k = 0; k < leaving.size();) {
            int done = 0;
            must(MPI_Test(&leaving[k]->request, &done, MPI_STATUS_IGNORE), "MPI_Test");
            if (done == 0) {
                ++k;
                continue;
            }
            free_type(*leaving[k]);
            state_->spare.push_back(std::move(leaving[k]));
            leaving[k] = std::move(leaving.back());
            leaving.pop_back();
        }
    }
    // Starts to receive the next message that MPI has announced; false if no message has come.
    bool announce(int from, int tag) {
        int there = 0;
        MPI_Message handle = MPI_MESSAGE_NULL;
        MPI_Status status;
        must(MPI_Improbe(from == any_rank ? MPI_ANY_SOURCE : from, tag == any_tag ? MPI_ANY_TAG : tag, state_->communicator, &there,
                 &handle, &status),
            "MPI_Improbe");
        if (there == 0) return false;
        MPI_Count bytes = 0;
        must(MPI_Get_elements_x(&status, MPI_BYTE, &bytes), "MPI_Get_elements_x");
        auto m = fresh();
        auto const n = static_cast<std::size_t>(bytes);
        m->bytes.grow_to(n);
        m->what = {status.MPI_SOURCE, status.MPI_TAG, n};
        int const count = describe(*m, n);
        must(MPI_Imrecv(m->bytes.data(), count, m->type, &handle, &m->request), "MPI_Imrecv");
        state_->arriving.push_back(std::move(m));
        return true;
    }
    std::optional<received> take(int from, int tag, message_buffer& buffer) {
        auto& arriving = state_->arriving;
        for (std::size_t k = 0; k < arriving.size(); ++k) {
            message& m = *arriving[k];
            if ((from != any_rank && m.what.from != from) || (tag != any_tag && m.what.tag != tag)) continue;
            bool const waits_for_earlier = std::any_of(arriving.begin(), arriving.begin() + static_cast<std::ptrdiff_t>(k),
                [&](auto const& other) { return other->what.from == m.what.from && other->what.tag == m.what.tag; });
            int done = 0;
            if (!waits_for_earlier) must(MPI_Test(&m.request, &done, MPI_STATUS_IGNORE), "MPI_Test");
            if (waits_for_earlier || done == 0) continue;
            received const what = m.what;
            free_type(m);
            m.bytes.swap(buffer);
            state_->spare.push_back(std::move(arriving[k]));
            arriving.erase(arriving.begin() + static_cast<std::ptrdiff_t>(k));
            return what;
        }
        return {};
    }

public:
    /// Throws io_error with MPI's text, and value_error if MPI has been finalized, was initialized for a single thread, or largest_piece is
    /// 0.
    explicit mpi(mpi_options const& options = {}) : state_(new state) {
        if (options.largest_piece == 0) raise<value_error>("xgrad::mpi: largest_piece is 0; a message needs pieces of one byte at least");
        std::lock_guard const lock(calls());
        int initialised = 0, finalised = 0, level = 0;
        must(MPI_Finalized(&finalised), "MPI_Finalized");
        if (finalised != 0)
            raise<value_error>("xgrad::mpi: MPI has been finalised, and does not start twice; keep the first xgrad::mpi until the end");
        must(MPI_Initialized(&initialised), "MPI_Initialized");
        if (initialised == 0) {
            must(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &level), "MPI_Init_thread");
            state_->finalises = true;
        } else must(MPI_Query_thread(&level), "MPI_Query_thread");
        if (level < MPI_THREAD_SERIALIZED)
            raise<value_error>("xgrad::mpi: MPI has been initialised for one thread; ask MPI_Init_thread for MPI_THREAD_MULTIPLE");
        state_->patience = options.patience;
        state_->largest_piece = std::min(options.largest_piece, static_cast<std::size_t>(INT_MAX));
        must(MPI_Comm_dup(options.communicator, &state_->communicator), "MPI_Comm_dup");
        must(MPI_Comm_dup(state_->communicator, &state_->ending), "MPI_Comm_dup");
        must(MPI_Comm_set_errhandler(state_->ending, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
        must(MPI_Comm_set_errhandler(state_->communicator, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
        must(MPI_Comm_rank(state_->communicator, &rank_), "MPI_Comm_rank");
        must(MPI_Comm_size(state_->communicator, &size_), "MPI_Comm_size");
    }

    int rank() const { return rank_; }
    int size() const { return size_; }
    /// Marks a rank as lost: the destructor waits for it at most for `patience`.
    void note_silent(int rank) {
        detail::check_rank(rank_, size_, "note_silent", rank);
        std::lock_guard const lock(calls());
        state_->silent.resize(static_cast<std::size_t>(size_));
        state_->silent[static_cast<std::size_t>(rank)] = true;
    }
    /// Throws value_error if there is no such rank or the tag is negative, io_error with MPI's text, std::bad_alloc.
    void send(int to, int tag, std::span<message_bytes const> parts) {
        detail::check_rank(rank_, size_, "send", to);
        detail::check_tag(rank_, tag);
        std::size_t n = 0;
        for (message_bytes const p : parts) n += p.size();
        std::unique_ptr<message> m;
        {
            std::lock_guard const lock(calls());
            advance();
            m = fresh();
            state_->leaving.reserve(state_->leaving.size() + 1);
        }
        m->bytes.grow_to(n);
        std::size_t at = 0;
        for (message_bytes const p : parts) {
            if (!p.empty()) std::memcpy(m->bytes.data() + at, p.data(), p.size());
            at += p.size();
        }
        std::lock_guard const lock(calls());
        int const count = describe(*m, n);
        must(MPI_Isend(m->bytes.data(), count, m->type, to, tag, state_->communicator, &m->request), "MPI_Isend");
        state_->leaving.push_back(std::move(m));
    }
    std::optional<received> try_receive(int from, int tag, message_buffer& buffer, wait_options const& options = {}) {
        if (from != any_rank) detail::check_rank(rank_, size_, "receive", from);
        auto const deadline = detail::deadline_of(options.timeout);
        for (int turn = 0;; ++turn) {
            {
                std::lock_guard const lock(calls());
                advance();
                while (announce(from, tag)) {}
                if (auto const r = take(from, tag, buffer)) return r;
            }
            if (options.stop.stop_requested() || std::chrono::steady_clock::now() >= deadline) return {};
            if (turn < 64) std::this_thread::yield();
            else std::this_thread::sleep_for(std::chrono::microseconds(std::min(turn - 63, 50) * 10));
        }
    }
};

// Final handshake: every rank tells all others that it has come to its end. Once only lost ranks are missing, the wait for them is limited
// to `patience`.
inline void mpi::state::wait_for_all() {
    int rank = 0, size = 0, done = 0;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &size);
    auto const n = static_cast<std::size_t>(size);
    silent.resize(n);
    std::vector<MPI_Request> said(n, MPI_REQUEST_NULL), heard(n, MPI_REQUEST_NULL);
    for (int k = 0; k < size; ++k) {
        if (k == rank) continue;
        auto const at = static_cast<std::size_t>(k);
        if (MPI_Irecv(nullptr, 0, MPI_BYTE, k, 0, ending, &heard[at]) != MPI_SUCCESS ||
            MPI_Isend(nullptr, 0, MPI_BYTE, k, 0, ending, &said[at]) != MPI_SUCCESS)
            return;
    }
    auto deadline = detail::no_deadline;   // set once only lost ranks are missing
    for (;;) {
        bool all = true, others = true;
        int missing = -1;
        for (std::size_t k = 0; k < n; ++k) {
            if (MPI_Test(&heard[k], &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) return;
            if (done != 0) continue;   // true for a null request too
            all = false;
            others = others && silent[k] != 0;
            missing = static_cast<int>(k);
        }
        if (all) break;
        if (others && deadline == detail::no_deadline) deadline = detail::deadline_of(patience);
        if (others && std::chrono::steady_clock::now() >= deadline) {
            std::fprintf(stderr,
                "xgrad::mpi: rank %d: rank %d was lost, and has not come to the end within %lld ms; MPI_Abort ends the job\n", rank,
                missing, static_cast<long long>(std::chrono::duration_cast<std::chrono::milliseconds>(patience).count()));
            std::fflush(stderr);
            MPI_Abort(communicator, 1);
        }
        std::this_thread::sleep_for(std::chrono::microseconds(500));
    }
    for (MPI_Request& r : said)
        while (MPI_Test(&r, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && done == 0)
            std::this_thread::sleep_for(std::chrono::microseconds(50));
}
inline mpi::state::~state() {
    std::lock_guard const lock(calls());
    int finalised = 0;
    MPI_Finalized(&finalised);
    if (finalised != 0) return;   // the program has finalized MPI, which freed everything
    if (communicator != MPI_COMM_NULL) {
        // Messages that are never received must not keep the program from ending. After a time limit their memory is leaked on purpose.
        auto const deadline = std::chrono::steady_clock::now() + std::chrono::seconds(5);
        for (auto* list : {&leaving, &arriving})
            for (auto& m : *list) {
                int done = 0;
                while (MPI_Test(&m->request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && done == 0 &&
                       std::chrono::steady_clock::now() < deadline)
                    std::this_thread::sleep_for(std::chrono::microseconds(50));
                if (done != 0) {
                    free_type(*m);
                    continue;
                }
                MPI_Request_free(&m->request);
                static_cast<void>(m.release());
            }
        // Not needed if the program finalizes MPI itself and no rank was lost.
        if (ending != MPI_COMM_NULL) {
            if (finalises || !silent.empty()) wait_for_all();
            MPI_Comm_free(&ending);
        }
        MPI_Comm_free(&communicator);
    }
    if (finalises) MPI_Finalize();
}

static_assert(Transport<mpi>);

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
