// Formatting keeps, in every program of the repository, the same words, signs and comments in the same order, and the
// same Ast, and formatting again changes nothing; likewise in the same programs with all space between their words
// drawn anew.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "format/format.hpp"
#include "frontend/lexemes.hpp"
#include "frontend/parse.hpp"
#include "random/draw.hpp"
#include "support/temporary.hpp"

namespace kasc {
namespace {

namespace fs = std::filesystem;
const fs::path root = KASC_SOURCE_DIR;

std::vector<fs::path> programs() {
    std::vector<fs::path> all;
    for (const char* folder : {"examples", "elementlib", "benchmarks", "tests"}) {
        for (const auto& entry : fs::recursive_directory_iterator(root / folder))
            if (entry.path().extension() == ".kas") all.push_back(entry.path());
    }
    std::sort(all.begin(), all.end());
    return all;
}

/// Space within comments is left out: their lines move.
std::vector<std::string> parts(const std::string& text) {
    std::vector<std::string> all;
    for (const Lexeme& lexeme : lexemes(make_source("", text))) {
        std::string part(text_of(lexeme.span));
        if (lexeme.kind == LexemeKind::comment) std::erase_if(part, [](char c) { return c <= ' ' && c >= 0; });
        all.push_back(part);
    }
    return all;
}

std::string printed_ast(const fs::path& path, const std::string& text) {
    const auto ast = parse(make_source(path.string(), text));
    return ast ? print(*ast) : "none";
}

/// Same words, other space.
std::string respaced(const std::string& text, random::Draw& draw) {
    static const std::vector<std::string> gaps{" ", "  ", "\t", "\n", "\n    ", "\r\n", "\n\n\n", " \n \n"};
    const SourceRef source = make_source("", text);
    std::string out;
    std::size_t end = 0;
    for (const Lexeme& lexeme : lexemes(source)) {
        if (lexeme.span.begin > end || end == 0) {
            const bool line = out.find("//", out.find_last_of('\n') + 1) != std::string::npos;
            out += (line ? "\n" : "") + draw.of(gaps);
        } else if (draw.percent(10)) {
            out += draw.of(gaps);
        }
        out += text_of(lexeme.span);
        end = lexeme.span.end;
    }
    return out + "\n";
}

void expect_kept(const fs::path& path, const std::string& text) {
    const auto once = format_program(make_source(path.string(), text));
    if (!once) {
        EXPECT_TRUE(has_errors(once.diagnostics));
        return;
    }
    EXPECT_EQ(parts(*once), parts(text)) << path;
    // Programs of diagnostics are refused, some when their bounds are reached.
    if (path.string().find("golden/diagnostics") == std::string::npos) {
        EXPECT_EQ(printed_ast(path, *once), printed_ast(path, text)) << path;
    }
    const auto twice = format_program(make_source(path.string(), *once));
    ASSERT_TRUE(twice) << path;
    EXPECT_EQ(*twice, *once) << path;
}

TEST(FormatProperty, ProgramsStayTheSameAndSettleAtOnce) {
    int formatted = 0;
    for (const fs::path& path : programs()) {
        const std::string text = test::read_file(path);
        expect_kept(path, text);
        if (format_program(make_source("", text))) ++formatted;
    }
    EXPECT_GT(formatted, 250);
}

TEST(FormatProperty, ProgramsWithOtherSpaceStayTheSameAndSettleAtOnce) {
    random::Draw draw(20);
    for (const fs::path& path : programs()) {
        const std::string text = test::read_file(path);
        if (!format_program(make_source("", text))) continue;
        expect_kept(path, respaced(text, draw));
    }
}

TEST(FormatProperty, ExamplesAndTheLibraryAreFormatted) {
    for (const fs::path& path : programs()) {
        const std::string name = fs::relative(path, root).string();
        if (!name.starts_with("examples") && !name.starts_with("elementlib")) continue;
        const std::string text = test::read_file(path);
        const auto once = format_program(make_source(name, text));
        ASSERT_TRUE(once) << name;
        EXPECT_EQ(*once, text) << "kasc format " << name;
    }
}

}  // namespace
}  // namespace kasc
