#include "runtime/files/word_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <utility>

namespace kasc::runtime {

bool write_words(const std::string& path, const Words& words) {
    std::ofstream out(path, std::ios::binary);
    out.write(static_cast<const char*>(words.data()), static_cast<std::streamsize>(words.size_bytes()));
    out.close();
    return out.good();
}

std::optional<WordFile> WordFile::open(const std::string& path, WordType type) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return std::nullopt;
    struct stat info {};
    void* data = MAP_FAILED;
    if (fstat(file, &info) == 0 && info.st_size >= static_cast<off_t>(word_bytes(type)))
        data = mmap(nullptr, static_cast<std::size_t>(info.st_size), PROT_READ, MAP_SHARED, file, 0);
    close(file);
    if (data == MAP_FAILED) return std::nullopt;
    return WordFile({type, data, static_cast<std::size_t>(info.st_size) / word_bytes(type)});
}

WordFile::WordFile(WordFile&& other) noexcept : words_(std::exchange(other.words_, {})) {}

WordFile::~WordFile() {
    if (!words_.empty()) munmap(const_cast<void*>(words_.data()), words_.size_bytes());
}

}  // namespace kasc::runtime
