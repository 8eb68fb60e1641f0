#pragma once
// What an open folder holds, by name.

#include <dirent.h>

#include <cstring>

#include "runtime/files/descriptor.hpp"

namespace kasc::runtime {

class FolderListing {
public:
    /// The descriptor is the listing's from here on; of a closed one it is empty.
    explicit FolderListing(Descriptor folder) : open_(folder ? fdopendir(folder.get()) : nullptr) {
        if (open_ != nullptr) static_cast<void>(folder.release());
    }
    ~FolderListing() {
        if (open_ != nullptr) closedir(open_);
    }
    FolderListing(const FolderListing&) = delete;
    FolderListing& operator=(const FolderListing&) = delete;

    /// The next name but "." and ".."; null: there is no more.
    [[nodiscard]] const char* next() {
        while (open_ != nullptr) {
            const dirent* entry = readdir(open_);
            if (entry == nullptr) return nullptr;
            if (std::strcmp(entry->d_name, ".") != 0 && std::strcmp(entry->d_name, "..") != 0) return entry->d_name;
        }
        return nullptr;
    }
    [[nodiscard]] int folder() const { return dirfd(open_); }

private:
    DIR* open_;
};

}  // namespace kasc::runtime
