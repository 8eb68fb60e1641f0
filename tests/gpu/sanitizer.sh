# Sourced: sanitized LOGS BINARY ARGUMENTS… runs a binary through compute-sanitizer, tool by tool, and puts a line of
# what they say into $verdict; false where one objects, after the end of its log.
sanitized() {
    local logs=$1 tool ok=0
    shift
    verdict=""
    for tool in memcheck racecheck synccheck; do
        if compute-sanitizer --tool $tool --error-exitcode 9 "$@" >"$logs-$tool.log" 2>&1; then
            verdict+=" $tool ok"
        else
            verdict+=" $tool FAILED"
            ok=1
            tail -20 "$logs-$tool.log"
        fi
    done
    return $ok
}
PATH=$PATH:/usr/local/cuda/bin
nvcc_flags=(-std=c++17 -O3 -lineinfo --fmad=false -arch=native -Xcompiler -fopenmp,-ffp-contract=off,-march=native)
