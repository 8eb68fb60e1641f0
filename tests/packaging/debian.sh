#!/usr/bin/env bash
# debian.sh BUILD   The package for Debian holds what it should, names the libraries that it needs, and its command runs from
# where it was unpacked. Skipped (77) where Debian's tools are not.
set -euo pipefail
build=$1
for tool in cpack dpkg-deb dpkg-shlibdeps file; do
    command -v $tool >/dev/null || { echo "no $tool: skipped" && exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cpack --config "$build/CPackConfig.cmake" -B "$work" >"$work/log" 2>&1 || { cat "$work/log" && exit 1; }
package=$(ls "$work"/kasc_*.deb)
holds=$(dpkg-deb -c "$package" | awk '{print $6}')
faults=0
for path in usr/bin/kasc usr/bin/kasc-kwave usr/include/kasc/kasc.hpp usr/lib/libkasc.so usr/lib/cmake/kasc/kascConfig.cmake \
    usr/share/kasc/elementlib/stream/types.cuh usr/share/kasc/devices/h100.json usr/share/kasc/support/kasc_device.cuh \
    usr/share/kasc/examples/heat3d.kas usr/share/doc/kasc/docs/language.md \
    usr/share/doc/kasc/copyright usr/share/doc/kasc/changelog.gz; do
    grep -qx "./$path" <<<"$holds" || { echo "error: the package lacks $path" && faults=1; }
done
if [ -d "$build/help" ]; then # there was a Python
    for path in usr/share/man/man1/kasc.1.gz usr/share/man/man1/kasc-run.1.gz usr/share/bash-completion/completions/kasc \
        usr/share/zsh/vendor-completions/_kasc usr/share/fish/vendor_completions.d/kasc.fish; do
        grep -qx "./$path" <<<"$holds" || { echo "error: the package lacks $path" && faults=1; }
    done
fi
depends=$(dpkg-deb -f "$package" Depends)
for library in libhdf5 libsqlite3-0 libc6; do
    [[ $depends == *$library* ]] || { echo "error: the package does not depend on $library: $depends" && faults=1; }
done
dpkg-deb -x "$package" "$work/root"
env -u KASC_DATA "$work/root/usr/bin/kasc" compile "$work/root/usr/share/kasc/examples/big_fusion.kas" -o "$work/out" >/dev/null
exit $faults
