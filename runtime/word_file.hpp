#pragma once
// Arrays of float32 in plain files, handed from one process to another of the same machine: no header, mapped into
// memory when read.

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace kasc::runtime {

/// False: the disk refused it.
[[nodiscard]] bool write_words(const std::string& path, std::span<const float> words);

class WordFile {
public:
    /// None: there is no such file, or it is empty.
    [[nodiscard]] static std::optional<WordFile> open(const std::string& path);
    WordFile(WordFile&& other) noexcept;
    WordFile& operator=(WordFile&&) = delete;
    ~WordFile();

    [[nodiscard]] std::span<const float> words() const { return words_; }

private:
    explicit WordFile(std::span<const float> words) : words_(words) {}
    std::span<const float> words_;
};

}  // namespace kasc::runtime
