#!/usr/bin/env bash
# package.sh [FOLDER]: builds Popscope and its packages in FOLDER (default build/packages): popscope, libpoplar-dev and
# python3-popscope for Debian 12, one archive that can be unpacked anywhere (then: .
# popscope-VERSION-Linux-x86_64/enable.sh), and a wheel. With POPSCOPE_BUILD=BUILD, packs the configured build folder
# BUILD instead of build/package. tests/package/debian/smoke.sh tests the packages.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=${POPSCOPE_BUILD:-$root/build/package}
out=$(mkdir -p "${1:-$root/build/packages}" && cd "${1:-$root/build/packages}" && pwd)
# binaries contain no path of the tree
own=(-DPOPSCOPE_TESTS=OFF "-DCMAKE_CXX_FLAGS=-ffile-prefix-map=\"$root/\"=")
[ -z "${POPSCOPE_BUILD:-}" ] || own=() # the user's own folder keeps its tests and flags

"$root/scripts/setup.sh" --package
"$root/scripts/build.sh" "$build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr \
  -DPOPSCOPE_PYTHON_DIR=lib/python3/dist-packages "${own[@]}" \
  --target poplar pva pvti popc profile_summary popscope popscope_sqlite popscope_python pages example_profile
if grep -q popscope_viewer "$build/build.ninja" && ! cmake --build "$build" --target popscope_viewer; then
  echo "package: the viewer cannot be built here: the packages have none" >&2
  cmake "$build" -DPOPSCOPE_VIEWER=OFF >/dev/null
fi
cmake --build "$build" --target reference # reports the parts that it leaves out
if command -v mkdocs >/dev/null 2>&1; then
  cmake --build "$build" --target site
fi
cd "$build"
cpack -G DEB -B "$out"
cpack -G TGZ -B "$out" # without components: one archive of everything
rm -rf "$out/_CPack_Packages"
if /usr/bin/python3 -c 'import setuptools, pip, wheel' 2>/dev/null; then # a wheel of the same build
  (cd "$root" && POPSCOPE_BUILD=$build /usr/bin/python3 -m pip wheel . --no-deps --no-index -q -w "$out" && rm -rf python/popscope.egg-info build/lib.* build/bdist.*)
else
  echo "package: no wheel, which needs python3-pip, python3-setuptools and python3-wheel"
fi
ls -l "$out"
