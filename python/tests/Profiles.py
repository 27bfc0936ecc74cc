"""The profiles that the tests read: POPSCOPE_PROFILES/<example>/profile.pop."""

import os

import pva

PROFILES = ("mlp", "control_flow", "liveness")
OPERATIONS = ("operations",)  # a program with DebugInfos: see tests/package/python/Operations.cpp
_opened = {}


def pathOf(name):
    return os.path.join(os.environ["POPSCOPE_PROFILES"], name, "profile.pop")


def debugInfoOf(name):
    return os.path.join(os.environ["POPSCOPE_PROFILES"], name, "debug.cbor")


def openProfile(name):
    """Opens a profile once; tests share the report, because reports only read."""
    if name not in _opened:
        _opened[name] = pva.openReport(pathOf(name))
    return _opened[name]
