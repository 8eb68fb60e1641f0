// Arrays of several GPUs, and of a process that has a part of them, with a driver that only keeps books.
#include "runtime/devices/rank_memory.hpp"

#include <gtest/gtest.h>

#include <map>

namespace kasc::runtime {
namespace {

constexpr std::uint64_t mb = std::uint64_t{1} << 20U;

/// What is mapped where: by address its end, its device and whether devices have access.
struct Mapped {
    DeviceAddress end = 0;
    int device = 0;
    std::size_t accessible = 0;  ///< for so many devices
};
struct Books {
    std::map<DeviceAddress, Mapped> mapped;
    std::map<DeviceAddress, std::size_t> reserved;
    std::map<unsigned long long, int> created;  ///< device, by handle
    unsigned long long next_handle = 1;
    DeviceAddress next_address = std::uint64_t{1} << 40U;
    int creations_left = 100;
};
Books books;

PagesDriver driver() {
    books = {};
    PagesDriver d;
    d.reserve = [](DeviceAddress* at, std::size_t bytes, std::size_t, DeviceAddress, unsigned long long) {
        books.reserved[*at = books.next_address] = bytes;
        books.next_address += bytes + 2 * mb;
        return 0;
    };
    d.give_back = [](DeviceAddress at, std::size_t bytes) {
        return books.reserved.extract(at).mapped() == bytes ? 0 : 1;
    };
    d.create = [](unsigned long long* handle, std::size_t, const void* properties, unsigned long long) {
        if (books.creations_left-- <= 0) return 2;  // CUDA_ERROR_OUT_OF_MEMORY
        books.created[*handle = books.next_handle++] = static_cast<const int*>(properties)[3];
        return 0;
    };
    d.release = [](unsigned long long handle) { return books.created.erase(handle) == 1 ? 0 : 1; };
    d.map = [](DeviceAddress at, std::size_t bytes, std::size_t, unsigned long long handle, unsigned long long) {
        books.mapped[at] = {at + bytes, books.created.at(handle), 0};
        return 0;
    };
    d.unmap = [](DeviceAddress at, std::size_t bytes) {
        return books.mapped.extract(at).mapped().end == at + bytes ? 0 : 1;
    };
    d.set_access = [](DeviceAddress at, std::size_t bytes, const void*, std::size_t devices) {
        if (books.mapped.at(at).end != at + bytes) return 1;
        books.mapped.at(at).accessible = devices;
        return 0;
    };
    return d;
}

/// "4 … 6 of GPU 1", in mebibytes from the beginning of an array.
std::vector<std::string> places(const std::byte* array) {
    const auto begin = reinterpret_cast<DeviceAddress>(array);
    std::vector<std::string> all;
    for (const auto& [at, of] : books.mapped)
        all.push_back(std::to_string((at - begin) / mb) + " … " + std::to_string((of.end - begin) / mb) + " of GPU " +
                      std::to_string(of.device));
    return all;
}
using Places = std::vector<std::string>;

TEST(RankMemory, WhatIsReservedHasPagesWhereTheyAreHeld) {
    const PagesDriver d = driver();
    {
        RankMemory memory(d, {3});
        std::byte* const array = memory.reserve(15 * mb + 7);
        EXPECT_EQ(books.reserved.begin()->second, 16 * mb);
        EXPECT_EQ(places(array), Places{});
        ASSERT_TRUE(memory.hold(array + 5 * mb, 2 * mb));  // over the end of a page
        EXPECT_EQ(places(array), Places{"4 … 8 of GPU 3"});
        ASSERT_TRUE(memory.hold(array + 4 * mb, 4 * mb));  // there
        ASSERT_TRUE(memory.hold(array + 7 * mb, 0));
        EXPECT_EQ(places(array).size(), 1U);
        ASSERT_TRUE(memory.hold(array + 15 * mb, 7));
        ASSERT_TRUE(memory.hold(array + 3 * mb, 12 * mb));  // what lacks between those, and before them
        EXPECT_EQ(places(array), (Places{"2 … 4 of GPU 3", "4 … 8 of GPU 3", "8 … 14 of GPU 3", "14 … 16 of GPU 3"}));
        for (const auto& [at, of] : books.mapped) EXPECT_EQ(of.accessible, 1U);
        EXPECT_EQ(memory.parts(array + mb, 3).size(), 1U);
    }
    EXPECT_TRUE(books.mapped.empty() && books.reserved.empty() && books.created.empty());
}

TEST(RankMemory, OtherArraysHaveAllPagesFromTheStart) {
    const PagesDriver d = driver();
    RankMemory memory(d, {0, 1});
    std::byte* const small = memory.take(100);
    EXPECT_EQ(places(small), Places{"0 … 2 of GPU 0"});
    ASSERT_TRUE(memory.hold(small, 100));
    std::byte* const beside = memory.take(100);
    EXPECT_EQ(beside, small + 256);
    EXPECT_EQ(places(small).size(), 1U);
    books.mapped.clear();
    std::byte* const cut = memory.take_cut({{6 * mb, 8 * mb}});
    EXPECT_EQ(places(cut), (Places{"0 … 6 of GPU 0", "6 … 8 of GPU 1"}));
    ASSERT_TRUE(memory.hold(cut, 8 * mb));
    for (const auto& [at, of] : books.mapped) EXPECT_EQ(of.accessible, 2U);
    const std::vector<RankPart> parts = memory.parts(cut + 5 * mb, 2 * mb);
    ASSERT_EQ(parts.size(), 2U);
    EXPECT_EQ(parts[1].rank, 1);
    EXPECT_EQ(parts[1].first, mb);
    books.mapped[reinterpret_cast<DeviceAddress>(small)] = {reinterpret_cast<DeviceAddress>(small) + 2 * mb, 0, 2};
}

TEST(RankMemory, ARankSeesItsCopiesInPlaceOfOthersPages) {
    const PagesDriver d = driver();
    {
        RankMemory memory(d, {4, 5});
        const std::vector<ByteRange> of_first{{8 * mb, 10 * mb}}, of_second{{4 * mb, 8 * mb}};
        std::byte* const array = memory.take_cut({{8 * mb, 12 * mb}, {of_first, of_second}});
        EXPECT_EQ(memory.copies(0, array), of_first);
        EXPECT_EQ(memory.copies(1, array), of_second);
        EXPECT_EQ(memory.parts(array, 12 * mb).size(), 2U);
        std::byte *const first = memory.seen_by(0, array), *const second = memory.seen_by(1, array);
        std::map<const std::byte*, std::vector<int>> devices;  // by address, of each 2 MB
        for (const std::byte* seen : {static_cast<const std::byte*>(array), static_cast<const std::byte*>(first),
                                      static_cast<const std::byte*>(second)}) {
            const auto begin = reinterpret_cast<DeviceAddress>(seen);
            for (DeviceAddress at = begin; at < begin + 12 * mb; at += 2 * mb) {
                const auto& [low, of] = *std::prev(books.mapped.upper_bound(at));
                ASSERT_TRUE(low <= at && at < of.end);
                EXPECT_EQ(of.accessible, seen == array ? 2U : 1U);
                devices[seen].push_back(of.device);
            }
        }
        EXPECT_EQ(devices[array], (std::vector<int>{4, 4, 4, 4, 5, 5}));
        EXPECT_EQ(devices[first], (std::vector<int>{4, 4, 4, 4, 4, 5}));
        EXPECT_EQ(devices[second], (std::vector<int>{4, 4, 5, 5, 5, 5}));
        EXPECT_EQ(books.created.size(), 6U) << "three of each of the array, and the copies";
        EXPECT_EQ(memory.seen_by(1, array + 3), second + 3);
        std::byte* const plain = memory.take_cut({{2 * mb, 2 * mb}});
        EXPECT_EQ(memory.seen_by(1, plain), plain);
        EXPECT_TRUE(memory.copies(1, plain).empty());
        for (books.creations_left = 0; books.creations_left < 6;) {
            const int left = books.creations_left;
            EXPECT_EQ(memory.take_cut({{8 * mb, 12 * mb}, {of_first, of_second}}), nullptr);
            EXPECT_EQ(books.created.size(), 7U) << left;
            books.creations_left = left + 1;
        }
    }
    EXPECT_TRUE(books.mapped.empty() && books.reserved.empty() && books.created.empty());
}

TEST(RankMemory, WhatIsNotThereIsToldAndGivenBack) {
    const PagesDriver d = driver();
    {
        RankMemory memory(d, {0});
        std::byte* const array = memory.reserve(8 * mb);
        ASSERT_TRUE(memory.hold(array, 1));
        books.creations_left = 0;
        EXPECT_FALSE(memory.hold(array, 3 * mb));
        EXPECT_EQ(memory.error(), 2);
        EXPECT_TRUE(memory.hold(array, 2 * mb));
        EXPECT_EQ(memory.take_cut({{2 * mb}}), nullptr);
        EXPECT_EQ(books.reserved.size(), 1U);
    }
    EXPECT_TRUE(books.mapped.empty() && books.reserved.empty() && books.created.empty());
}

}  // namespace
}  // namespace kasc::runtime
