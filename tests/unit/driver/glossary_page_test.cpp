// docs/glossary.md says where each word is at home: the files are there.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <string>

namespace kasc {
namespace {

/// As the page names it: from the root of the repository or from compiler/, without its ending where it is a source.
bool is_there(const std::string& place) {
    const std::filesystem::path repository = KASC_SOURCE_DIR;
    for (const std::filesystem::path& at : {repository / place, repository / "compiler" / place}) {
        for (const char* ending : {"", ".hpp", ".cpp"}) {
            if (std::filesystem::is_regular_file(std::filesystem::path(at) += ending)) return true;
        }
    }
    return false;
}

TEST(GlossaryPage, NamesFilesThatAreThere) {
    std::ifstream page(KASC_SOURCE_DIR "/docs/glossary.md");
    const std::regex place("`([a-z0-9_]+/[a-z0-9_/.]+)`");
    int places = 0;
    for (std::string line; std::getline(page, line);) {
        if (!line.starts_with("|")) continue;
        const std::string last = line.substr(line.rfind('|', line.size() - 2));
        for (std::sregex_iterator at(last.begin(), last.end(), place), end; at != end; ++at, ++places)
            EXPECT_TRUE(is_there((*at)[1])) << (*at)[1] << " in " << line;
    }
    EXPECT_GT(places, 50);
}

}  // namespace
}  // namespace kasc
