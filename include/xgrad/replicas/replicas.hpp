// SPDX-License-Identifier: MIT
// All replicas: several workers that train together. Not part of <xgrad/xgrad.hpp>, because it needs threads.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/agn.hpp>
#include <xgrad/replicas/communication.hpp>
#include <xgrad/replicas/compression.hpp>
#include <xgrad/replicas/conditional_accumulator.hpp>
#include <xgrad/replicas/diloco.hpp>
#include <xgrad/replicas/downpour.hpp>
#include <xgrad/replicas/elastic_average.hpp>
#include <xgrad/replicas/faithful_replicas.hpp>
#include <xgrad/replicas/hogwild.hpp>
#include <xgrad/replicas/model_average.hpp>
#include <xgrad/replicas/moving_average.hpp>
#include <xgrad/replicas/report.hpp>
#include <xgrad/replicas/shard.hpp>
#include <xgrad/replicas/sparse_conditional_accumulator.hpp>
#include <xgrad/replicas/sync_ranks.hpp>
#include <xgrad/replicas/sync_replicas.hpp>
#include <xgrad/replicas/timeline_svg.hpp>
#include <xgrad/replicas/token_queue.hpp>
#include <xgrad/config/macros_end.hpp>
