# SPDX-License-Identifier: MIT
"""Builds and runs the program of every consumer with the package that has just been made."""
import os

from conan import ConanFile
from conan.tools.build import can_run
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout


class XgradTest(ConanFile):
    settings = "os", "arch", "compiler", "build_type"
    generators = "CMakeDeps"

    def requirements(self):
        self.requires(self.tested_reference_str)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        options = self.dependencies["xgrad"].options
        for name, option in {"EXPECT_XSIMD": options.with_xsimd, "EXPECT_BLAS": options.with_blas,
                             "EXPECT_XTENSOR": options.with_xtensor}.items():
            toolchain.preprocessor_definitions[name] = int(bool(option))
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure(build_script_folder="..")
        cmake.build()

    def test(self):
        if can_run(self):
            programs = ["consumer", "core_consumer"] + ["mpi_consumer"] * bool(self.dependencies["xgrad"].options.with_mpi)
            for program in programs:
                self.run(os.path.join(self.cpp.build.bindir, program), env="conanrun")
