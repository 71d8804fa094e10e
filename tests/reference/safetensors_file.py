# SPDX-License-Identifier: MIT
"""The safetensors package and NumPy against xgrad's readers and writers.

    python -m venv venv && venv/bin/pip install numpy==2.4.6 safetensors==0.8.0 ml_dtypes==0.6.0
    # write makes safetensors_python.safetensors, npy_numpy_*.npy and npz_numpy*.npz in this folder
    venv/bin/python safetensors_file.py write
    # check reads written.safetensors, written_*.npy and written.npz, which tests/io wrote to FOLDER
    venv/bin/python safetensors_file.py check FOLDER
"""
import json
import pathlib
import sys
import zlib

import ml_dtypes
import numpy as np
from safetensors import safe_open
from safetensors.numpy import save_file

ARRAYS = {
    "f32": np.array([[1.5, -2.25, 3.0], [0.0, -0.0, 1e-45]], np.float32),
    "f64": np.array([np.pi, -np.inf, 1e300]),
    "i32": np.array([[[-(2**31)], [2**31 - 1]]], np.int32),
    "i64": np.array(-(2**63), np.int64),                       # a scalar
    "bool": np.array([True, False, True]),
    "empty": np.zeros((0, 4), np.float32),
    'na"me/\\ä€😀\n': np.array([7], np.int32),
}
METADATA = {"step": "12", "text": 'quote " back\\slash tab\t ä€😀'}
NPY = {k: v for k, v in ARRAYS.items() if k in ("f32", "f64", "i32", "i64", "bool", "empty")}
HALVES = {"f16": np.array([[1.5, -65504.0, 2.0**-24], [0.0, -0.0, np.inf]], np.float16),
          "bf16": np.array([1.5, -(2.0**127), 2.0**-133], ml_dtypes.bfloat16)}
NPZ = {k: v for k, v in NPY.items() if k != "empty"} | {"layer/ä€": HALVES["f16"], "none": np.zeros((0, 4), np.float32)}


def same(name, found):
    expected = ARRAYS[name]
    assert found.dtype == expected.dtype and found.shape == expected.shape and found.tobytes() == expected.tobytes(), (name, found)


if sys.argv[1] == "write":
    here = pathlib.Path(__file__).parent
    save_file(ARRAYS, here / "safetensors_python.safetensors", METADATA)
    for name, array in (NPY | HALVES).items():
        np.save(here / f"npy_numpy_{name}.npy", array)
    np.savez(here / "npz_numpy.npz", **NPZ)
    np.savez_compressed(here / "npz_numpy_compressed.npz", f32=ARRAYS["f32"])
else:
    folder = pathlib.Path(sys.argv[2])
    with safe_open(folder / "written.safetensors", "numpy") as file:
        assert set(file.keys()) == set(ARRAYS), file.keys()
        metadata = file.metadata()
        sums = metadata.pop("xgrad.crc32.tensors").split()   # in the order of the file
        header = (folder / "written.safetensors").read_bytes()
        header = header[:8 + int.from_bytes(header[:8], "little")]
        digits = metadata.pop("xgrad.crc32.header").encode()
        assert int(digits, 16) == zlib.crc32(header.replace(digits, b"00000000", 1))
        offsets = {k: v["data_offsets"] for k, v in json.loads(header[8:]).items() if k != "__metadata__"}
        assert sums == [f"{zlib.crc32(ARRAYS[k].tobytes()):08x}" for k in sorted(offsets, key=offsets.get)], sums
        assert metadata == METADATA, metadata
        for name in ARRAYS:
            same(name, file.get_tensor(name))
    for name in NPY:
        same(name, np.load(folder / f"written_{name}.npy", allow_pickle=False))
    for name, array in HALVES.items():   # of bfloat16 the file says two bytes, as NumPy itself writes it
        found = np.load(folder / f"written_{name}.npy", allow_pickle=False)
        assert found.shape == array.shape and found.view(array.dtype).tobytes() == array.tobytes(), (name, found)
    with np.load(folder / "written.npz", allow_pickle=False) as file:
        assert set(file.files) == set(NPZ), file.files
        for name, array in NPZ.items():
            found = file[name]
            assert found.dtype == array.dtype and found.shape == array.shape and found.tobytes() == array.tobytes(), (name, found)
        assert file.zip.testzip() is None
    print("safetensors and NumPy read what xgrad wrote")
