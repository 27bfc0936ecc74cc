#!/usr/bin/env bash
# setup.sh [--check] [--build-only | --package]: installs the packages of Debian 12 or 13 with which Popscope is built
# and tested. Does nothing if all are installed. Needs root or sudo, and access to the package archive, but to no other
# host. --build-only leaves out packages that only the viewer and the tests need. --package adds to these the packages
# that package.sh needs, with the viewer and the wheel. --check only lists the missing packages (exit code 1).
set -euo pipefail

check=false wanted=all
for argument in "$@"; do
  case "$argument" in
    --check) check=true ;;
    --build-only) wanted=build ;;
    --package) wanted=package ;;
    *) echo "setup: unknown argument '$argument'; there are --check, --build-only and --package" >&2; exit 2 ;;
  esac
done

# Debian 13 has no LLVM 14. The rules for clang-format and clang-tidy are for version 14, so these two tools are not
# installed on Debian 13.
llvm=14
if (. /etc/os-release && [ "${ID:-}" = debian ] && [ "${VERSION_ID:-12}" -ge 13 ]) 2>/dev/null; then
  llvm=19
fi
packages=(
  g++ cmake ninja-build git python3 pkg-config time
  clang-$llvm lld-$llvm llvm-$llvm libclang-$llvm-dev picolibc-riscv64-unknown-elf
  libboost-graph-dev libtbb-dev libfmt-dev libspdlog-dev nlohmann-json3-dev libcli11-dev
  libsqlite3-dev zlib1g-dev libdeflate-dev libxxhash-dev pybind11-dev python3-dev
)
if [ $wanted = package ]; then
  packages+=(dpkg-dev file nodejs npm doxygen python3-sphinx python3-pip python3-setuptools python3-wheel)
elif [ $wanted = all ]; then
  packages+=(
    sqlite3 libclang-rt-$llvm-dev doctest-dev libbenchmark-dev
    nodejs npm chromium-headless-shell fonts-dejavu-core
    doxygen python3-sphinx protobuf-compiler graphviz libxml2-utils lacheck
    python3-numpy python3-pandas python3-matplotlib mypy
    python3-pip python3-setuptools python3-wheel python3-venv python3-nbconvert python3-ipykernel
    python3-distributed python3-mpi4py openmpi-bin
  )
  [ $llvm != 14 ] || packages+=(clang-format-14 clang-tidy-14)
fi

missing=()
for package in "${packages[@]}"; do
  # On newer releases another package provides pkg-config; node and npm may be installed from elsewhere.
  case "$package" in
    pkg-config | npm) command=$package ;;
    nodejs) command=node ;;
    *) command= ;;
  esac
  if [ -n "$command" ] && command -v "$command" >/dev/null 2>&1; then
    continue
  fi
  status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
  echo "setup: all ${#packages[@]} packages are installed"
  exit 0
fi

if $check; then
  echo "setup: missing packages: ${missing[*]}"
  exit 1
fi

if ! command -v apt-get >/dev/null 2>&1; then
  echo "setup: apt-get not found; on another system install what stands for: ${missing[*]}" >&2
  exit 1
fi
as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null 2>&1; then
    echo "setup: run as root, or install sudo; missing packages: ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi

echo "setup: installing ${missing[*]}"
# Uses `env`, because sudo resets the environment. The options keep progress bars out of logs.
apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o Dpkg::Use-Pty=0 -qq)
"${apt[@]}" update
"${apt[@]}" install -y --no-install-recommends "${missing[@]}"
