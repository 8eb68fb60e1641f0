#pragma once
// The numbers of the model that are no device's own, each with its origin. Measurements: one H100 80GB, fp32.

#include <array>

namespace kasc::model {

constexpr int shared_banks = 32;  // CUDA C++ Programming Guide, compute capability 5 and later
constexpr int line_words = 32;    // a 128-byte line of L1: one a clock, the width of the shared memory port
// L2 takes a sector of which a warp stores a part in so much of the time of a whole one. H200: 9 words of a cell beside
// each other 6.4 TB/s of such sectors, 3 words 7, whole ones 5.5.
constexpr double sectors_in_part = 0.75;
constexpr double l2_sector_bytes = 32;  // CUDA C++ Best Practices Guide: L1 and L2 move 32-byte sectors
constexpr double cpu_line_bytes = 64;  // of the caches of x86 and most of Arm's cores: a word of a line moves all of it
constexpr int register_granularity = 8;  // CUDA occupancy calculator: registers a thread are rounded up to 8
constexpr int shared_granularity = 128;  // CUDA occupancy calculator: bytes a block
constexpr int most_registers = 255;      // a thread's, by the instruction encoding; more are spilled

/// A kernel with 4-byte loads and stores against cudaMemcpy: 2850 of 3030 GB/s. With 16-byte copies kernels reach it.
constexpr double author_access_efficiency = 0.94;
/// Addresses, the loop and the coordinates of one step, instructions a thread: counted in compiled kernels, 8 to 14.
constexpr double step_overhead_instructions = 10;
/// Registers that a thread needs besides the values: addresses, coordinates, temporaries (16 to 24 in compiled
/// kernels).
constexpr int base_registers = 20;
/// From a shared-memory load to its use, in clocks; published microbenchmarks: 23 to 33.
constexpr double shared_latency_clocks = 30;
/// From an arithmetic instruction to the next that needs its result; published microbenchmarks of 8.0 and 9.0: 4. What
/// a thread does is mostly one chain.
constexpr double dependent_clocks = 4;
/// Part of a block's own bytes and operations that do not overlap each other: its warps drift apart between barriers.
constexpr double one_after_the_other = 0.7;
/// How bounds that are met at the same time add up (predict.cpp): 3 to 6 fit alike, 4 best.
constexpr double overlap_power = 4;
/// A function of at most so many operations a word of its result works word by word.
constexpr int word_by_word_flops = 2;
/// Loads that the compiler moves above the first use: a thread has about that many in flight.
constexpr int most_loads_in_flight = 16;

/// Additions of integers to words of memory at random: 2^22 entries to 6, 100, 256 and 1024 cells, 2^26 to
/// 65536, 5.1, 4.5, 3.9, 11.6 and 69 a ns (benchmarks/results/2026-11-25-h100-scatter.md).
constexpr double additions_to_few_a_ns = 4, few_cells = 350, most_additions_a_ns = 69;
/// Passes of shared memory for additions of a warp that no two threads make to one bank, a guess; for those of copies
/// that several threads have, by counting (model/field/additions.cpp).
constexpr double shared_addition_passes = 2, passes_of_one_copy = 3.5, passes_a_halving = 0.8;
/// What a thread does for a word of a copy, setting it to zero and summing it up: counted in a compiled kernel.
constexpr double copied_word_instructions = 5;
/// What a thread does for an entry that it adds to a word of its own, and for such a word beside: counted in a compiled
/// kernel. What it waits from one of its entries to the next, which may be for the same word: a load from shared
/// memory, a sum and a store, by published latencies of 8.0 and 9.0.
constexpr double lane_instructions = 6, joined_word_instructions = 3, own_word_ns = 22;
/// What a group of entries takes beside what it reads and computes: counted in a compiled kernel, with coordinates of
/// two axes.
constexpr double histogram_overhead_instructions = 14;

/// Part of a thread's life in which its loads are under way. Fitted to the 13-point stencil, 512³: 151 to 185 GCell/s
/// without streaming (60 to 73 % of the copy rate), and to the 2D 5-point stencil, 14400²: 69 %.
constexpr double loads_under_way = 0.6;
/// The share of a tile's halo that comes from DRAM again for each doubling of what blocks touch between two uses, once
/// that exceeds L2: fitted to columns of 4 to 128 planes of the 13-point stencil, 256³ to 768³, 39 to 630 MB in flight.
constexpr double halo_missed_a_doubling = 0.3;
/// Bytes of a value that all blocks read which a multiprocessor keeps in L1 beside what passes through it: lines and
/// small tables.
constexpr double held_by_multiprocessor = 64 * 1024;
/// The share of L2 that stays for reuse while results stream through it: a row of a CPU.
constexpr double l2_share_for_reuse = 0.5;
/// Blocks that walk touch as many DRAM pages as arrays in every plane; a device keeps up with those of three arrays.
/// Fitted to columns against grids with 3, 4 and 7 arrays, 512³: 0, 3 and 11 % slower beyond their halo.
constexpr double walking_loss_an_array = 0.027;
constexpr int walking_arrays_free = 3;
/// Loads of 4 and 8 bytes a thread against 16, where nothing else differs: the 5-point stencil, 14400². Spectra of 257
/// complex cells a row, threads counted through the rows: 97 to 100 % of the copy rate.
constexpr double pair_access_efficiency = 0.985;
/// More than 16 bytes of a thread and array are two accesses, each of half of all its sectors: four doubles of 14
/// families of stencils take 1.25 times as long beside one double as predicted without (benchmarks/research, H100).
constexpr double wide_access_efficiency = 0.8;
/// Groups of cells that call functions of double: ptxas goes through the calls of all of them at once, and takes all of
/// 255 registers, or spills. Pairs of drawn programs take twice as long beside single cells, of bilateral filters three
/// times, of sums of functions 1.5 times.
constexpr double functions_of_groups = 1.5;
/// A grid whose threads compute two rows, or four, against one: its warps' accesses lie rows apart. 5-point stencil,
/// 14400²: 1.5 and 3.5 %; five arrays and a dose, 512³: 5 %.
constexpr double rows_loss_a_doubling = 0.018;
/// Blocks of one path and blocks of the other run beside each other: 13-point stencil with kept layers, 512³ and 768³.
/// A kernel that maps coordinates has two paths anyway.
constexpr double uniform_loss = 0.01;
/// A block that meets at barriers has its loads under way for half of the time that one without has: tiles in shared
/// memory against columns in registers.
constexpr double under_way_between_barriers = 0.5;
/// Index arithmetic and tests of a cell: a thread that computes one group of cells, or one more plane of its column.
constexpr double grid_overhead_instructions = 24;
/// Instructions of a word beside a cell at the edge of the grid, beyond one: its coordinate through the boundary and an
/// index in 64 bits. A wave of eighth order has 400 in place of 96 for 24 neighbours (PTX).
constexpr double edge_access_instructions = 12;
/// Coordinates, tests and the loop over a thread's cells, of a cell of the edge.
constexpr double edge_overhead_instructions = 24;
/// How much longer memory's traffic takes where all blocks have warps that go through both paths: with 160 cells a row,
/// four in ten, an acoustic wave takes 1.12 times as long; with 182 and 287 cells two others 1.03 to 1.05.
constexpr double split_warps_loss = 0.25;
/// Additional traffic for sectors at the ends of a block's rows of which it stores a part, as a share of their bytes,
/// for each array that a thread stores and doubling of its rows: one array 5379 cells a row 1.03, two arrays of 3649
/// 1.1, 1.2 and 1.33 with one, two and four rows.
constexpr double torn_sectors = 0.22;
/// The share of a wait for memory that each further cell of the edge takes of a thread: the first brings most words of
/// the others near.
constexpr double edge_wait = 0.5;
/// A value that a thread at the edge computes at a mapped cell, with what maps it: six steps of a line of 100000 cells
/// between values, 364 of them for each of four cells, take 11 us on an H200 where the interior takes 3.
constexpr double edge_evaluation_ns = 5.8;
constexpr double column_overhead_instructions = 8;
/// The same of a row that a warp walks: of the 30 instructions in the loop of the 5-point stencil, compiled for sm_90,
/// 4 are accesses and shuffles, 5 arithmetic.
constexpr double warp_overhead_instructions = 21;
/// A division of 32-bit integers and what follows it, in compiled kernels.
constexpr double division_instructions = 20;
/// A word on its way through shared memory, to it or from it: both accesses, and its place where cells are padded.
constexpr double staged_instructions = 2, staged_place_instructions = 4;
/// Filling a tile: place, coordinates clamped to the grid, address, a word.
constexpr double fill_instructions = 20;
/// Registers beside the values, of a column's loop and of rows' second path, and the part of a kernel's loads that are
/// live at a time: compiled kernels of the 13-point stencil have 30 to 128 registers, predicted within 16.
constexpr int column_registers = 8;
constexpr int rows_registers = 12;
constexpr double loads_live = 0.35;
/// The slow path of a double's quotient or root is a subroutine: what is loaded is loaded before it and held across.
/// Parts of the fluxes of the Euler equations (12 quotients a cell) have 90 and 96 registers, a wave in tilted
/// layers 94.
constexpr double loads_live_in_calls = 0.9;
/// Registers of a word that a statement of double reads and converts: more than half of them are held as doubles at a
/// time.
constexpr double converted_registers = 1.5;
/// Registers of a function of double, such as exp2: a kernel of a dose that holds 48 registers of its own is compiled
/// with 62.
constexpr int double_function_registers = 16;
/// A load behind the slow path of a quotient or root, which ptxas moves no load across, is waited for by itself: blocks
/// of a step of elastic waves (examples/elastic_waves.kas, 384³) take 12.5 us for 66 loads, with vectors of four as
/// with none, where neither memory nor issue is busy (results/2026-11-23-h100-cells.md).
constexpr double load_by_itself_ns = 190;
/// All loads of doubles stand before the first slow path (loads_live_in_calls); one beside the others is waited for so
/// long. With double_slow_path_ns the Euler equations' fluxes are predicted at 577 us, and take some 510.
constexpr double load_of_many_ns = 45;
/// A quotient or a root, whose branch ends what of other cells could be computed beside it: a chain of 12 instructions,
/// two of them of the slow unit. Shallow water, 3032 × 3520: with four rows of four cells a thread, which makes 0.6 of
/// the instructions of one row at half of the occupancy, 1.3 times as long.
constexpr double slow_path_ns = 35;
/// That of doubles, whose unit takes a warp's instruction every other clock: a chain of eight products for a quotient,
/// ten for a root. A step of the Euler equations of 192³ cells in one kernel (57 of them and 35 loads a cell, one block
/// of 256 threads a multiprocessor) takes 11.5 us a cell of a thread, its instructions would take 1.4; fluxes alone (24
/// of them and 45 loads, four blocks of 128) 4.9.
constexpr double double_slow_path_ns = 100;
/// The same in planes that follow each other, in instructions beyond its own: rows of a thread wait for each other's
/// slow paths. Fluxes of shallow water with 16 of them for each cell: 1.28 ms, 8192², where what is counted else takes
/// 0.66.
constexpr double slow_path_instructions = 14;
/// Where cells beside each other lie in lines of their own, sectors come as wholes, and at this part of the rate: steps
/// through 512 cells of a row, a launch each, of 512² rows 37 us for 25 MB; by a loop in each cell 9.4 ms for 8.6 GB
/// (H100).
constexpr double scattered_efficiency = 0.3;
/// The share of a block's halo that L1 has from a block beside it that ran on the same multiprocessor: grids of the
/// 13-point stencil, 512³, run at up to 243 GCell/s, where their halo alone would take L2's whole rate at 183.
constexpr double halo_found_in_l1 = 0.45;

constexpr int instruction_bytes = 16;  // since compute capability 7
/// How much longer an instruction takes that comes from beyond the cache of instructions: a bilateral filter, 8192²,
/// takes 1.22 times as long with the code of 16 cells (97 KB, counted as 112) as with that of 8 (55 KB), 2026-11-23.
constexpr double fetched_again = 0.75;

// Streams on a CPU: phases are loops over a block's threads, and g++ 12 vectorises few author functions. Fitted to some
// 170 plans of twelve examples, 200 000 elements, on one core of an AMD EPYC (Turin, 2.6 GHz, g++ 12.2 -O3
// -march=native), 2026-11-23, the second best of 25 runs on a machine with other work.

/// Floating-point operations a clock where a function does not work word by word: two pipes of multiply-adds, and what
/// waits for each other.
constexpr double cpu_operations_per_clock = 6;
/// A thread's turn in a call's loop, and an operand's word that it reads from a tile: implementations with several
/// threads an element read some words several times.
constexpr double cpu_turn_clocks = 0.5;
constexpr double cpu_operand_clocks = 0.2;
/// From an array of memory into a block's tile or back, a word: by the author's loops, some of which are vectorised,
/// and by copies of four words that stop at the tile's end, which are not. Where each thread moves one word beside the
/// next thread's, the loop is vectorised, as calls are that work so: sync_test takes 2 clocks an element in place
/// of 20.
constexpr double cpu_author_clocks = 0.3;
constexpr double cpu_staged_clocks = 0.6;
/// A condition of data: some are moves, some branches that are mispredicted. 19 in eigsym33, whose 170 operations take
/// 110 to 130 clocks longer.
constexpr double cpu_condition_clocks = 4;
/// A scalar division or root: 4 to 6 clocks from one to the next (Agner Fog's tables, Zen 4 and 5).
constexpr double cpu_division_clocks = 5;
/// A function of glibc 2.36 such as logf: neo_hookean_energy with one.
constexpr double cpu_call_clocks = 20;

/// Bytes a core moves between its registers and its first cache, a clock: one 32-byte load.
constexpr double cpu_cache_bytes_per_clock = 32;

/// Schedulers of a multiprocessor, by the CUDA C++ Programming Guide.
constexpr double schedulers = 4;

/// Shares of the copy rate that kernels have which transform lines: lines along the first axis, and of few threads;
/// lines along others, of which 128, 64 or fewer bytes beside each other are one block's, with numbers near each other
/// or far apart (lines of 512 along y and z of 272 × 512 × 512 on an H100: 0.390, 0.408, 0.465 and 0.430, 0.500, 0.588
/// ms).
constexpr double fft_rows_efficiency = 0.95, fft_wide_rows_efficiency = 0.87, fft_far_bytes = 1 << 18;
constexpr std::array<double, 3> fft_near_efficiency{0.96, 0.86, 0.78}, fft_far_efficiency{0.87, 0.76, 0.64};

}  // namespace kasc::model
