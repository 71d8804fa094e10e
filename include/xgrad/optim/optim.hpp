// SPDX-License-Identifier: MIT
// All update rules, transforms and schedules.
#pragma once

#include <xgrad/optim/adafactor.hpp>
#include <xgrad/optim/adagrad.hpp>
#include <xgrad/optim/adam.hpp>
#include <xgrad/optim/adamw.hpp>
#include <xgrad/optim/averages.hpp>
#include <xgrad/optim/chain.hpp>
#include <xgrad/optim/clip_gradients.hpp>
#include <xgrad/optim/constraints.hpp>
#include <xgrad/optim/decay.hpp>
#include <xgrad/optim/ftrl.hpp>
#include <xgrad/optim/gated.hpp>
#include <xgrad/optim/gradient_transforms.hpp>
#include <xgrad/optim/lamb.hpp>
#include <xgrad/optim/lazy_adam.hpp>
#include <xgrad/optim/momentum.hpp>
#include <xgrad/optim/more_schedules.hpp>
#include <xgrad/optim/prodigy.hpp>
#include <xgrad/optim/rms_prop.hpp>
#include <xgrad/optim/rowwise_adagrad.hpp>
#include <xgrad/optim/schedules.hpp>
#include <xgrad/optim/sgd.hpp>
