#!/usr/bin/env bash
# From nothing to a fused kernel that ran: installs and builds, compiles every example to CUDA source, then heats a
# block of tissue, and treats one with focused ultrasound, stopped half way and resumed. On the GPU if there is one, else
# on the CPU with a smaller block. Results go to out/. With KASC_PREBUILT, the folder of a bundle (the preset of that name),
# nothing is installed or built.
set -euo pipefail
if [ -n "${KASC_PREBUILT:-}" ]; then
    root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
    bin=$KASC_PREBUILT/bin
else
    source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
    echo "== building kasc"
    configure release -DKASC_TESTS=OFF -DKASC_BENCHMARKS=OFF
    cmake --build "$build" --target kasc_command make_tissue
    bin=$build/bin
fi
kasc=$bin/kasc
out=${1:-$root/out}
mkdir -p "$out"

echo "== compiling the examples to CUDA"
for program in "$root"/examples/*.kas; do
    "$kasc" compile "$program" -o "$out/$(basename "$program" .kas)"
done

echo "== a block of tissue, heated at a tumour"
"$bin/make_tissue" --size 96 --steps 600 -o "$out/tissue.h5"
"$kasc" run "$root/examples/bioheat.kas" --in "$out/tissue.h5" --out "$out/result.h5" --picture hottest="$out/hottest.png"

echo "== a minute of focused ultrasound"
treatment=(--size 96)
step=(--set dt=0.1 --set steps=10) # 10 time steps from one picture of the movie to the next, 60 pictures
if nvidia-smi -L >/dev/null 2>&1 && command -v nvcc >/dev/null; then
    treatment=(--size 256 --steps 6000)
    step=(--set dt=0.01 --set steps=100)
fi
"$bin/make_tissue" --treatment "${treatment[@]}" -o "$out/treatment.h5"
treat=("$kasc" run "$root/examples/hifu.kas" --in "$out/treatment.h5" "${step[@]}")
"${treat[@]}" --out "$out/hifu.h5" --picture hottest="$out/hifu.png"

echo "== the same treatment, stopped by Ctrl-C after half of it, and resumed"
rm -f "$out/hifu.ck.h5" "$out/resumed.h5"
"${treat[@]}" --out "$out/resumed.h5" --checkpoint "$out/hifu.ck.h5" --every 30 &
run=$!
until [ -e "$out/hifu.ck.h5" ] || ! kill -0 "$run" 2>/dev/null; do sleep 0.02; done
kill -INT "$run" 2>/dev/null || true
if wait "$run"; then
    echo "it came to its end before it could be stopped"
else
    "${treat[@]}" --out "$out/resumed.h5" --restart "$out/hifu.ck.h5" --picture ablated="$out/lesion.png"
fi
cmp "$out/hifu.h5" "$out/resumed.h5"
echo "both runs wrote the same bytes"

cat <<END
== done, in $out:
   result.h5, hottest.png     temperatures of the tissue heated at a tumour
   hifu.h5                    the treatment: T, dose, hottest, ablated, probe, movie
   hifu.png, lesion.png       its hottest temperatures; where it killed the tissue
   bioheat/, hifu/, ...       CUDA source of the examples
END
