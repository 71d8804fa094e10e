// SPDX-License-Identifier: MIT
// Names without definitions, for headers that only mention them: what a program passes across its own interfaces.
#pragma once

#include <xgrad/config/config.hpp>

XGRAD_NAMESPACE_BEGIN

struct bfloat16;
struct float16;
template<class T, int Rank>
class tensor_view;
template<class T, int Rank>
class tensor;
struct array_ref;

struct error;
struct shape_error;
struct dtype_error;
struct binding_error;
struct value_error;
struct io_error;
struct checkpoint_error;

enum class status_code : unsigned char;
struct status;

class variable_store;
class variable_owner;
template<class... E>
class variables;
template<class P>
class trainer;

struct gradient_descent;
struct momentum;
struct adafactor;
struct adagrad;
struct adam;
struct lazy_adam;
struct adamw;
struct ftrl;
struct rms_prop;
struct centered_rms_prop;
struct lamb;
struct prodigy;
struct rowwise_adagrad;

XGRAD_NAMESPACE_END
