#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tools/check_packages accepts the repository, and finds each fault that is planted in a copy of what it reads."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

REPOSITORY = pathlib.Path(sys.argv[1])
READ = ['README.md', 'CMakeLists.txt', 'CMakePresets.json', 'conanfile.py', 'docs/packages.md', 'cmake', 'include/xgrad/core/op.hpp', 'tests/consume', 'tests/CMakeLists.txt']
FAULTS = [
    ('cmake/versions.txt', 'xsimd 8.1 ', 'xsimd 9.0 ', 'README.md: its requirements do not say xsimd 9.0'),
    ('cmake/versions.txt', ' 0.28', ' 0.30', 'README.md: the last xtensor'),
    ('cmake/versions.txt', 'gcc 12', 'gcc 13', 'README.md: its requirements do not say gcc 13'),
    ('CMakeLists.txt', 'VERSION 3.25)', 'VERSION 3.24)', 'CMakeLists.txt: asks for another CMake'),
    ('tests/consume/archive/CMakeLists.txt', 'VERSION 3.25)', 'VERSION 3.20)', 'asks for another CMake'),
    ('cmake/vcpkg/xgrad/portfile.cmake', ' mpi XGRAD_USE_MPI', '', 'vcpkg: the port asks for the features'),
    ('cmake/vcpkg/xgrad/portfile.cmake', 'blas XGRAD_USE_BLAS', 'blas XGRAD_USE_BALS', 'CMake has the options'),
    ('cmake/vcpkg/xgrad/portfile.cmake', '-DXGRAD_INSTALL=ON', '-DXGRAD_INSTAL=ON', 'sets XGRAD_INSTAL, which is no option'),
    ('cmake/vcpkg/xgrad/portfile.cmake', 'vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")', '', 'installs no licence'),
    ('cmake/vcpkg/xgrad/vcpkg.json', '"xtensor",', '', 'vcpkg: the dependencies are not'),
    ('cmake/vcpkg/xgrad/vcpkg.json', '[ "openblas" ]', '[ ]', 'the feature blas does not depend on openblas'),
    ('cmake/vcpkg/xgrad/vcpkg.json', '"default-features": [ "xsimd" ]', '"default-features": [ "simd" ]', 'a default feature is none'),
    ('cmake/vcpkg/xgrad/usage', 'xgrad::xgrad)', 'xgrad::all)', 'names the target xgrad::all'),
    ('tests/consume/vcpkg/vcpkg.json', '[ "xgrad" ]', '[ ]', 'does not depend on xgrad'),
    ('conanfile.py', '"with_mpi": [True, False]', '"mpi": [True, False]', 'conanfile.py: its options are'),
    ('docs/packages.md', '| xsimd 14.3.0 |', '|', 'its table does not go from xsimd'),
    ('docs/packages.md', '| 0.25.0 (0.7.7) | ok | ok | ok | ok | ok | ok | ok |\n', '', 'its table does not go from xtensor'),
    ('CMakePresets.json', ',alignment,object-size', ',alignment,object-size,vptr', 'CMakePresets.json: leaves out'),
    ('include/xgrad/core/op.hpp', 'null,nonnull-attribute,', 'null,', 'op.hpp: leaves out'),
    ('docs/packages.md', '| `with_blas` |', '| `blas` |', 'docs/packages.md: shows the options'),
]


def run(fault=None):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name in READ:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (shutil.copytree if (REPOSITORY / name).is_dir() else shutil.copy)(REPOSITORY / name, root / name)
        if fault:
            path = root / fault[0]
            text = path.read_text(encoding='utf-8')
            if fault[1] not in text:
                sys.exit(f'{fault[0]} has no "{fault[1]}" to change')
            if fault[1] == '"with_mpi": [True, False]':
                text = text.replace('"with_mpi"', '"mpi"')
            path.write_text(text.replace(fault[1], fault[2]), encoding='utf-8')
        result = subprocess.run([sys.executable, str(REPOSITORY / 'tools/check_packages'), '--root', folder], capture_output=True, text=True)
        return result.returncode, result.stdout + result.stderr


code, output = run()
if code != 0:
    sys.exit(f'the repository is refused:\n{output}')
for fault in FAULTS:
    code, output = run(fault)
    if code != 1 or fault[3] not in output:
        sys.exit(f'{fault[0]} with "{fault[2]}" for "{fault[1]}": exit status {code}, expected to read "{fault[3]}" in:\n{output}')
print(f'{len(FAULTS)} faults are found')
