"""A recipe for Conan 2: the headers of the typed C++ API, from the sources that contain this recipe."""
from pathlib import Path

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.files import copy


class Anympi(ConanFile):
    name = "anympi"
    version = "0.1.0"
    description = "A typed C++20 API over the mpi.h of any MPI, as headers"
    license = "BSD-3-Clause"
    topics = ("mpi", "header-only")
    package_type = "header-library"
    settings = "os", "arch", "compiler", "build_type"
    no_copy_source = True

    def export_sources(self):
        sources = str(Path(self.recipe_folder).parents[1])
        for pattern in ("include/anympi/*.hpp", "LICENSE"):
            copy(self, pattern, sources, self.export_sources_folder)

    def validate(self):
        check_min_cppstd(self, 20)

    def package_id(self):
        self.info.clear()

    def package(self):
        copy(self, "LICENSE", self.source_folder, str(Path(self.package_folder) / "licenses"))
        copy(self, "include/anympi/*.hpp", self.source_folder, self.package_folder)

    def package_info(self):
        typed = self.cpp_info.components["typed"]
        typed.set_property("cmake_target_name", "anympi::typed")
        typed.bindirs = []
        typed.libdirs = []
