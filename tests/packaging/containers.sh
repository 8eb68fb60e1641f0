#!/usr/bin/env bash
# containers.sh [NAME…]   The images of containers/ (all, or Dockerfile, cuda.Dockerfile), built and tried without a container
# engine: a stage is a fresh root of its distribution (debootstrap), and the file's own lines are run in it. In place of NVIDIA's
# image stands the distribution that it is made of: Ubuntu, where its keys are (ubuntu-keyring), else Debian 13. What is not tried is
# the GPU. Takes some forty minutes on two cores; skipped (77) without root, debootstrap or a network.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
if [ -z "${KASC_STAGES:-}" ]; then # mounts are seen by the second call alone, and end with it
    [ "$(id -u)" = 0 ] || { echo "not root: skipped" && exit 77; }
    command -v debootstrap >/dev/null || { echo "no debootstrap: skipped" && exit 77; }
    KASC_STAGES=$(mktemp -d)
    export KASC_STAGES
    trap 'rm -rf --one-file-system "$KASC_STAGES"' EXIT
    unshare --mount "$0" "$@"
    exit
fi
stages=$KASC_STAGES

base() { # an image's name: the root that all stages of it begin as
    local suite=bookworm mirror=http://deb.debian.org/debian script=
    if [[ $1 == *ubuntu24.04 ]]; then
        suite=noble mirror=http://archive.ubuntu.com/ubuntu script=/usr/share/debootstrap/scripts/gutsy
        [ -e /usr/share/keyrings/ubuntu-archive-keyring.gpg ] || suite=trixie mirror=http://deb.debian.org/debian script=
    fi
    if [ ! -d "$stages/$suite" ]; then
        debootstrap --variant=minbase "$suite" "$stages/$suite.new" "$mirror" $script >"$stages/log" 2>&1 </dev/null ||
            { tail -n 5 "$stages/log" >&2 && exit 77; }
        cp -L /etc/resolv.conf "$stages/$suite.new/etc/"
        mv "$stages/$suite.new" "$stages/$suite"
    fi
    echo "$stages/$suite"
}

inside() { # a command in the stage, as an engine would run it
    env -i HOME=/root "PATH=$path" chroot "$stage" sh -c 'cd "$0" && exec "$@"' "$folder" "$@" </dev/null
}

build() { # a container file: the root of its last stage, with $entry
    local instruction words from to image
    declare -A arguments
    while read -r instruction words; do
        for name in "${!arguments[@]}"; do words=${words//"\${$name}"/${arguments[$name]}}; done
        case $instruction in
        ARG) arguments[${words%%=*}]=${words#*=} ;;
        FROM)
            read -r image _ name <<<"$words"
            echo "== ${name:-image}: $image"
            stage=$stages/${name:-image} folder=/ path=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
            umount "$stage/proc" 2>/dev/null || true
            rm -rf --one-file-system "$stage"
            image=$(base "$image") || exit
            cp -a "$image" "$stage"
            mount -t proc proc "$stage/proc"
            ;;
        COPY)
            read -r from to <<<"$words"
            if [ "$from" = . ]; then # what is committed: .dockerignore leaves out what is built
                mkdir -p "$stage$to" && git -C "$root" archive HEAD | tar -x -C "$stage$to"
            else
                read -r from to <<<"$to"
                from=$stages/build$from
                [ ! -d "$from" ] || { mkdir -p "$stage$to" && from=$from/.; }
                cp -a $from "$stage$to"
            fi
            ;;
        WORKDIR) folder=$words && mkdir -p "$stage$words" ;;
        ENV) path=${words#PATH=} path=${path//\$PATH//usr/sbin:/usr/bin:/sbin:/bin} ;;
        RUN) inside sh -c "$words" >"$stages/log" 2>&1 || { tail -n 30 "$stages/log" >&2 && exit 1; } ;;
        ENTRYPOINT) entry=$(tr -d '[]"' <<<"$words") ;;
        *) echo "error: containers.sh does not know $instruction" && exit 1 ;;
        esac
    done < <(sed -e '/^ *\(#\|$\)/d' -e ':join; /\\$/ { N; s/\\\n *//; b join }' "$root/containers/$1")
}

try_image() { # as a user would, in a folder with data: a program, a picture, a simulation of k-Wave's
    local make_tissue=("$stages"/build/kasc/build*/bin/make_tissue)
    chroot "$stages/build" "${make_tissue#"$stages/build"}" --size 72 --steps 600 -o /tissue.h5
    mkdir -p "$stage/work"
    cp "$stages/build/tissue.h5" "$root/examples/bioheat.kas" "$root/tests/kwave/data/2d_p0_homogeneous.input.h5" "$stage/work/"
    inside "$entry" --version
    inside "$entry" run bioheat.kas --in tissue.h5 --out result.h5 --picture hottest=hottest.png 2>&1 | tee "$stages/said"
    if grep -i fontconfig "$stages/said"; then exit 1; fi # nothing is amiss with letters
    inside "$entry" kwave -i 2d_p0_homogeneous.input.h5 -o output.h5 -p --p_final
    inside "$entry" view output.h5
    inside sh -c 'ls "$(dirname "$(readlink -f "$(command -v kasc)")")"/../share/man/man1/kasc-run.1*' >/dev/null
    ls -l "$stage/work"
}

files=("$@")
((${#files[@]})) || files=(Dockerfile cuda.Dockerfile)
for file in "${files[@]}"; do
    build "$file"
    try_image
done
