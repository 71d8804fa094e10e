#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The operations of TensorFlow's gradient registry, written to tensorflow_registry.txt in this folder.

Made with TensorFlow 2.21 (`pip install tensorflow==2.21`). A line ends in " -" if the operation is registered as not differentiable.
"""
import importlib
import os

os.environ['TF_CPP_MIN_LOG_LEVEL'] = '3'
import tensorflow   # noqa: F401, it registers most gradients
from tensorflow.python.framework import ops

MODULES = ('array_grad bitwise_ops cond_v2 control_flow_grad data_flow_grad image_grad io_ops linalg_grad list_ops lookup_grad manip_grad '
           'math_grad nn_grad optional_grad parsing_grad random_grad resource_variable_ops rnn_grad sparse_grad spectral_ops state_grad '
           'tensor_array_grad while_v2 cudnn_rnn_grad clip_ops ctc_ops script_ops special_math_ops summary_ops ragged_math_ops debug_grad '
           'quant_grad map_ops')


def main():
    for module in MODULES.split():
        try:
            importlib.import_module('tensorflow.python.ops.' + module)
        except ModuleNotFoundError:   # some versions have fewer
            pass
    registry = ops.gradient_registry._registry
    path = os.path.splitext(os.path.abspath(__file__))[0] + '.txt'
    with open(path, 'w', encoding='utf-8') as file:
        for line in sorted(name + ' -' * (entry['type'] is None) for name, entry in registry.items()):
            file.write(line + '\n')


if __name__ == '__main__':
    main()
