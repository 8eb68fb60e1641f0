// Launches that follow each other are computed together, plane by plane.
//
// A launch goes through whole arrays. Where they are larger than the caches, the next launch brings them from memory
// again. So launches wait, and what waits is computed together: some planes by the first launch, then by the second
// those of which the first has left all that they read, and so on. Each block is computed once, of the words that it
// would have found in its turn: no word of a result depends on what waited.
//
//   launch 2 stores what launch 1 reads,      planes   0  1  2  3  4  5  6  7
//   and reads one plane beyond its own:      launch 1  a  a  b  b  c  c  d  d
//                                            launch 2  a  b  b  c  c  d  d  d     in the order a, b, c, d
//
// Where plane 0 and the last one are neighbours, each launch leaves out what it would have to read of planes that are
// not there yet, at both ends, and these planes come last, launch by launch.
//
// The order is that of wavefronts (Wellein, Hager, Zeiser, Wittmann, Fehske: Efficient temporal blocking for stencil
// computations by multicore-aware wavefront parallelization, 2009), found as the program runs, as in Reguly, Mudalige,
// Giles: Loop tiling in large-scale stencil codes at run-time with OPS, 2018.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <new>
#include <type_traits>

#include "kasc_crew.hpp"
#include "kasc_integers.hpp"

namespace {

// What a launch touches of an array. near: of the planes of its blocks, and reads up to so many beyond them. ends: of
// these, and beyond one end of the axis at the other. first: stores at plane 0 what is the same for all. far: any word.
enum class kasc_where : char { near, ends, first, far };
struct kasc_touch {
    const void* array;
    long long word_bytes;
    kasc_where where;
    bool stores;
};
template <class T>
kasc_touch kasc_reads(const T* array, kasc_where where) {
    return {array, static_cast<long long>(sizeof(T)), where, false};
}
template <class T>
kasc_touch kasc_stores(T* array, kasc_where where) {
    return {array, static_cast<long long>(sizeof(T)), where, true};
}

// How the blocks of a launch lie along its outermost axis: `blocks` that follow each other along a dimension of the
// grid have `cells` of the axis, of `extent`; a block has about `words` cells, and reads up to `reach` planes beyond.
struct kasc_planes {
    int axis;  // its number in the program
    int along;
    long long extent, cells, blocks, reach, words;
};

// Bytes of a core's last cache, by Linux; 0: it does not say. (What sysconf says is of all such caches of a processor,
// where it has several, whoever uses them.)
inline long long kasc_last_cache() {
    long long bytes = 0;
    for (const char* path :
         {"/sys/devices/system/cpu/cpu0/cache/index3/size", "/sys/devices/system/cpu/cpu0/cache/index2/size"}) {
        std::FILE* const file = bytes == 0 ? std::fopen(path, "r") : nullptr;
        if (file == nullptr) continue;
        char unit = 'K';
        if (std::fscanf(file, "%lld%c", &bytes, &unit) < 1) bytes = 0;
        bytes <<= unit == 'M' ? 20 : 10;
        std::fclose(file);
    }
    return bytes;
}
// Bytes of planes that may stay in the caches: KASC_CACHE_BYTES, where it is set.
inline long long kasc_cache_bytes() {
    static const long long bytes = [] {
        if (const char* given = std::getenv("KASC_CACHE_BYTES")) return std::atoll(given);
        constexpr long long some = 16 << 20;
        const long long found = kasc_last_cache();
        return found > 0 ? found : some;
    }();
    return bytes;
}

// Launches that wait. Whoever else looks at their arrays calls finish() before.
class kasc_launches {
public:
    kasc_launches() = default;
    kasc_launches(const kasc_launches&) = delete;
    ~kasc_launches() { finish(); }

    // At once: its blocks touch what they like.
    void run(kasc_crew& crew, long long x, long long y, long long z, const kasc_body& body) {
        finish();
        crew.run(x, y, z, body);
    }
    // Sooner or later. body(x, y, z), of which a copy is kept, for all blocks.
    template <class Body>
    void run(kasc_crew& crew, long long x, long long y, long long z, const kasc_planes& planes,
             std::initializer_list<kasc_touch> touched, const Body& body) {
        static_assert(std::is_trivially_copyable_v<Body>, "a block is known by numbers and arrays");
        if (sizeof(Body) > sizeof(launch::kept) || touched.size() > most_touched) return run(crew, x, y, z, body);
        launch& next = waiting_[count_];
        next.crew = &crew;
        next.grid[0] = x, next.grid[1] = y, next.grid[2] = z;
        next.planes = planes;
        next.arrays = 0;
        for (const kasc_touch& touch : touched) next.touched[next.arrays++] = touch;
        if (!takes_in(next)) return run(crew, x, y, z, body);
        if constexpr (sizeof(Body) <= sizeof(launch::kept)) {
            launch& taken = waiting_[count_ - 1];
            const Body* const copy = new (taken.kept) Body(body);
            taken.body = kasc_body(*copy);
        }
        if (count_ == most) finish();
    }
    void finish() {
        if (count_ > 0) run_all();
    }

private:
    static constexpr int most = 8, most_touched = 40;
    // Bytes of planes for each thread between two barriers: some 20 us, of which a barrier is a tenth. But no more of
    // the caches than a sixteenth, for all threads.
    static constexpr long long bytes_of_turn = 256 << 10, turns_in_cache = 16;

    struct launch {
        kasc_crew* crew;
        long long grid[3];
        kasc_planes planes;
        int arrays;
        kasc_touch touched[most_touched];
        kasc_body body;
        alignas(16) unsigned char kept[512];
        long long behind[most];  // planes that it stays behind each of those before it
        // So it may compute those from low up to high without what lies around the ends.
        long long low, high;

        void wait_for_none() {
            for (long long& cells : behind) cells = 0;
            low = 0, high = planes.extent;
        }
        void wait_for(int which, const launch& before) {
            low = kasc_max(low, up(before.low + behind[which]));
            high = kasc_min(high, down(before.high - behind[which]));
        }
        long long down(long long cells) const { return cells > 0 ? cells / planes.cells * planes.cells : 0; }
        long long up(long long cells) const { return down(cells + planes.cells - 1); }
        long long block_before(long long cell) const { return up(cell) / planes.cells * planes.blocks; }
        // The first of the array; null: there is none.
        const kasc_touch* find(const void* array) const {
            for (int k = 0; k < arrays; ++k)
                if (touched[k].array == array) return &touched[k];
            return nullptr;
        }
        long long blocks_of_plane() const { return grid[0] * grid[1] * grid[2] / grid[planes.along] * planes.blocks; }
        // Bytes of a plane of this array, about.
        long long bytes_of_plane(const kasc_touch& touch) const {
            const bool whole = touch.where == kasc_where::near || touch.where == kasc_where::ends;
            return whole ? touch.word_bytes * planes.words * blocks_of_plane() / planes.cells : 0;
        }
    };
    // One more than wait: the next one is looked at in its place.
    launch waiting_[most + 1];
    int count_ = 0;
    bool around_ends_ = false;  // some of them reads around the ends what another stores

    // The launch behind those that wait is one of them from now on, if it pays.
    __attribute__((cold)) bool takes_in(launch& next) {
        next.wait_for_none();
        if (!pays(next)) return false;
        if (!joins(next)) {
            finish();
            waiting_[0] = next;
            waiting_[0].wait_for_none();
        }
        ++count_;
        return true;
    }
    __attribute__((cold)) void run_all() {
        const int count = count_;
        if (count == 1) {
            const launch& alone = waiting_[0];
            alone.crew->run(alone.grid[0], alone.grid[1], alone.grid[2], alone.body);
        } else {
            waiting_[0].crew->share_sweep([&](bool timed) { return sweep(timed); });
        }
        count_ = 0;
        around_ends_ = false;
    }

    // Its arrays do not stay in the caches by themselves, but some of their planes do.
    __attribute__((cold)) bool pays(const launch& next) const {
        long long bytes = 0;
        for (int k = 0; k < next.arrays; ++k) bytes += next.bytes_of_plane(next.touched[k]);
        const long long turn = cells_of_turn(bytes, next.planes.cells);
        return bytes * next.planes.extent > kasc_cache_bytes() && holds(bytes, next.planes.reach, turn);
    }
    // The planes between what the first launch reads next and what the last one has left are still in the caches.
    static bool holds(long long bytes_of_plane, long long behind, long long turn) {
        return bytes_of_plane * (behind + turn) <= kasc_cache_bytes();
    }
    static long long cells_of_turn(long long bytes_of_plane, long long cells) {
        const long long bytes = kasc_min(bytes_of_turn * kasc_crew::threads(), kasc_cache_bytes() / turns_in_cache);
        const long long turn = bytes_of_plane > 0 ? (bytes + bytes_of_plane - 1) / bytes_of_plane : cells;
        return kasc_max(kasc_max(turn, cells), 2);
    }

    // Whether it can be computed together with those that wait; if so, how far behind each of them.
    __attribute__((cold)) bool joins(launch& next) {
        bool around_ends = around_ends_;
        for (int k = 0; k < count_; ++k) {
            const launch& before = waiting_[k];
            if (before.planes.axis != next.planes.axis || before.planes.extent != next.planes.extent) return false;
            for (int own = 0; own < next.arrays; ++own)
                for (int other = 0; other < before.arrays; ++other)
                    if (!follows(next, next.touched[own], k, before.touched[other], around_ends)) return false;
            next.wait_for(k, before);
        }
        if (count_ == 0) return true;
        const long long bytes = bytes_of_plane_with(next), turn = cells_of_turn(bytes, next.planes.cells);
        if (!holds(bytes, waiting_[0].planes.reach + next.low + next.planes.reach, turn)) return false;
        if (around_ends && next.high - next.low < 2 * (next.low + turn)) return false;
        around_ends_ = around_ends;
        return true;
    }
    // False: both touch it in ways for which no order of planes is right.
    __attribute__((cold)) bool follows(launch& next, const kasc_touch& own, int which, const kasc_touch& other,
                                       bool& around_ends) const {
        if (own.array != other.array || !(own.stores || other.stores)) return true;
        if (own.where != other.where || own.where == kasc_where::far) return false;
        const bool ends = own.where == kasc_where::ends;
        around_ends = around_ends || ends;
        // Who looks around an end may have looked away from it before.
        const long long times = ends ? 2 : 1;
        long long& behind = next.behind[which];
        if (other.stores) behind = kasc_max(behind, times * next.planes.reach);
        if (own.stores) behind = kasc_max(behind, times * waiting_[which].planes.reach);
        return true;
    }
    // All arrays of those that wait and of the next.
    __attribute__((cold)) long long bytes_of_plane_with(const launch& next) const {
        long long bytes = 0;
        for (int k = 0; k <= count_; ++k) {
            const launch& own = k < count_ ? waiting_[k] : next;
            for (int i = 0; i < own.arrays; ++i) {
                const kasc_touch* known = nullptr;
                for (int j = 0; j < k && known == nullptr; ++j) known = waiting_[j].find(own.touched[i].array);
                if (known == nullptr && own.find(own.touched[i].array) == &own.touched[i])
                    bytes += own.bytes_of_plane(own.touched[i]);
            }
        }
        return bytes;
    }

    // By each of the threads that share it. Returns the seconds that this one has computed.
    __attribute__((cold)) double sweep(bool timed) const {
        const int count = count_;
        const long long turn = cells_of_turn(bytes_of_plane_with(waiting_[count - 1]), largest_cells());
        long long done[most] = {}, ends[most] = {};  // cells
        for (int k = 0; k < count; ++k) {
            done[k] = around_ends_ ? waiting_[k].low : 0;
            ends[k] = around_ends_ ? waiting_[k].high : waiting_[k].planes.extent;
        }
        double computed = 0;
        bool all_done = false;
        for (long long until = turn; !all_done; until += turn) {
            all_done = true;
            for (int k = 0; k < count; ++k) {
                long long to = kasc_min(until, ends[k]);
                for (int j = 0; j < k; ++j)
                    if (done[j] < ends[j]) to = kasc_min(to, done[j] - waiting_[k].behind[j]);
                if (to < ends[k]) to = waiting_[k].down(to);
                if (to > done[k]) {
                    computed += run_cells(waiting_[k], done[k], to, timed);
                    done[k] = to;
                }
                all_done = all_done && done[k] == ends[k];
            }
        }
        for (int k = 0; k < count && around_ends_; ++k) {
            computed += run_cells(waiting_[k], 0, waiting_[k].low, timed);
            computed += run_cells(waiting_[k], waiting_[k].high, waiting_[k].planes.extent, timed);
        }
        return computed;
    }
    __attribute__((cold)) static double run_cells(const launch& own, long long from, long long to, bool timed) {
        if (from >= to) return 0;
        const double began = timed ? kasc_seconds() : 0;
        run_blocks(own, own.block_before(from), own.block_before(to));
        const double took = timed ? kasc_seconds() - began : 0;
#pragma omp barrier
        return took;
    }
    __attribute__((cold)) long long largest_cells() const {
        long long cells = 1;
        for (int k = 0; k < count_; ++k) cells = kasc_max(cells, waiting_[k].planes.cells);
        return cells;
    }
    // Those from `first` up to `end` along the axis: a thread has the same rows of all planes, where there are as many
    // threads as that.
    __attribute__((cold)) static void run_blocks(const launch& own, long long first, long long end) {
        const int along = own.planes.along, inner = along == 0 ? 1 : 0, outer = along == 2 ? 1 : 2;
        const long long planes = end - first, blocks = own.grid[inner] * own.grid[outer] * planes;
#pragma omp for schedule(static) nowait
        for (long long k = 0; k < blocks; ++k) {
            long long at[3];
            at[along] = first + k % planes;
            at[inner] = k / planes % own.grid[inner];
            at[outer] = k / planes / own.grid[inner];
            own.body(at[0], at[1], at[2]);
        }
    }
};

}  // namespace
