// SPDX-License-Identifier: MIT
// What a method of workers that take steps of their own consists of.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/config/config.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// Of an exchange of one worker with the centre: the centre has moved, what the worker has given is too old, or it has only taken something.
enum class exchange_result { moved, refused, taken };

// What a method does, and where. `Method` is made of the centre and its settings, and has
//
//     using model = ...;              a local_model<P>, and what else a worker keeps; made of new_worker<P> and the settings
//     void begin(model&)              it takes the variables of the centre; under a lock that lets others read
//     void start()                    sizes and addresses as they are now
//     bool step(model&)               the worker's own update, once it has computed gradients; whether it wants to the centre now
//     bool meets() const              whether all workers exchange together, or each alone; what cannot be asked for may be left out:
//     exchange_result exchange(model&)    alone: the centre moves, and the worker takes what it wants from there
//     void meet(model* const*, int)   together: the centre moves; then take(model&) of each, under a lock that lets others read
//     void bring(model&)              together: what a worker does before, under such a lock
//     std::size_t needed() const      together: how many are waited for, if not all; what others bring that had begun before is dropped, and they take(model&)
//     void check(settings const&)     throws value_error; static, as is describe(std::string&, settings const&), in which of them ranks must agree
//     void keep(model&, Pass const&)  static: what a worker keeps from run to run besides slots, scalars and steps; may be left out
//     void give(model&, Pass const&)  between ranks: what the centre needs of a worker, listed for who writes and who reads it; the centre's model is an image
//     void reply(model&, Pass const&) likewise what comes back, into the model and the image of the centre; then resume(model&) of the worker
//
// exchange and meet get `move`, a function that calls what it is given while nobody reads the centre; what may throw stands before.

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
