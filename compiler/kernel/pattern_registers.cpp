#include "kernel/pattern_registers.hpp"

#include <fmt/format.h>

namespace kasc::kernel {

PatternRegisters::Registers* PatternRegisters::find_array(const std::string& array) {
    const auto found = registers_.find(array);
    return found == registers_.end() ? nullptr : &found->second;
}

void PatternRegisters::begin_block(int threads) {
    for (auto& [array, held] : registers_) held.written.assign(static_cast<std::size_t>(threads), nullptr);
}

void PatternRegisters::touch(Registers& held, const CallTouch& t, int thread, Findings& findings) {
    const std::vector<std::int32_t>& offsets = t.words.offsets;
    if (!offsets.empty() && (offsets.front() < 0 || offsets.back() >= held.words))
        findings.add([&] {
            const std::int32_t at = offsets.front() < 0 ? offsets.front() : offsets.back();
            return fmt::format("touches {}[{}] of {}", t.array, at, held.words);
        });
    const AddressSet*& written = held.written[static_cast<std::size_t>(thread)];
    if (t.writes) {
        written = &t.words;
    } else if (written == nullptr) {
        findings.add([&] { return fmt::format("reads {}, which nothing wrote", t.array); });
    } else if (!alike(*written, t.words)) {
        findings.add([&] { return fmt::format("reads words of {} that lie in other threads' registers", t.array); });
    }
}

bool PatternRegisters::alike(const AddressSet& a, const AddressSet& b) {
    const auto [at, added] = alike_.try_emplace({&a, &b});
    if (added) at->second = a.start == b.start && a.offsets == b.offsets;
    return at->second;
}

}  // namespace kasc::kernel
