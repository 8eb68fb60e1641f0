#pragma once
// Arrays in plain files, handed from one process to another of the same machine: no header, mapped into memory when
// read.

#include <optional>
#include <string>

#include "runtime/array.hpp"

namespace kasc::runtime {

/// False: the disk refused it.
[[nodiscard]] bool write_words(const std::string& path, const Words& words);

class WordFile {
public:
    /// None: there is no such file, or it is empty.
    [[nodiscard]] static std::optional<WordFile> open(const std::string& path, WordType type);
    WordFile(WordFile&& other) noexcept;
    WordFile& operator=(WordFile&&) = delete;
    ~WordFile();

    [[nodiscard]] const Words& words() const { return words_; }

private:
    explicit WordFile(const Words& words) : words_(words) {}
    Words words_;
};

}  // namespace kasc::runtime
