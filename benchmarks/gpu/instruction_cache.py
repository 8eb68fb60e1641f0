"""What instructions cost that the caches of a multiprocessor do not hold: `instruction_cache_bytes` of a device file and the model's
`fetched_again`. Kernels are loops around straight-line multiply-adds of 16 to 256 KB, eight chains a thread, blocks of 128 threads, 1 to 4
of them a multiprocessor, so that each scheduler has as many warps. Warps go through the code together, or begin at eighths of it, as those
of a kernel that has run for a while. Needs nvcc; the program that it makes needs the GPU alone.

    python3 instruction_cache.py --build DIR     writes and compiles DIR/instruction_cache (a minute)
    DIR/instruction_cache                        prints the table (some seconds of the device)
    python3 instruction_cache.py                 both

A line a size: clocks of a scheduler for each instruction that it issues, the median of all blocks and five launches; 1 is the best there is."""
import argparse
import subprocess
import tempfile
from pathlib import Path

SIZES_KB = [16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 96, 112, 128, 144, 160, 192, 256]
BYTES = 16  # of an instruction, since compute capability 7.0
ENTRIES = 8
CHAINS = 8

HEAD = r"""// Written by instruction_cache.py.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

static void check(cudaError_t status, const char *what) {
    if (status != cudaSuccess) std::printf("%s: %s\n", what, cudaGetErrorString(status)), std::exit(1);
}
"""

TAIL = r"""
int main() {
    cudaDeviceProp device;
    check(cudaGetDeviceProperties(&device, 0), "device");
    std::printf("%s\n\n| KB | together: 1 block | 2 | 3 | 4 | apart: 1 block | 2 | 3 | 4 |\n|---|---|---|---|---|---|---|---|---|\n", device.name);
    long long *clocks = nullptr;
    float *sink = nullptr;
    check(cudaMalloc(&clocks, 4 * device.multiProcessorCount * sizeof *clocks), "memory");
    check(cudaMalloc(&sink, sizeof *sink), "memory");
    for (const Size &size : sizes) {
        const int rounds = std::max(2, most_instructions / size.instructions);
        std::printf("| %d |", size.kb);
        for (const int apart : {0, 1})
            for (int blocks = 1; blocks <= 4; ++blocks) {
                std::vector<double> all;
                for (int launch = 0; launch < 6; ++launch) {
                    size.kernel<<<blocks * device.multiProcessorCount, 128>>>(clocks, sink, rounds, apart, blocks, device.multiProcessorCount);
                    check(cudaDeviceSynchronize(), "launch");
                    if (launch == 0) continue;
                    std::vector<long long> taken(blocks * device.multiProcessorCount);
                    check(cudaMemcpy(taken.data(), clocks, taken.size() * sizeof taken[0], cudaMemcpyDeviceToHost), "copy");
                    for (const long long t : taken) all.push_back((double)t / ((double)rounds * size.instructions * blocks));
                }
                std::nth_element(all.begin(), all.begin() + all.size() / 2, all.end());
                std::printf(" %.3f |", all[all.size() / 2]);
            }
        std::printf("\n");
        std::fflush(stdout);
    }
}
"""


def kernel(kb):
    count = kb * 1024 // BYTES // (ENTRIES * CHAINS) * CHAINS  # of an eighth
    lines = [
        "// Blocks beside each other on a multiprocessor have numbers that differ by how many multiprocessors there are.",
        f"__global__ void __launch_bounds__(128) code_{kb}(long long *clocks, float *sink, int rounds, int apart, int blocks, int multiprocessors) {{",
        "    float " + ", ".join(f"v{c} = threadIdx.x + {c}.f" for c in range(CHAINS)) + ";",
        "    const float a = __int_as_float(0x3f7fffff), b = 1e-3f * blocks;",
        "    const int warp = threadIdx.x / 32 * blocks + blockIdx.x / multiprocessors;",
        f"    int entry = apart ? warp * {ENTRIES} / (4 * blocks) : 0;",
        "    __syncthreads();",
        "    const long long begin = clock64();",
        "#pragma unroll 1",
        "    for (int round = 0; round < rounds; ++round) {",
        "        switch (entry) {",
    ]
    # One statement for each chain's turn is slow to compile: a hundred and more in one.
    operands = ", ".join(f'"+f"(v{c})' for c in range(CHAINS)) + ' : "f"(a), "f"(b)'
    for entry in range(ENTRIES):
        lines.append(f"            case {entry}:" if entry < ENTRIES - 1 else "            default:")
        for first in range(0, count, 128):
            text = "".join(
                f"fma.rn.f32 %{k % CHAINS}, %{k % CHAINS}, %{CHAINS}, %{CHAINS + 1};" for k in range(first, min(first + 128, count))
            )
            lines.append(f'                asm volatile("{text}" : {operands});')
    lines += [
        "        }",
        "        entry = 0;",
        "    }",
        "    const long long end = clock64();",
        "    const float sum = " + " + ".join(f"v{c}" for c in range(CHAINS)) + ";",
        "    if (sum == -1.f) *sink = sum;",
        "    if (threadIdx.x == 0) clocks[blockIdx.x] = end - begin;",
        "}",
    ]
    return "\n".join(lines) + "\n", count * ENTRIES


def source():
    text, table = HEAD, []
    for kb in SIZES_KB:
        code, instructions = kernel(kb)
        text += "\n" + code
        table.append(f"{{{kb}, {instructions}, code_{kb}}}")
    text += "\nstruct Size {\n    int kb, instructions;\n    void (*kernel)(long long *, float *, int, int, int, int);\n};\n"
    text += "static const Size sizes[] = {" + ", ".join(table) + "};\n"
    text += "static const int most_instructions = 1 << 21;  // of a warp\n"
    return text + TAIL


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, help="folder for the program, which is not run then")
    parser.add_argument("--arch", default="sm_90")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        folder = options.build or Path(work)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "instruction_cache.cu").write_text(source())
        program = folder / "instruction_cache"
        subprocess.run(
            ["nvcc", "-O3", "-std=c++17", f"-arch={options.arch}", "-o", program, folder / "instruction_cache.cu"], check=True
        )
        if not options.build:
            subprocess.run([program.resolve()], check=True)


if __name__ == "__main__":
    main()
