"""Builds the wheel of the Python packages pva, popscope and libpvti.

CMake builds the library, and installs its libraries, headers and tools into the folder _sdk of package popscope. The
compilation of codelets uses the headers in this folder.

    pip install .                                          # Debian: python3-setuptools, python3-wheel and what scripts/setup.sh installs
    POPSCOPE_BUILD=build/release pip wheel . --no-deps     # uses an existing build
"""

import os
import pathlib
import re
import shutil
import subprocess

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent
VERSION = re.search(r"project\(popscope VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
PACKAGES = ("pva", "popscope", "libpvti")


class CMakeBuild(build_ext):
    """Builds and installs the whole library as the only extension of the wheel."""

    def run(self):
        build = os.environ.get("POPSCOPE_BUILD")
        if not build:
            build = str(pathlib.Path(self.build_temp).resolve() / "cmake")
            generator = ["-G", "Ninja"] if shutil.which("ninja") else []
            subprocess.run(["cmake", "-S", str(ROOT), "-B", build, "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_UNITY_BUILD=ON", "-DCMAKE_UNITY_BUILD_BATCH_SIZE=6",
                            "-DPOPSCOPE_TESTS=OFF", "-DPOPSCOPE_EXAMPLES=OFF",
                            "-DPOPSCOPE_PYTHON=ON", *generator], check=True)
            subprocess.run(["cmake", "--build", build, "--parallel"], check=True)
        library = pathlib.Path(self.build_lib).resolve()
        sdk = library / "popscope" / "_sdk"
        shutil.rmtree(sdk, ignore_errors=True)
        subprocess.run(["cmake", "--install", build, "--prefix", str(sdk), "--strip"], check=True, stdout=subprocess.DEVNULL)
        (pva,) = sdk.glob("lib/**/pva/__init__.py")  # in the folder POPSCOPE_PYTHON_DIR of the build
        for package in PACKAGES:
            shutil.copytree(pva.parents[1] / package, library / package, dirs_exist_ok=True)
        shutil.rmtree(sdk / pva.relative_to(sdk).parents[-3])  # lib/python or lib/python3
        shutil.rmtree(sdk / "lib" / "popscope")  # only an installation in /usr needs these links to the headers
        for link in (sdk / "lib").glob("*.so*"):  # a wheel has no links: keep each library once, under the name that programs load
            if link.is_symlink() and link.name.count(".") == 2:
                real = link.resolve()
                link.unlink()
                real.rename(link)
        for link in (sdk / "lib").glob("*.so*"):
            if link.is_symlink():
                link.unlink()
        alias = sdk / "bin" / "poplar_profile_summary"
        if alias.is_symlink():
            alias.unlink()

    def get_outputs(self):
        return [str(p) for p in pathlib.Path(self.build_lib).rglob("*") if p.is_file()]


setup(version=VERSION, packages=list(PACKAGES) + ["popscope.poplar"], package_dir={"": "python"}, package_data={"": ["*.pyi", "py.typed"]},
      ext_modules=[Extension("pva._native", [])], cmdclass={"build_ext": CMakeBuild}, zip_safe=False)
