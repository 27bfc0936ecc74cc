#!/usr/bin/env bash
# smoke.sh BARE PACKAGES: tests the packages of scripts/package.sh in the folder PACKAGES on a copy of BARE, the root
# folder of a minimal Debian 12 (debootstrap --variant=minbase bookworm BARE). Needs root, chroot, and the package
# archive for dependencies; apt gets the configuration of this system. BARE itself is not changed, and the copy is
# deleted. smoke.sh BARE --sources: tests `pip install .` of the latest commit on the copy, which builds everything.
set -euo pipefail

bare=$1
[ "$2" = --sources ] || packages=$(cd "$2" && pwd)
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$bare.smoke.$$
leave() {
  umount -l "$root/proc" 2>/dev/null || true
  rm -rf --one-file-system "$root"
}
trap leave EXIT
cp -a "$bare" "$root"
mount -t proc proc "$root/proc"
rm -rf "$root/etc/apt" && cp -a /etc/apt "$root/etc/apt"
cp -L /etc/resolv.conf "$root/etc/resolv.conf"
# files to which that configuration may refer
for file in /usr/share/keyrings /usr/local/share/ca-certificates /etc/ssl/certs; do
  [ ! -d "$file" ] || { mkdir -p "$root$file" && cp -aL "$file/." "$root$file/"; }
done
mkdir -p "$root/smoke"
inside=sources.sh
if [ "$2" = --sources ]; then
  git clone -q "$here/../../.." "$root/smoke/popscope"
else
  inside=inside.sh
  cp "$packages"/*.deb "$packages"/*.tar.gz "$packages"/*.whl "$here/../install/DeadLinks.py" "$root/smoke/"
  cp -r "$here/../install/poplar_client" "$root/smoke/"
fi
cp "$here/$inside" "$root/smoke/"
# A clean environment, except for variables that the archive may need.
env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
  ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} chroot "$root" bash "/smoke/$inside"
