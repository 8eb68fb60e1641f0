#pragma once
// Private arrays that functions of authors touch: by thread, the pattern that its words were written with. Words may be
// read as they were written, and no others.

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "kernel/findings.hpp"
#include "kernel/kernel.hpp"

namespace kasc::kernel {

class PatternRegisters {
public:
    struct Registers {
        int words = 0;
        std::vector<const AddressSet*> written;
    };

    void add(const std::string& array, int words) { registers_[array].words = words; }
    [[nodiscard]] Registers* find_array(const std::string& array);
    /// Another block of threads begins: nothing is written.
    void begin_block(int threads);
    /// What is wrong goes to `findings`. Requires: the pattern has the thread.
    void touch(Registers& held, const CallTouch& touch, int thread, Findings& findings);

private:
    std::map<std::string, Registers> registers_;
    std::map<std::pair<const AddressSet*, const AddressSet*>, bool> alike_;

    [[nodiscard]] bool alike(const AddressSet& a, const AddressSet& b);
};

}  // namespace kasc::kernel
