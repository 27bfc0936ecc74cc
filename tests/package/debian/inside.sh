#!/usr/bin/env bash
# inside.sh: runs on the bare system for smoke.sh, with the packages in /smoke.
set -euo pipefail
cd /smoke
trap 'echo "smoke: line $LINENO failed: $BASH_COMMAND"' ERR
set -E
has() { grep -- "$1" >/dev/null; } # reads to the end, so that the writer meets no closed pipe
say() { echo "smoke: $*"; }
apt=(apt-get -qq -o Dpkg::Use-Pty=0)

say "install the Debian packages"
"${apt[@]}" update
"${apt[@]}" install -y --no-install-recommends ./*.deb >install.log 2>&1 || { tail -20 install.log; exit 1; }
"${apt[@]}" install -y --no-install-recommends cmake make pkg-config python3-numpy >install.log 2>&1 || { tail -20 install.log; exit 1; }

# check_tools PREFIX: checks the tools, the example profile and the documentation.
check_tools() {
  popscope --version | has '^popscope 1'
  popscope "$1/share/popscope/profiles/perceptron/profile.pop" | has '^Fits'
  profile_summary --profile "$1/share/popscope/profiles/perceptron/profile.pop" | has 'Memory Usage:'
  popscope html "$1/share/popscope/profiles/perceptron/profile.pop" -o page.html >/dev/null && test -s page.html
  for page in popscope popc profile_summary poplar_profile_summary; do test -s "$1/share/man/man1/$page.1" || test -s "$1/share/man/man1/$page.1.gz"; done
  python3 DeadLinks.py "$1/share/doc/popscope"
}
# check_build PREFIX: builds programs by pkg-config and by CMake, and a codelet file by popc.
check_build() {
  rm -rf build report && mkdir build
  # shellcheck disable=SC2046
  g++ -std=c++17 poplar_client/poplar_client.cpp -o build/by_pkg_config $(pkg-config --cflags --libs poplar)
  popc poplar_client/codelets.cpp -o build/codelets.gp
  build/by_pkg_config build/codelets.gp report && test -s report/profile.pop
  cmake -S "$1/share/doc/popscope/examples" -B build/examples -DCMAKE_BUILD_TYPE=Release >/dev/null
  cmake --build build/examples --parallel 2 >/dev/null
  build/examples/tutorial_first_graph | has '^0 2 4 6'
  (cd build && ./examples/first_steps | has 'Memory Usage:')
}
version=$(echo popscope-*.whl | cut -d- -f2)
check_python() {
  python3 -c 'import popscope, pva, libpvti; print("popscope", popscope.__version__, "from", popscope.__file__)'
  python3 -m popscope --version | has "$version"
  python3 "$1/share/doc/popscope/examples/python/first_steps.py" | has 'Memory on all IPUs'
}

for check in check_tools check_build check_python; do say "$check with the Debian packages" && $check /usr; done

say "remove them, unpack the archive, move it"
python3 -c 'import sys; sys.path.append("/usr/share/doc/popscope/examples/python"); import neighbours' # leaves a __pycache__
dpkg -r python3-popscope popscope libpoplar-dev >/dev/null
for gone in lib/libpoplar.so.1 lib/popscope include/poplar share/doc/popscope lib/python3/dist-packages/pva; do test ! -e "/usr/$gone"; done
mkdir first && tar xzf popscope-*.tar.gz -C first && mv first/popscope-* "/opt/a place"
prefix="/opt/a place"
(. "$prefix/enable.sh" && set -u && check_tools "$prefix" && check_python "$prefix")
mv "$prefix" /opt/popscope # pkg-config quotes no spaces
. /opt/popscope/enable.sh
check_build /opt/popscope
g++ -std=c++17 poplar_client/poplar_client.cpp -lpoplar -o build/enabled && rm -r report && build/enabled build/codelets.gp report
unset LD_LIBRARY_PATH # a program that pkg-config linked has a run path
rm -r report && build/by_pkg_config build/codelets.gp report
say "the wheel in a virtual environment, without the rest"
examples=$(mktemp -d) && cp -r /opt/popscope/share/doc/popscope/examples/python "$examples" && rm -rf /opt/popscope
"${apt[@]}" install -y --no-install-recommends python3-venv >install.log 2>&1 || { tail -20 install.log; exit 1; }
env -i PATH=/usr/bin:/bin HOME=/root bash -ec "
  python3 -m venv environment
  environment/bin/pip install -q --no-index popscope-*.whl
  environment/bin/python -m popscope --version
  environment/bin/python -c 'import popscope, pva, libpvti; assert popscope.__version__ == \"$version\", popscope.__version__'
  environment/bin/python '$examples/python/first_steps.py'" | has 'Memory on all IPUs'
say "all done"
