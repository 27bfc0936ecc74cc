"""The profiles that the tests read: POPSCOPE_PROFILES/<example>/profile.pop."""

import os

import pva

PROFILES = ("mlp", "control_flow", "liveness")
_opened = {}


def pathOf(name):
    return os.path.join(os.environ["POPSCOPE_PROFILES"], name, "profile.pop")


def openProfile(name):
    """Opened once: reports only read."""
    if name not in _opened:
        _opened[name] = pva.openReport(pathOf(name))
    return _opened[name]
