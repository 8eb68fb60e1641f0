#include "runtime/files/folder_manifest.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <sstream>

#include "runtime/files/descriptor.hpp"
#include "runtime/files/digest.hpp"
#include "runtime/files/output_folder.hpp"

namespace kasc::runtime {

namespace {

constexpr const char* manifest_head = "kasc wrote these files, and replaces them as long as they are as it wrote them";
constexpr std::size_t digest_digits = 16;

}  // namespace

std::optional<std::string> read_text(int folder, const std::string& name) {
    // A pipe or a device of that name would keep the call waiting.
    const Descriptor file(openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
    struct stat info {};
    if (!file || fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode)) return std::nullopt;
    std::string text;
    std::array<char, 65536> buffer{};
    while (true) {
        const ssize_t got = ::read(file.get(), buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return std::nullopt;
        if (got == 0) return text;
        text.append(buffer.data(), static_cast<std::size_t>(got));
    }
}

FolderManifest FolderManifest::read(int folder) {
    FolderManifest manifest;
    const auto text = read_text(folder, manifest_name);
    if (!text) return manifest;
    std::istringstream lines(*text);
    std::string line;
    manifest.there_ = std::getline(lines, line) && line == manifest_head;
    while (manifest.there_ && std::getline(lines, line)) {
        if (line.size() > digest_digits + 1 && line[digest_digits] == ' ')
            manifest.digests_[line.substr(digest_digits + 1)].insert(line.substr(0, digest_digits));
    }
    return manifest;
}

bool FolderManifest::has(const std::string& name, const std::string& text) const {
    const auto known = digests_.find(name);
    return known != digests_.end() && known->second.contains(digest_text(text.data(), text.size()));
}

void FolderManifest::add(const std::string& name, const std::string& text) {
    digests_[name].insert(digest_text(text.data(), text.size()));
}

void FolderManifest::set(const std::string& name, const std::string& text) {
    digests_[name] = {digest_text(text.data(), text.size())};
}

std::string FolderManifest::text() const {
    std::string text = std::string(manifest_head) + "\n";
    for (const auto& [name, digests] : digests_) {
        for (const std::string& digest : digests) text += digest + " " + name + "\n";
    }
    return text;
}

}  // namespace kasc::runtime
