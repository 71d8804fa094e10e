// SPDX-License-Identifier: MIT
// All metrics, and early_stopping. Each metric has update(...) for a batch, result() and reset(). It reads everything
// that can be bound to an input.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/metrics/accuracy.hpp>
#include <xgrad/metrics/confusion_matrix.hpp>
#include <xgrad/metrics/early_stopping.hpp>
#include <xgrad/metrics/log_loss.hpp>
#include <xgrad/metrics/mean.hpp>
#include <xgrad/metrics/precision_recall.hpp>
#include <xgrad/metrics/roc_auc.hpp>
#include <xgrad/config/macros_end.hpp>
