// A finding in text is one line of numbers and, below it, one line an example:
//
//     0 2 0 1 0 0 57 1        fault, implementation, part, argument, global, registers, count, examples
//     thread 5 of block 32 x 1 x 1 reads word 17; its pattern has words 15 16

#include "libcheck/finding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace kasc::libcheck {

namespace {

constexpr std::size_t most_examples = 3;

}  // namespace

void Findings::add(const FindingKey& key, std::string example) {
    FindingText& text = all_[key];
    ++text.count;
    if (text.examples.size() >= most_examples) return;
    // Another block's thread may say the same.
    if (std::find(text.examples.begin(), text.examples.end(), example) == text.examples.end())
        text.examples.push_back(std::move(example));
}

bool Findings::has_any(int implementation, PartKind part) const {
    return std::any_of(all_.begin(), all_.end(), [&](const auto& entry) {
        return entry.first.site.implementation == implementation && entry.first.site.part == part;
    });
}

bool Findings::has_any(int implementation) const {
    return std::any_of(all_.begin(), all_.end(),
                       [&](const auto& entry) { return entry.first.site.implementation == implementation; });
}

void Findings::merge(const Findings& more) {
    for (const auto& [key, text] : more.all_) {
        FindingText& own = all_[key];
        own.count += text.count;
        for (const std::string& example : text.examples)
            if (own.examples.size() < most_examples) own.examples.push_back(example);
    }
}

std::string Findings::store() const {
    std::string out;
    for (const auto& [key, text] : all_) {
        const Site& s = key.site;
        out += fmt::format("{} {} {} {} {} {} {} {}\n", static_cast<int>(key.fault), s.implementation,
                           static_cast<int>(s.part), s.argument, s.global ? 1 : 0, s.registers ? 1 : 0, text.count,
                           text.examples.size());
        for (const std::string& example : text.examples) out += example + "\n";
    }
    return out;
}

Findings Findings::restore(const std::string& text) {
    Findings findings;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        std::istringstream numbers(line);
        int fault = 0, part = 0, global = 0, registers = 0;
        std::size_t examples = 0;
        FindingKey key;
        FindingText found;
        numbers >> fault >> key.site.implementation >> part >> key.site.argument >> global >> registers >> found.count;
        if (!(numbers >> examples) || examples > most_examples) break;
        key.fault = static_cast<Fault>(fault);
        key.site.part = static_cast<PartKind>(part);
        key.site.global = global != 0;
        key.site.registers = registers != 0;
        for (std::size_t i = 0; i < examples && std::getline(in, line); ++i) found.examples.push_back(line);
        findings.all_[key] = std::move(found);
    }
    return findings;
}

}  // namespace kasc::libcheck
