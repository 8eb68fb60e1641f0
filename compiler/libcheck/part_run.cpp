// The judgement of one thread, by example: its pattern declares words 15 and 16 of an input.
//
//     reads 15, 16          as declared
//     reads 15, 16, 17      'undeclared': the schedule would miss a barrier, or 17 is not in its registers
//     writes 15             'writes_argument': whoever shares the tile would see it
//
// and of a result: every declared word must be written, and none read before: in another place it holds something else.

#include "libcheck/part_run.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kasc::libcheck {

namespace {

constexpr std::size_t most_words_shown = 8;

}  // namespace

std::string word_list(const std::vector<std::int64_t>& words) {
    std::string text = words.size() == 1 ? "word" : "words";
    for (std::size_t i = 0; i < words.size() && i < most_words_shown; ++i) text += fmt::format(" {}", words[i]);
    return words.size() > most_words_shown ? text + " …" : text;
}

bool Declared::has(int thread, std::int64_t word) const {
    const std::int64_t offset = word - start(thread);
    return offset >= 0 && offset <= set.offsets.back() &&
           std::binary_search(set.offsets.begin(), set.offsets.end(), static_cast<std::int32_t>(offset));
}

int Writers::write(int thread, std::int64_t word, float value) {
    const auto w = static_cast<std::size_t>(word);
    const int before = thread_.at(w);
    const bool differs = before >= 0 && before != thread && !same_bits(value_.at(w), value);
    thread_[w] = thread;
    value_[w] = value;
    return differs ? before : -1;
}

PartRun::PartRun(const FunctionTask& task, Findings& findings, const Site& site, const BlockShape& block, int data_set)
    : task_(task), findings_(findings), site_(site), block_(block) {
    task.now.site = site;
    task.now.block = block;
    task.now.data_set = data_set;
    ++task.now.checks;
    task.restart_clock();
}

void PartRun::thread(int variant, int thread, int bx, const std::vector<TracedArray*>& arrays) {
    thread_ = thread;
    task_.now.thread = thread;
    std::vector<TracedArrayView> views;
    for (TracedArray* array : arrays) {
        array->forget();
        views.push_back(array->view());
    }
    const std::array<int, 6> at{
        thread % block_[0], thread / block_[0] % block_[1], thread / (block_[0] * block_[1]), bx, 0, 0};
    task_.unit.trace(variant, at.data(), views.data(), static_cast<int>(views.size()), TracedArray::touch);
}

std::string PartRun::who() const {
    return fmt::format("thread {} of block {} x {} x {}", thread_, block_[0], block_[1], block_[2]);
}

void PartRun::add(Fault fault, int argument, bool global, std::string example) {
    Site site = site_;
    site.argument = argument;
    site.global = global;
    findings_.add({fault, site}, std::move(example));
}

std::string PartRun::declared_text(const Declared& declared) const {
    std::vector<std::int64_t> words;
    for (const std::int32_t offset : declared.set.offsets) words.push_back(declared.start(thread_) + offset);
    return "its pattern has " + word_list(words);
}

void PartRun::judge_beyond(const TracedArray& array, Fault reads, Fault writes, int argument,
                           const Declared& declared) {
    for (const TracedArray::Beyond& beyond : array.beyond()) {
        // Where words are declared that no tile of this block has, the pattern is no news.
        const std::string has = declared.has(thread_, beyond.word)
                                    ? fmt::format("its tile has words 0 to {}", array.values().size() - 1)
                                    : declared_text(declared);
        add(beyond.writes ? writes : reads, argument, false,
            fmt::format("{} {} word {}; {}", who(), beyond.writes ? "writes" : "reads", beyond.word, has));
    }
}

void PartRun::judge_argument(const TracedArray& array, const Declared& declared, int argument) {
    std::vector<std::int64_t> strange;
    for (const std::int64_t word : array.touched()) {
        if (array.writes(word)) {
            add(Fault::writes_argument, argument, false, fmt::format("{} writes word {}", who(), word));
        } else if (!declared.has(thread_, word)) {
            strange.push_back(word);
        }
    }
    const std::string declares = declared_text(declared);
    if (!strange.empty())
        add(Fault::undeclared, argument, false, fmt::format("{} reads {}; {}", who(), word_list(strange), declares));
    judge_beyond(array, Fault::undeclared, Fault::writes_argument, argument, declared);
}

void PartRun::judge_result(const TracedArray& array, const Declared& declared, int argument, Writers* writers) {
    std::vector<std::int64_t> strange, missing;
    for (const std::int64_t word : array.touched()) {
        if (array.reads_first(word))
            add(Fault::reads_result, argument, false, fmt::format("{} reads word {} first", who(), word));
        if (!array.writes(word)) continue;
        if (!declared.has(thread_, word)) strange.push_back(word);
        if (writers == nullptr) continue;
        const float value = array.values()[static_cast<std::size_t>(word)];
        if (const int other = writers->write(thread_, word, value); other >= 0)
            add(Fault::clash, argument, false,
                fmt::format("{} writes word {}, where thread {} writes another value", who(), word, other));
    }
    for (const std::int32_t offset : declared.set.offsets) {
        const std::int64_t word = declared.start(thread_) + offset;
        const bool inside = word < static_cast<std::int64_t>(array.values().size());
        if (!inside || !array.writes(word)) missing.push_back(word);
    }
    const std::string declares = declared_text(declared);
    if (!strange.empty())
        add(Fault::undeclared, argument, false, fmt::format("{} writes {}; {}", who(), word_list(strange), declares));
    if (!missing.empty())
        add(Fault::not_written, argument, false,
            fmt::format("{} leaves out {}; {}", who(), word_list(missing), declares));
    judge_beyond(array, Fault::reads_result, Fault::undeclared, argument, declared);
}

void PartRun::judge_global(const TracedArray& array, std::int64_t begin, std::int64_t end, bool writes, int argument) {
    const std::string tile = fmt::format("its tile is {} to {}", begin, end - 1);
    for (const std::int64_t word : array.touched()) {
        if (array.writes(word) && !writes)
            add(Fault::writes_argument, argument, true, fmt::format("{} writes word {}", who(), word));
        if (writes && array.reads_first(word))
            add(Fault::reads_result, argument, true, fmt::format("{} reads word {} first", who(), word));
        if (word < begin || word >= end)
            add(Fault::outside_tile, argument, true,
                fmt::format("{} {} word {}; {}", who(), array.writes(word) ? "writes" : "reads", word, tile));
    }
    for (const TracedArray::Beyond& beyond : array.beyond())
        add(Fault::outside_tile, argument, true,
            fmt::format("{} {} word {}; {}", who(), beyond.writes ? "writes" : "reads", beyond.word, tile));
}

}  // namespace kasc::libcheck
