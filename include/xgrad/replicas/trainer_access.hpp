// SPDX-License-Identifier: MIT
// What replicas use of a trainer beyond what its users see.
#pragma once

#include <xgrad/train/trainer.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

struct trainer_access {
    template<class P>
    static auto& state(trainer<P>& t) {
        return *t.state_;
    }
    /// Calls all functions among the hyper-parameters, which may throw; gives the powers as they will be behind the update.
    template<class P>
    static double* begin(trainer<P>& t) {
        return t.begin(typename trainer<P>::every_group{});
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
