// SPDX-License-Identifier: MIT
// All replicas: several workers that train together. Not part of <xgrad/xgrad.hpp>, because it needs threads.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/local/agn.hpp>
#include <xgrad/replicas/reports/communication.hpp>
#include <xgrad/replicas/compression/compression.hpp>
#include <xgrad/replicas/accumulators/conditional_accumulator.hpp>
#include <xgrad/replicas/local/diloco.hpp>
#include <xgrad/replicas/local/downpour.hpp>
#include <xgrad/replicas/local/elastic_average.hpp>
#include <xgrad/replicas/sync/faithful_replicas.hpp>
#include <xgrad/replicas/local/hogwild.hpp>
#include <xgrad/replicas/local/model_average.hpp>
#include <xgrad/replicas/moving_average.hpp>
#include <xgrad/replicas/reports/report.hpp>
#include <xgrad/replicas/shard.hpp>
#include <xgrad/replicas/accumulators/sparse_conditional_accumulator.hpp>
#include <xgrad/replicas/ranks/sync_ranks.hpp>
#include <xgrad/replicas/sync/sync_replicas.hpp>
#include <xgrad/replicas/reports/timeline_svg.hpp>
#include <xgrad/replicas/sync/token_queue.hpp>
#include <xgrad/config/macros_end.hpp>
