// A table of variants, and the text of its second row:
//
//     /*# variants metadata                        (blank)
//     function = type, words
//     vadd3 = vector3, 3
//     vadd4 = vector4, 4
//     #*/
//     /*# $function metadata                       /*# vadd4 metadata
//     Arguments = $type, $type                     Arguments = vector4, vector4
//     LSPATTERN = start "tx*$words" …              LSPATTERN = start "tx*4" …
//     … $FUNCTION_1_BX …                           … VADD4_1_BX …
//
// The text keeps the file's lines, so that a place in it has the line that the file has there.

#include "library/variants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <memory>

#include "library/metadata.hpp"
#include "library/values.hpp"

namespace kasc::library {

namespace {

constexpr std::string_view block_name = "variants", first_column = "function";
constexpr std::size_t most_columns = 32;
constexpr std::size_t most_variants = 256;                        // of a file
constexpr std::size_t most_variant_bytes = std::size_t{8} << 20;  // of all texts that a file stands for

struct Table {
    Span block;  ///< left out of the texts
    std::vector<Word> columns;
    struct Row {
        Word function;
        std::vector<Word> values;  ///< one a column
    };
    std::vector<Row> rows;
};

/// The block as it stands in the text; a heading in a string or comment is taken for one, too.
std::optional<Token> find_block(std::string_view text) {
    for (std::size_t at = text.find("/*#"); at != std::string_view::npos; at = text.find("/*#", at + 3)) {
        const std::size_t name = text.find_first_not_of(" \t", at + 3);
        if (name == std::string_view::npos || text.substr(name, block_name.size()) != block_name) continue;
        const std::size_t behind = name + block_name.size();
        if (behind < text.size() && (is_letter(text[behind]) || is_digit(text[behind]))) continue;
        const std::size_t close = text.find("#*/", name);
        if (close == std::string_view::npos) return std::nullopt;
        const Token block{TokenKind::metadata, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(close + 3)};
        return block;
    }
    return std::nullopt;
}

/// "a, " * 2", c": the parts between commas; one in quotes is what stands between these, blanks and commas as well.
std::vector<Word> values_in(const Entry& entry) {
    std::vector<Word> values;
    const std::string_view text = entry.value;
    for (std::size_t at = 0; at <= text.size();) {
        std::size_t begin = std::min(text.find_first_not_of(" \t", at), text.size());
        std::size_t end = std::min(text.find(',', begin), text.size()), next = end + 1;
        const std::size_t close = begin < text.size() && text[begin] == '"' ? text.find('"', begin + 1) : text.npos;
        if (close != text.npos) {
            next = std::min(text.find(',', close), text.size()) + 1;
            begin += 1;
            end = close;
        } else {
            while (end > begin && (text[end - 1] == ' ' || text[end - 1] == '\t')) --end;
        }
        const Span& all = entry.value_span;
        values.push_back(
            {std::string(text.substr(begin, end - begin)), {all.source, all.begin + begin, all.begin + end}});
        at = next;
    }
    return values;
}

bool is_column_name(std::string_view text) {
    return !text.empty() && text != first_column &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

void read_columns(const Entry& entry, Table& table, Faults& faults) {
    table.columns = values_in(entry);
    if (table.columns.size() > most_columns) {
        faults.add("K0322", entry.key_span, fmt::format("a table of variants has at most {} columns", most_columns), "",
                   "split the file");
        return;
    }
    for (std::size_t k = 0; k < table.columns.size(); ++k) {
        const Word& column = table.columns[k];
        const auto same = [&](const Word& other) { return other.text == column.text; };
        const auto here = table.columns.begin() + static_cast<std::ptrdiff_t>(k);
        if (is_column_name(column.text) && std::none_of(table.columns.begin(), here, same)) continue;
        faults.add("K0322", column.span, fmt::format("'{:.64}' cannot name a column", column.text), "",
                   "columns have different names of small letters");
    }
}

void read_row(const Entry& entry, Table& table, Faults& faults) {
    Table::Row row{{entry.key, entry.key_span}, values_in(entry)};
    if (!is_identifier(entry.key)) {
        faults.add("K0322", entry.key_span, "a row of variants starts with the name of a function", "",
                   "for example 'vadd4 = vector4, 4'");
    } else if (row.values.size() != table.columns.size()) {
        faults.add("K0322", entry.value_span.begin < entry.value_span.end ? entry.value_span : entry.key_span,
                   fmt::format("'{:.64}' has {}, the table has {}", entry.key, counted(row.values.size(), "value"),
                               counted(table.columns.size(), "column")),
                   "", "give one value a column, separated by commas");
    } else {
        table.rows.push_back(std::move(row));
    }
}

std::optional<Table> read_table(const Token& token, Faults& faults) {
    const auto block = parse_metadata(token, faults);
    if (!block) return std::nullopt;
    if (block->entries.size() > most_variants + 1) {
        faults.add("K0319", block->name_span, fmt::format("a file stands for at most {} variants", most_variants), "",
                   "split the table among several files");
        return std::nullopt;
    }
    std::vector<std::string> keys;
    for (const Entry& entry : block->entries) keys.push_back(entry.key);
    const Keys known(*block, keys, faults);  // a row twice
    Table table{faults.span(token.begin, token.end), {}, {}};
    for (const Entry& entry : block->entries) {
        if (&entry != &block->entries.front()) {
            read_row(entry, table, faults);
        } else if (entry.key == first_column) {
            read_columns(entry, table, faults);
        } else {
            faults.add("K0322", entry.key_span, "the first row of variants names the columns", "",
                       "for example 'function = type, words'");
            return std::nullopt;
        }
    }
    if (table.rows.empty() && faults.none()) {
        faults.add("K0322", block->name_span, "the table of variants has no row", "",
                   "add rows such as 'vadd4 = vector4, 4' below 'function = type, words'");
    }
    return table;
}

std::string in_upper_case(std::string text) {
    for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return text;
}

bool is_small(char c) { return c >= 'a' && c <= 'z'; }
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

/// "$words_1", "$FUNCTION_1" or "${words}k": a name and the bytes that it takes.
struct NameUse {
    std::string_view name;
    std::size_t begin = 0, end = 0;  ///< with the '$'
};

NameUse name_at(std::string_view text, std::size_t at) {
    const bool braces = at + 1 < text.size() && text[at + 1] == '{';
    const std::size_t begin = at + (braces ? 2 : 1);
    std::size_t end = begin;
    const bool capital = begin < text.size() && is_capital(text[begin]);
    while (end < text.size() && (capital ? is_capital(text[end]) : is_small(text[end]))) ++end;
    const bool closed = braces && end < text.size() && text[end] == '}';
    return {text.substr(begin, end - begin), at, end + (closed ? 1 : 0)};
}

/// What the names of a row stand for.
std::map<std::string, std::string, std::less<>> values_of(const Table& table, const Table::Row& row) {
    std::map<std::string, std::string, std::less<>> values{{std::string(first_column), row.function.text}};
    for (std::size_t k = 0; k < table.columns.size(); ++k) values.emplace(table.columns[k].text, row.values[k].text);
    std::map<std::string, std::string, std::less<>> upper;
    for (const auto& [name, value] : values) upper.emplace(in_upper_case(name), in_upper_case(value));
    values.merge(upper);
    return values;
}

/// Builds a text of pieces of another.
class Maker {
public:
    explicit Maker(const SourceRef& source) : source_(source) {}

    void copy(std::size_t begin, std::size_t end) {
        put(std::string_view(source_->text).substr(begin, end - begin), begin, end);
    }
    /// `text` in place of the bytes.
    void put(std::string_view text, std::size_t begin, std::size_t end) {
        if (text.empty()) return;
        making_.pieces.push_back({text_.size(), {source_, begin, end}});
        text_ += text;
    }
    SourceRef finish(const Table::Row& row) {
        making_.by = row.function.span;
        making_.why = fmt::format("in the variant '{:.64}'", row.function.text);
        return std::make_shared<const Source>(
            Source{source_->name, std::move(text_), std::make_shared<const Making>(std::move(making_))});
    }

private:
    const SourceRef& source_;
    std::string text_;
    Making making_;
};

/// K0322 for every `$name` that is no column.
void check_names(std::string_view text, const Table& table, Faults& faults) {
    const auto values = values_of(table, table.rows.front());
    constexpr int most_unknown = 20;  // a mend is looked for for each
    int unknown = 0;
    std::vector<std::string> names;
    for (const auto& [name, value] : values) names.push_back("$" + name);
    for (std::size_t at = text.find('$'); at != std::string_view::npos; at = text.find('$', at + 1)) {
        const NameUse use = name_at(text, at);
        if (use.name.empty() || values.find(use.name) != values.end()) continue;
        if (++unknown > most_unknown) return;
        faults.add("K0322", faults.span(use.begin, use.end),
                   fmt::format("the table of variants has no column '{:.64}'", use.name), "",
                   suggest(fmt::format("${}", use.name), names, fmt::format("it has {}", fmt::join(names, ", "))));
    }
}

SourceRef text_of_row(const SourceRef& source, const Table& table, const Table::Row& row) {
    const std::string_view text = source->text;
    const auto values = values_of(table, row);
    Maker made(source);
    std::size_t done = 0;
    const auto skip_to = [&](std::size_t at) {
        made.copy(done, at);
        done = at;
    };
    const auto skip_block = [&] {
        skip_to(table.block.begin);
        const std::string_view block = text_of(table.block);
        made.put(std::string(static_cast<std::size_t>(std::count(block.begin(), block.end(), '\n')), '\n'),
                 table.block.begin, table.block.end);
        done = table.block.end;
    };
    for (std::size_t at = text.find('$'); at != std::string_view::npos; at = text.find('$', at + 1)) {
        if (done <= table.block.begin && at >= table.block.begin) skip_block();
        if (at < done) continue;
        const NameUse use = name_at(text, at);
        const auto value = values.find(use.name);
        if (value == values.end()) continue;
        skip_to(at);
        done = use.end;
        made.put(value->second, at, done);
    }
    if (done <= table.block.begin) skip_block();
    skip_to(text.size());
    return made.finish(row);
}

}  // namespace

Variants variants_of(const SourceRef& source, const Wanted& wanted) {
    Variants variants;
    const auto block = find_block(source->text);
    if (!block) return {{source}, {}};
    Faults faults(source);
    const auto table = read_table(*block, faults);
    if (table && faults.none()) check_names(source->text, *table, faults);
    if (table && table->rows.size() * source->text.size() > most_variant_bytes) {
        faults.add("K0319", table->rows.back().function.span,
                   fmt::format("a file stands for at most {} MiB of variants", most_variant_bytes >> 20U), "",
                   "split the table among several files");
    }
    if (faults.none() && table) {
        for (const Table::Row& row : table->rows)
            if (is_wanted(wanted, row.function.text)) variants.texts.push_back(text_of_row(source, *table, row));
    }
    variants.diagnostics = faults.take();
    return variants;
}

}  // namespace kasc::library
