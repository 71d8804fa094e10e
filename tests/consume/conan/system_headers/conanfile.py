# SPDX-License-Identifier: MIT
"""Headers and libraries of the system as a package. So the test needs no network; users have ConanCenter's packages of these names."""
import os

from conan import ConanFile
from conan.tools.files import copy


class SystemHeaders(ConanFile):
    license = "BSD-3-Clause"
    package_type = "header-library"
    settings = "os", "arch", "compiler", "build_type"
    implements = ["auto_header_only"]

    def requirements(self):
        if self.name == "xtensor":
            self.requires("xtl/[>=0.7.2]", transitive_headers=True)

    def package(self):
        if self._libraries():
            return
        root = os.environ["XGRAD_SYSTEM_INCLUDE"]
        copy(self, "*.hpp", os.path.join(root, self.name), os.path.join(self.package_folder, "include", self.name))

    def package_info(self):
        self.cpp_info.bindirs = []
        self.cpp_info.libdirs = []
        if self._libraries():   # they stay where they are
            self.cpp_info.includedirs = os.environ[f"XGRAD_SYSTEM_{self.name.upper()}_INCLUDE"].split("|")
            self.cpp_info.system_libs = self._libraries()

    def _libraries(self):
        return [path for path in os.environ.get(f"XGRAD_SYSTEM_{self.name.upper()}", "").split("|") if path]
