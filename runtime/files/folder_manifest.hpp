#pragma once
// What kasc wrote into a folder, as a file in it tells, so that it may be written again and nothing else is replaced:
//
//     kasc wrote these files, and replaces them as long as they are as it wrote them
//     8f0c6a1be2d93a75 heat3d.cu
//     0d1e4b7f3c2a9956 1/heat3d.cu

#include <map>
#include <optional>
#include <set>
#include <string>

namespace kasc::runtime {

class FolderManifest {
public:
    /// The manifest in an open folder; empty where there is none.
    [[nodiscard]] static FolderManifest read(int folder);

    /// There is such a file.
    [[nodiscard]] bool there() const { return there_; }
    /// Whether a file of this text is kasc's.
    [[nodiscard]] bool has(const std::string& name, const std::string& text) const;
    /// Beside what was said of the name before, or in its place.
    void add(const std::string& name, const std::string& text);
    void set(const std::string& name, const std::string& text);
    [[nodiscard]] std::string text() const;

private:
    bool there_ = false;
    std::map<std::string, std::set<std::string>> digests_;  ///< several while files are being replaced
};

/// The text of a regular file in a folder, links not followed; none where there is none.
[[nodiscard]] std::optional<std::string> read_text(int folder, const std::string& name);

}  // namespace kasc::runtime
