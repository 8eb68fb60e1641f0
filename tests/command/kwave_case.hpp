#pragma once
// Files of tests/kwave beside what kasc computes of them.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "support/recorded.hpp"
#include "support/shell.hpp"

namespace kasc::test {

inline const std::filesystem::path kwave_data = std::filesystem::path(KASC_SOURCE_DIR) / "tests/kwave/data";

inline std::string kwave_input(const std::string& name) { return (kwave_data / (name + ".input.h5")).string(); }
inline std::string kwave_reference(const std::string& name) { return (kwave_data / (name + ".reference.h5")).string(); }

/// What is recorded, with the option of the program that records it; k-Wave's flag is --p_raw, --u_raw, else the same.
inline const std::map<std::string, std::string>& kwave_recorded() {
    static const std::map<std::string, std::string> recorded = [] {
        std::map<std::string, std::string> all;
        for (const std::string what : {"", "_max", "_min", "_rms", "_max_all", "_min_all", "_final"}) {
            all["p" + what] = "p" + what;
            for (const std::string axis : {"x", "y", "z"}) all["u" + axis + what] = "u" + what;
        }
        for (const std::string axis : {"x", "y", "z"}) all["u" + axis + "_non_staggered"] = "u_non_staggered";
        return all;
    }();
    return recorded;
}

inline std::vector<std::string> kwave_names() {
    std::vector<std::string> names;
    for (const auto& [name, option] : kwave_recorded()) {
        names.push_back(name);
        for (const char* box : {"/1", "/2", "/3"}) names.push_back(name + box);
    }
    return names;
}

inline std::string option_of(const std::string& name) { return kwave_recorded().at(name.substr(0, name.find('/'))); }

/// Single precision beside double: k-Wave's own bound for its CUDA code (manual of k-Wave, 4.2).
inline void expect_near(const RecordedArray& found, const RecordedArray& wanted, const std::string& name,
                        double bound = 2e-5) {
    ASSERT_EQ(found.values.size(), wanted.values.size()) << name;
    double largest = 0, difference = 0;
    for (std::size_t i = 0; i < wanted.values.size(); ++i) {
        largest = std::max(largest, std::abs(wanted.values[i]));
        difference = std::max(difference, std::abs(wanted.values[i] - found.values[i]));
    }
    EXPECT_GT(largest, 0) << name;
    EXPECT_LT(difference, bound * largest) << name;
}

}  // namespace kasc::test
