#include "kernel/private_words.hpp"

#include <fmt/format.h>

namespace kasc::kernel {

namespace {

/// Visits the statements of block level, those in loops and conditions too.
template <class Visit>
void each_of_block(const Body& body, const Visit& visit) {
    for (const Statement& s : body) {
        visit(s);
        if (const auto* loop = std::get_if<For>(&s.node)) each_of_block(loop->body, visit);
        if (const auto* either = std::get_if<If>(&s.node)) {
            each_of_block(either->then, visit);
            each_of_block(either->otherwise, visit);
        }
    }
}

}  // namespace

PrivateWords::PrivateWords(const Kernel& kernel, Findings& findings)
    : threads_(thread_count(kernel.block)), findings_(findings) {
    if (kernel.is_of_streams()) return;
    each_of_block(kernel.body, [&](const Statement& s) {
        if (const auto* array = std::get_if<PrivateArray>(&s.node))
            written_[array->name] = {array->name, array->words, {}};
    });
}

void PrivateWords::begin_block() {
    for (auto& [array, written] : written_)
        written.word.assign(static_cast<std::size_t>(threads_ * written.words), false);
}

PrivateWords::Written* PrivateWords::find_array(const std::string& array) {
    const auto found = written_.find(array);
    return found == written_.end() ? nullptr : &found->second;
}

void PrivateWords::touch(Written& written, int thread, long long first, int words, bool writes) {
    const std::string& array = written.array;
    for (long long at = first; at < first + words; ++at) {
        if (at < 0 || at >= written.words)
            return findings_.add([&] { return fmt::format("touches {}[{}] of {}", array, at, written.words); });
        auto word = written.word[static_cast<std::size_t>(thread * written.words + at)];
        if (writes)
            word = true;
        else if (!word)
            findings_.add(
                [&] { return fmt::format("reads {}[{}], which its thread neither wrote nor was given", array, at); });
    }
}

void PrivateWords::exchange(const Exchange& e) {
    const std::vector<bool> before = written_.at(e.from).word;
    const long long theirs = written_.at(e.from).words;
    Written& into = written_.at(e.into);
    for (int thread = 0; thread < threads_; ++thread) {
        const auto partner = e.partner(thread);
        for (int k = 0; k < e.words; ++k) {
            into.word[static_cast<std::size_t>(thread * into.words + e.into_first + k)] = partner.has_value();
            if (partner && !before[static_cast<std::size_t>(*partner * theirs + e.from_first + k)])
                findings_.add([&] {
                    return fmt::format("takes {}[{}] of a thread that has not written it", e.from, e.from_first + k);
                });
        }
    }
}

}  // namespace kasc::kernel
