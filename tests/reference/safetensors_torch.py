# SPDX-License-Identifier: MIT
"""PyTorch's side of the safetensors package against xgrad's reader and writer: the types that NumPy lacks, and those that a state_dict has.

    python -m venv venv && venv/bin/pip install torch==2.13.0 safetensors==0.8.0 numpy==2.4.6
    venv/bin/python safetensors_torch.py write            # makes safetensors_torch.safetensors in this folder
    venv/bin/python safetensors_torch.py check FOLDER     # checks written_torch.safetensors, as tests/io wrote it to FOLDER
"""
import pathlib
import sys

import torch
from safetensors.torch import load_file, save_file

TENSORS = {
    "layer.0.weight": torch.tensor([[1.5, -0.0, 2.0**-133], [-(2.0**127), float("inf"), 3.140625]], dtype=torch.bfloat16),
    "layer.0.bias": torch.tensor([1.5, -65504.0, 2.0**-24], dtype=torch.float16),
    "layer.1.weight": torch.tensor([[0.1], [1e-45]], dtype=torch.float32),
    "num_batches_tracked": torch.tensor(2**40 + 1, dtype=torch.int64),   # a scalar
    "index": torch.tensor([[-(2**31), 2**31 - 1]], dtype=torch.int32),
    "mask": torch.tensor([True, False]),
}

if sys.argv[1] == "write":
    save_file(TENSORS, pathlib.Path(__file__).parent / "safetensors_torch.safetensors", {"format": "pt"})
else:
    found = load_file(pathlib.Path(sys.argv[2]) / "written_torch.safetensors")
    assert set(found) == set(TENSORS), found.keys()
    for name, expected in TENSORS.items():
        bits = [t.view(torch.int16) if t.element_size() == 2 else t for t in (found[name], expected)]   # of which -0 is not 0
        assert found[name].dtype == expected.dtype and torch.equal(*bits), (name, found[name])
    print("PyTorch reads what xgrad wrote")
