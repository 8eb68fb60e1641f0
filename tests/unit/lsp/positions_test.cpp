#include "lsp/positions.hpp"

#include <gtest/gtest.h>

namespace kasc::lsp {
namespace {

// A degree sign is two bytes and one word of UTF-16, the 𝑥 four bytes and two.
const std::string text = "a°b\r\n𝑥c\n\nend";

TEST(Positions, CountWordsOfUtf16) {
    const Lines lines(text);
    const auto at = [&](std::string_view mark) {
        const Position position = lines.position_at(text.find(mark));
        return std::make_pair(position.line, position.character);
    };
    EXPECT_EQ(at("a"), std::make_pair(std::size_t{0}, std::size_t{0}));
    EXPECT_EQ(at("b"), std::make_pair(std::size_t{0}, std::size_t{2}));
    EXPECT_EQ(at("c"), std::make_pair(std::size_t{1}, std::size_t{2}));
    EXPECT_EQ(at("end"), std::make_pair(std::size_t{3}, std::size_t{0}));
}

TEST(Positions, ComeBackToTheirOffsets) {
    const Lines lines(text);
    for (std::size_t offset = 0; offset <= text.size(); ++offset) {
        const bool inside = offset < text.size() && ((static_cast<unsigned char>(text[offset]) & 0xC0U) == 0x80);
        const bool in_line_end = offset > 0 && text[offset - 1] == '\r';
        if (inside || in_line_end) continue;
        EXPECT_EQ(offset_at(text, lines.position_at(offset)), offset);
    }
}

TEST(Positions, BeyondALineAreItsEndAndBeyondTheTextItsEnd) {
    EXPECT_EQ(offset_at(text, {0, 100}), text.find('\r'));
    EXPECT_EQ(offset_at(text, {2, 1}), text.find("\nend"));
    EXPECT_EQ(offset_at(text, {100, 0}), text.size());
    EXPECT_EQ(offset_at("", {0, 3}), 0U);
    EXPECT_EQ(Lines("").position_at(7).line, 0U);
}

TEST(Positions, WithinACharacterOfTwoWordsAreBeforeIt) { EXPECT_EQ(offset_at(text, {1, 1}), text.find("𝑥")); }

TEST(Positions, BytesThatAreNoUtf8AreOneCharacterEach) {
    const std::string latin = "\xB0\xFF x\xF0";
    EXPECT_EQ(Lines(latin).position_at(latin.find('x')).character, 3U);
    EXPECT_EQ(offset_at(latin, {0, 3}), latin.find('x'));
    EXPECT_LE(offset_at(latin, {0, 100}), latin.size());
}

TEST(Uris, AreTurnedIntoPathsAndBack) {
    EXPECT_EQ(path_of("file:///home/a%20b/%C3%A4.kas"), "/home/a b/ä.kas");
    EXPECT_EQ(path_of("file://host/c.kas"), "/c.kas");
    EXPECT_EQ(path_of("untitled:Untitled-1"), "untitled:Untitled-1");
    EXPECT_EQ(path_of("file:///a%2"), "/a%2");
    EXPECT_EQ(path_of("file:"), "file:");
    EXPECT_EQ(path_of("file://"), "");
    EXPECT_EQ(uri_of("/home/a b/ä.kas"), "file:///home/a%20b/%C3%A4.kas");
}

}  // namespace
}  // namespace kasc::lsp
