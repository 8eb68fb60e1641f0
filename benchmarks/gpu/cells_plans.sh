#!/usr/bin/env bash
# Measures plans of the programs of cells.py that the model does not put first, beside those that it does:
#
#     ./cells_plans.sh ../../bundle/bin/kasc RESULTS
#
# Elastic waves in one kernel, 84 bytes a cell in place of 120: what a pipeline of planes takes by the shape of its blocks, with the quotients by
# the spacing that the program has (each is a branch, which loads do not pass) and with products by 1/h. Anisotropy by the shape of its grid.
# `kasc tune` makes random data, compares all results to the bit and prints predicted against measured.
set -eu
kasc=$(realpath "$1") out=$(realpath -m "$2")
examples=$(realpath "$(dirname "$0")/../../examples")

mkdir -p "$out/programs"
cp "$examples"/{elastic_waves,anisotropy}.kas "$out/programs"
sed -e 's|param float h;|param float h; param float per_metre = 1/h;|' -e 's|(u\[a + 1\] - u)/h|per_metre*(u[a + 1] - u)|' \
    -e 's|(u - u\[a - 1\])/h|per_metre*(u - u[a - 1])|' "$examples/elastic_waves.kas" >"$out/programs/elastic_products.kas"

tune() { # PROGRAM N PLAN COUNT
    local set=(--set "x=$2" --set "y=$2" --set "z=$2")
    [[ $1 == elastic_* ]] && set+=(--set t=20 --set dt=1e-3 --set h=10 --set sx=3 --set sy=3 --set sz=3 --set px=4 --set py=4 --set pz=4)
    echo "== $1: $3"
    "$kasc" tune "$out/programs/$1.kas" "${set[@]}" --top "$4" ${3:+--plan "$3"} 2>&1 | tee -a "$out/$1.txt"
}

one="v_x+v_y+v_z+s_0+s_1+s_2+s_3+s_4+s_5"
for program in elastic_waves elastic_products; do
    tune "$program" 384 "" 8
    for shape in "32x8 rows 1" "32x16 rows 1" "32x8 rows 2" "32x8 rows 4" "64x4 rows 4"; do
        tune "$program" 384 "$one: pipeline $shape chunk 64 unroll 3" 1
    done
done
tune anisotropy 256 "" 12
