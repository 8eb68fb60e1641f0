#include "kernel/shared_words.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kasc::kernel {

namespace {

bool is_other(int before, int thread) { return before == any_thread || thread == any_thread || before != thread; }

}  // namespace

void SharedWords::Last::add(int now, int who) {
    thread = interval == now && is_other(thread, who) ? any_thread : who;
    interval = now;
}

bool SharedWords::Last::has_other(int now, int who) const { return interval == now && is_other(thread, who); }

int SharedWords::add(std::string array, std::optional<int> offset, int words) {
    // Arrays of their own stand behind the block, wherever that ends: their offsets count down from -1.
    arrays_.push_back({std::move(array), offset ? *offset : -1 - apart_, words});
    if (offset)
        shared_block_ = std::max(shared_block_, *offset + words);
    else
        apart_ += words;
    return static_cast<int>(arrays_.size()) - 1;
}

void SharedWords::begin_block() {
    words_.assign(static_cast<std::size_t>(shared_block_) + static_cast<std::size_t>(apart_), {});
    for (Array& a : arrays_) a.added = a.touched = {};
    interval_ = round_ = 0;
    groups_ = complete_ = 0;
}

void SharedWords::pass_barrier(std::optional<int> under_way) {
    ++interval_;
    if (!under_way) return;
    if (*under_way == 0) ++groups_;  // what is in no group yet is awaited as well
    complete_ = std::max(complete_, groups_ - *under_way);
}

SharedWords::Word* SharedWords::word(const Array& array, long long at) {
    if (at < 0 || at >= array.words) {
        findings_.add([&] { return fmt::format("touches {}[{}] of {}", array.name, at, array.words); });
        return nullptr;
    }
    const long long first = array.offset >= 0 ? array.offset : shared_block_ + (-1 - array.offset);
    return &words_[static_cast<std::size_t>(first + at)];
}

void SharedWords::touch(int array, long long at, const Toucher& who, bool writes) {
    Array& a = arrays_[static_cast<std::size_t>(array)];
    Word* w = word(a, at);
    if (w == nullptr) return;
    if (a.added.has_other(interval_, who.thread))
        findings_.add([&] {
            return fmt::format("{} {}[{}], to which another thread may add with no barrier between",
                               writes ? "writes" : "reads", a.name, at);
        });
    a.touched.add(interval_, who.thread);
    if (w->interval != interval_) w->touches.clear();
    w->interval = interval_;
    Touch* like = nullptr;
    for (Touch& t : w->touches) {
        if (t.who.site == who.site && t.writes == writes) like = &t;
        if (!t.writes && !writes) continue;
        // A function may store before it has read all: its result lies apart from what it reads.
        if (writes && !t.writes && who.site != 0 && t.who.site == who.site && w->holds != array)
            findings_.add([&] { return fmt::format("writes {}[{}] over what the same call reads", a.name, at); });
        const bool one_result = t.writes && writes && who.site != 0 && t.who.site == who.site;
        if (!one_result && is_other(t.who.thread, who.thread))
            findings_.add([&] {
                return fmt::format("{} {}[{}], which another thread {} with no barrier between",
                                   writes ? "writes" : "reads", a.name, at, t.writes ? "writes" : "reads");
            });
    }
    if (like == nullptr)
        w->touches.push_back({who, writes});
    else if (is_other(like->who.thread, who.thread))
        like->who.thread = any_thread;
    if (!writes && (w->holds != array || w->round != round_))
        findings_.add([&] { return fmt::format("reads {}[{}], which nothing wrote", a.name, at); });
    if (w->brought_in > complete_)
        findings_.add([&] {
            return fmt::format("{} {}[{}], which a copy may still bring", writes ? "writes" : "reads", a.name, at);
        });
    if (!writes) return;
    w->holds = array;
    w->round = round_;
    w->brought_in = 0;
}

void SharedWords::add_to_some(int array, const Toucher& who) {
    Array& a = arrays_[static_cast<std::size_t>(array)];
    if (a.touched.has_other(interval_, who.thread))
        findings_.add([&] {
            return fmt::format("adds to a word of {}, which another thread touches with no barrier between", a.name);
        });
    if (word(a, 0)->holds != array)
        findings_.add([&] { return fmt::format("adds to words of {}, which nothing wrote", a.name); });
    a.added.add(interval_, who.thread);
}

void SharedWords::bring(int array, long long at, const Toucher& who) {
    touch(array, at, who, true);
    const Array& a = arrays_[static_cast<std::size_t>(array)];
    if (at >= 0 && at < a.words) word(a, at)->brought_in = groups_ + 1;
}

}  // namespace kasc::kernel
