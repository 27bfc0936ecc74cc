#!/usr/bin/env bash
# sources.sh: runs on the bare system for smoke.sh BARE --sources, with a clone in /smoke/popscope. Runs the commands of
# docs/howto/install.md for pip as they are written, then in that environment README's Python, the notebook, a sweep on
# Dask and mypy.
set -euo pipefail
cd /smoke/popscope
trap 'echo "smoke: line $LINENO failed: $BASH_COMMAND"' ERR
set -E
say() { echo "smoke: $(date -u +%T) $*"; }
apt=(apt-get -qq -o Dpkg::Use-Pty=0)
echo 'APT::Get::Assume-Yes "true";' >/etc/apt/apt.conf.d/99assume-yes # there is no one to answer questions

say "the commands of the page"
"${apt[@]}" update
sed -n '/^## pip$/,/^## /p' docs/howto/install.md | sed -n '/^```text$/,/^```$/p' | grep -v '^```' >/smoke/commands
cat /smoke/commands
grep -q 'pip install \.$' /smoke/commands
bash -exo pipefail /smoke/commands >/smoke/log 2>&1 || { tail -30 /smoke/log; exit 1; }
tail -2 /smoke/log
du -sh build environment

say "README's Python, the notebook, a sweep on Dask, mypy"
"${apt[@]}" install --no-install-recommends python3-numpy python3-pandas python3-matplotlib mypy python3-nbconvert python3-ipykernel python3-distributed \
  >/smoke/log 2>&1 || { tail -20 /smoke/log; exit 1; }
POPSCOPE_ENVIRONMENT=$PWD/environment PYTHONPATH=$PWD/python/tests environment/bin/python -B -m unittest -v WheelTest.Environment
say "all done"
