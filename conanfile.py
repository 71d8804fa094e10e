# SPDX-License-Identifier: MIT
"""xgrad as a header library for Conan 2: docs/packages.md."""
import os
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd
from conan.tools.files import copy, load
from conan.tools.layout import basic_layout
from conan.tools.scm import Version


class XgradConan(ConanFile):
    name = "xgrad"
    description = "Training inside C++ programs: the graph is a type, its gradient is another"
    license = "MIT"
    topics = ("machine-learning", "automatic-differentiation", "optimizer", "simd", "header-only")
    package_type = "header-library"
    implements = ["auto_header_only"]
    settings = "os", "arch", "compiler", "build_type"
    options = {"with_xsimd": [True, False], "with_xtensor": [True, False], "with_blas": [True, False], "with_mpi": [True, False]}
    default_options = {"with_xsimd": True, "with_xtensor": True, "with_blas": False, "with_mpi": False}
    exports = "include/xgrad/config/version.hpp", "cmake/versions.txt"
    exports_sources = "include/*", "LICENSE"
    no_copy_source = True

    def _versions(self):
        """Of each thing that xgrad needs the least version, and the one from which on it was not tried."""
        lines = load(self, os.path.join(self.recipe_folder, "cmake", "versions.txt")).splitlines()
        return {name: (least, below) for name, least, _, below in (line.split() for line in lines if line and not line.startswith("#"))}

    def set_version(self):
        header = load(self, os.path.join(self.recipe_folder, "include", "xgrad", "config", "version.hpp"))
        self.version = ".".join(re.findall(r"^#define XGRAD_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", header, re.MULTILINE))

    def layout(self):
        basic_layout(self)

    def requirements(self):
        versions = self._versions()
        for name, wanted in {"xsimd": self.options.with_xsimd, "xtensor": self.options.with_xtensor}.items():
            if wanted:
                self.requires(f"{name}/[>={versions[name][0]} <{versions[name][1]}]", transitive_headers=True)
        if self.options.with_blas:
            self.requires("openblas/[>=0.3.20]", transitive_headers=True, transitive_libs=True)
        if self.options.with_mpi:
            self.requires("openmpi/[>=4.1]", transitive_headers=True, transitive_libs=True)

    def validate(self):
        check_min_cppstd(self, 20)
        least = {name: version for name, (version, _) in self._versions().items()}
        compiler = str(self.settings.compiler)
        if compiler not in ("gcc", "clang"):
            raise ConanInvalidConfiguration(f"xgrad is built with gcc >= {least['gcc']} or clang >= {least['clang']}, not with {compiler}")
        if Version(self.settings.compiler.version) < least[compiler]:
            raise ConanInvalidConfiguration(f"xgrad needs {compiler} >= {least[compiler]}, this is {self.settings.compiler.version}")

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        copy(self, "*.hpp", os.path.join(self.source_folder, "include"), os.path.join(self.package_folder, "include"))

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "xgrad")
        # All components together, whose name must not be that of one of them.
        self.cpp_info.set_property("cmake_target_name", "xgrad::all_components")
        self.cpp_info.set_property("pkg_config_name", "xgrad-all-components")
        core = self._component("core", "xgrad-core", [])
        core.defines = [f"XGRAD_USE_XSIMD={int(bool(self.options.with_xsimd))}", f"XGRAD_USE_BLAS={int(bool(self.options.with_blas))}"]
        third_parties = {"xtensor": self.options.with_xtensor, "xsimd": self.options.with_xsimd, "openblas": self.options.with_blas}
        whole = self._component("xgrad", "xgrad", ["core", *(f"{name}::{name}" for name, wanted in third_parties.items() if wanted)])
        if self.settings.os == "Linux":
            whole.system_libs = ["pthread"]
        if self.options.with_mpi:
            self._component("mpi", "xgrad-mpi", ["xgrad", "openmpi::openmpi"])

    def _component(self, name, pkg_config_name, requires):
        component = self.cpp_info.components[name]
        component.set_property("cmake_target_name", f"xgrad::{name}")
        component.set_property("pkg_config_name", pkg_config_name)
        component.bindirs = component.libdirs = []
        component.requires = requires
        return component
