"""The build backend of pyproject.toml: setuptools from the virtual environment or from the system.

While pip builds, it hides the system's packages and installs the requirements of the backend from a package index. If
the system has setuptools and wheel, this backend has no requirements, so that `pip install .` needs no network.
"""

import importlib.util
import os
import subprocess
import sys

_REQUIRED = ["setuptools>=61", "wheel"]


def _find():
    """Returns whether setuptools (61 or later) and wheel can be imported.

    If one of them is missing, adds the folders of the interpreter on which the virtual environment is based to
    sys.path, and tries again.
    """
    if not importlib.util.find_spec("setuptools") or not importlib.util.find_spec("wheel"):
        python = getattr(sys, "_base_executable", sys.executable)
        done = subprocess.run([python, "-I", "-c", "import sys; print(*sys.path, sep='\\n')"], stdout=subprocess.PIPE, check=False)
        sys.path += [line for line in os.fsdecode(done.stdout).split("\n") if line and line not in sys.path]
        importlib.invalidate_caches()
    if not importlib.util.find_spec("setuptools") or not importlib.util.find_spec("wheel"):
        return False
    import setuptools

    return int(setuptools.__version__.split(".")[0]) >= 61


_FOUND = _find()


def get_requires_for_build_wheel(config_settings=None):
    """Returns the packages that pip must install before the build; none if the system has them."""
    return [] if _FOUND else _REQUIRED


get_requires_for_build_editable = get_requires_for_build_sdist = get_requires_for_build_wheel


def __getattr__(name):
    """Returns any other hook of a build backend from setuptools."""
    if name.startswith("__"):
        raise AttributeError(name)
    from setuptools import build_meta

    return getattr(build_meta, name)
