// SPDX-License-Identifier: MIT
// Names without definitions, for headers of a program that only mention types of xgrad.
#pragma once
#include <xgrad/config/macros_begin.hpp>

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
template<class P>
class calibration;
struct calibration_result;
struct lbfgs;
template<class P>
class sam;
template<class P>
class catch_up;
template<class P>
class interleaved_rows;
template<class P>
class ggt;
struct ggt_options;
class ggt_window;
struct batches_options;
template<class T>
class batch_view;
template<class... T>
class batches;

template<class Rule>
struct averaged_steps;
template<class Rule>
struct counted;
struct adabelief;
struct adadelta;
struct adafactor;
struct adagrad;
struct adagrad_da;
struct adam;
struct adam_gs;
struct adamax;
struct adamw;
struct adan;
struct add_sign;
struct ademamix;
struct amsgrad;
struct asgd;
struct centered_rms_prop;
struct contrib_shampoo;
struct fast_adagrad;
struct fromage;
struct ftrl;
struct gradient_descent;
struct group_adagrad;
struct group_ftrl;
struct lamb;
struct lars;
struct lazy_adam;
struct lion;
struct madgrad;
struct momentum;
struct momentum_w;
struct muon;
struct nadam;
struct novograd;
struct optimistic_gradient_descent;
struct partial_rowwise_adam;
struct power_sign;
struct prodigy;
struct proximal_adagrad;
struct proximal_gradient_descent;
struct pytorch_adagrad;
struct pytorch_adam;
struct pytorch_adamax;
struct pytorch_adamw;
struct pytorch_amsgrad;
struct pytorch_centered_rms_prop;
struct pytorch_momentum;
struct pytorch_nadam;
struct pytorch_rms_prop;
struct qhadam;
struct radam;
struct reg_adagrad;
struct rms_prop;
struct rowwise_adagrad;
struct rowwise_rms_prop;
struct rprop;
struct schedule_free_adamw;
struct schedule_free_sgd;
struct shampoo;
struct signum;
struct sm3;
struct unfactored_adafactor;
struct yogi;

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
