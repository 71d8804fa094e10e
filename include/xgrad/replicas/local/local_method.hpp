// SPDX-License-Identifier: MIT
// The interface of methods whose workers take their own steps.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/config/config.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// The result of one worker's exchange with the centre: the centre has moved, the contribution was too old, or the worker has only pulled.
enum class exchange_result { moved, refused, taken };

// The interface of `Method`. It is constructed from the centre and its settings. Functions that a method never needs may be missing.
//
//     using model = ...;              a local_model<P> and whatever else a worker keeps; made of new_worker<P> and the settings
//     void begin(model&)              the worker pulls the centre's variables; called under a shared lock
//     void start()                    reads the current sizes and addresses
//     bool step(model&)               the worker's own update after it has computed gradients; true: it wants an exchange now
//     bool meets() const              true: all workers exchange together; false: each alone
//
//     exchange_result exchange(model&)   alone: moves the centre, and the worker pulls what it wants
//
//     void bring(model&)              together: the worker's preparation; called under a shared lock
//     void meet(model* const*, int)   together: moves the centre; then take(model&) of each worker
//     void take(model&)               together: the worker pulls what it wants; called under a shared lock
//     std::size_t needed() const      together: how many workers are waited for, if not all. A contribution that was begun before the last
//                                     meeting is dropped, and its worker calls take(model&)
//
//     void check(settings const&)     static: throws value_error
//     void describe(std::string&, settings const&)   static: the text of the settings in which ranks must agree.
//     void keep(model&, Pass const&)  static: passes what a worker keeps from run to run besides slots, scalars and steps. Optional.
//
//     `pass(x)` writes x to a message or reads it back; one function serves both directions. Image: rank 0's copy of the worker's model.
//     void give(model&, Pass const&)  ranks: passes what the centre needs from a worker. The centre reads it into its image of the worker.
//     void reply(model&, Pass const&) ranks: passes what comes back, from the image into the worker's model.
//     void resume(model&)             ranks: called for the worker after the reply
//
// exchange and meet are given a function `move`. It calls its argument while no other thread reads the centre. Anything that may throw must
// come before `move`.

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
