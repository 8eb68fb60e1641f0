// Room for arrays in the host's memory.
//
// A stencil walks through its arrays at a dozen places at once, each of which is on another page. So large arrays lie
// on huge pages, where the system has some for who asks. These begin where the caches' sets do, all of them, as do
// arrays of callers that ask for such pages: arrays are set off against each other, so that the same words of several
// do not fall on the same sets.
#pragma once

#include <cstdlib>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace {

class kasc_rooms {
public:
    kasc_rooms() = default;
    kasc_rooms(const kasc_rooms&) = delete;
    ~kasc_rooms() { release(); }

    // On a cache line; null: there is no memory for it.
    void* take(unsigned long long bytes) {
        const bool large = bytes >= large_array;
        const unsigned long long alignment = large ? huge_page : line;
        const unsigned long long apart = large ? (1 + taken_.size() % places) * place : 0;
        const unsigned long long all = (bytes + apart + alignment - 1) / alignment * alignment;
        void* const room = all < bytes ? nullptr : std::aligned_alloc(alignment, all);
        if (room == nullptr) return nullptr;
        taken_.push_back({room});
#ifdef MADV_HUGEPAGE
        if (large) (void)madvise(room, all, MADV_HUGEPAGE);
#endif
        return static_cast<char*>(room) + apart;
    }
    void release() {
        for (const taken& t : taken_) std::free(t.room);
        taken_.clear();
    }

private:
    static constexpr unsigned long long line = 64, huge_page = 2 << 20;
    static constexpr unsigned long long large_array =
        8 * huge_page;  // of which what is left of its last page is little
    // A page of 4 KiB and nine lines further: other sets of the first caches, and of the second ones.
    static constexpr unsigned long long place = 4096 + 9 * line, places = 16;

    // A type of this file's, so that a library of it exports no code for it.
    struct taken {
        void* room;
    };
    std::vector<taken> taken_;
};

}  // namespace
