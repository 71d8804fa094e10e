// SPDX-License-Identifier: MIT
// Functions of replicas that a transport does not support.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/config/config.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// Rejects them at compile time, with an explanation.
struct only_in_threads {
    template<class... A>
    int add_worker(A const&...) {
        static_assert(sizeof...(A) != 0 && sizeof...(A) == 0,
            "xgrad: replicas.add_worker(): no worker can join over a transport, where each rank has one; start more ranks");
        return -1;
    }
    struct replay {
        template<class Replicas>
        explicit replay(Replicas&) {
            static_assert(sizeof(Replicas) == 0,
                "xgrad: replicas.replay: the replicas have a transport, but a schedule is run in one thread; remove the transport");
        }
    };
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
