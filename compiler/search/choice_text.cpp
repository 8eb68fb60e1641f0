// Each word is one line of a table: how its value is read, and whose choice it belongs to. Printing writes every word
// that a choice has, so that reading gives the same choice again.
#include "search/choice_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

namespace kasc {

namespace {

struct Named {
    const char* name;
    int value;
};
constexpr std::array<Named, 14> walks{{{"grid", static_cast<int>(Walk::grid)},
                                       {"flat", static_cast<int>(Walk::flat)},
                                       {"column", static_cast<int>(Walk::column)},
                                       {"warp", static_cast<int>(Walk::warp)},
                                       {"row", static_cast<int>(Walk::row)},
                                       {"stored", static_cast<int>(Walk::stored)},
                                       {"line", static_cast<int>(Walk::line)},
                                       {"product", static_cast<int>(Walk::product)},
                                       {"pipeline", static_cast<int>(Walk::pipeline)},
                                       {"loop", static_cast<int>(Walk::loop)},
                                       {"fft", static_cast<int>(Walk::fft)},
                                       {"scan", static_cast<int>(Walk::scan)},
                                       {"histogram", static_cast<int>(Walk::histogram)},
                                       {"staged", static_cast<int>(Walk::staged)}}};
constexpr std::array<Named, 3> neighbours{{{"registers", static_cast<int>(Neighbours::registers)},
                                           {"cache", static_cast<int>(Neighbours::cache)},
                                           {"shared", static_cast<int>(Neighbours::shared)}}};
constexpr std::array<Named, 3> borders{{{"cell", static_cast<int>(Borders::cell)},
                                        {"mapped", static_cast<int>(Borders::mapped)},
                                        {"uniform", static_cast<int>(Borders::uniform)}}};
constexpr std::array<Named, 2> launches{
    {{"own", static_cast<int>(KernelLaunch::own)}, {"last", static_cast<int>(KernelLaunch::last)}}};
constexpr std::array<Named, 2> transfer_names{
    {{"author", static_cast<int>(TileTransfer::author)}, {"staged", static_cast<int>(TileTransfer::staged)}}};

template <class Table, class Value>
const char* name_of(const Table& table, Value value) {
    return std::find_if(table.begin(), table.end(), [&](const Named& n) { return n.value == static_cast<int>(value); })
        ->name;
}

std::optional<int> number(std::string_view text) {
    int value = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (fault != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
    return value;
}

/// Numbers between `separator`s; none where one is no number.
std::optional<std::vector<int>> numbers(std::string_view text, char separator) {
    std::vector<int> all;
    while (true) {
        const std::size_t end = text.find(separator);
        const auto value = number(text.substr(0, end));
        if (!value) return std::nullopt;
        all.push_back(*value);
        if (end == std::string_view::npos) return all;
        text.remove_prefix(end + 1);
    }
}

/// Reads one value into its place. What is expected; empty: it was read.
using Read = std::string (*)(ChoiceWish&, std::string_view);

template <auto member, const auto& table>
std::string read_name(ChoiceWish& wish, std::string_view text) {
    using Value = typename std::remove_reference_t<decltype(wish.*member)>::value_type;
    std::string expected;
    for (const Named& n : table) {
        if (text == n.name) {
            wish.*member = static_cast<Value>(n.value);
            return {};
        }
        expected += (expected.empty() ? "" : ", ") + std::string(n.name);
    }
    return expected;
}

template <auto member>
std::string read_number(ChoiceWish& wish, std::string_view text) {
    const auto value = number(text);
    if (!value) return "a whole number";
    wish.*member = value;
    return {};
}

template <Walk walk>
std::string read_block(ChoiceWish& wish, std::string_view text) {
    const auto sizes = numbers(text, 'x');
    if (!sizes || sizes->size() > 3) return "a block of threads, as 32x8 or 8x8x8";
    std::array<int, 3> block{1, 1, 1};
    std::copy(sizes->begin(), sizes->end(), block.begin());
    wish.walk = walk;
    wish.block = block;
    return {};
}

std::string read_implementations(ChoiceWish& wish, std::string_view text) {
    auto numbered = numbers(text, '-');
    if (!numbered || std::find(numbered->begin(), numbered->end(), 0) != numbered->end())
        return "the implementations' numbers from 1 on, as 1-3-2";
    for (int& n : *numbered) --n;
    wish.implementations = std::move(numbered);
    return {};
}

/// Reads "storing", which stands alone.
std::string read_storing(ChoiceWish& wish, std::string_view text) {
    wish.storing = true;
    return text.empty() ? "" : "nothing behind it";
}

struct Word {
    const char* name;
    Read read;
};
constexpr std::array<Word, 27> choice_words{{{"grid", read_block<Walk::grid>},
                                             {"flat", read_block<Walk::flat>},
                                             {"column", read_block<Walk::column>},
                                             {"warp", read_block<Walk::warp>},
                                             {"row", read_block<Walk::row>},
                                             {"line", read_block<Walk::line>},
                                             {"product", read_block<Walk::product>},
                                             {"pipeline", read_block<Walk::pipeline>},
                                             {"loop", read_block<Walk::loop>},
                                             {"fft", read_block<Walk::fft>},
                                             {"scan", read_block<Walk::scan>},
                                             {"histogram", read_block<Walk::histogram>},
                                             {"staged", read_block<Walk::staged>},
                                             {"vector", read_number<&ChoiceWish::vector>},
                                             {"rows", read_number<&ChoiceWish::rows>},
                                             {"chunk", read_number<&ChoiceWish::chunk>},
                                             {"unroll", read_number<&ChoiceWish::unroll>},
                                             {"ahead", read_number<&ChoiceWish::ahead>},
                                             {"neighbours", read_name<&ChoiceWish::neighbours, neighbours>},
                                             {"borders", read_name<&ChoiceWish::borders, borders>},
                                             {"launch", read_name<&ChoiceWish::launch, launches>},
                                             {"implementations", read_implementations},
                                             {"elements", read_number<&ChoiceWish::elements>},
                                             {"rounds", read_number<&ChoiceWish::rounds>},
                                             {"transfer", read_name<&ChoiceWish::transfer, transfer_names>},
                                             {"padding", read_number<&ChoiceWish::padding>},
                                             {"storing", read_storing}}};

/// The piece without the blanks around it, up to the next blank.
Span next_word(Span& rest) {
    const std::string_view text = text_of(rest);
    const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
    std::size_t begin = 0;
    while (begin < text.size() && blank(text[begin])) ++begin;
    std::size_t end = begin;
    while (end < text.size() && !blank(text[end])) ++end;
    const Span word{rest.source, rest.begin + begin, rest.begin + end};
    rest.begin = word.end;
    return word;
}

Diagnostic fault(const Span& span, std::string message, std::string label, std::string help) {
    Diagnostic d;
    d.code = "K0920";
    d.span = span;
    d.message = std::move(message);
    d.label = std::move(label);
    d.help = std::move(help);
    return d;
}

Diagnostic unknown_word(const Span& span) {
    std::vector<std::string> names;
    for (const Word& w : choice_words) names.emplace_back(w.name);
    const std::string name(text_of(span));
    const auto near = nearest_name(name, names);
    return fault(
        span, fmt::format("a plan has no word '{}'", name), "not a word of a choice",
        near ? fmt::format("did you mean '{}'?", *near) : fmt::format("the words are {}", fmt::join(names, ", ")));
}

struct ChoicePrinter {
    std::string operator()(const TransformChoice& c) const {
        return c.call == TransformCall::storing ? "storing" : "library";
    }
    std::string operator()(const StreamChoice& c) const {
        std::vector<int> numbered;  // implementations are counted from 1 in library files
        for (const int i : c.implementations) numbered.push_back(i + 1);
        return fmt::format("implementations {} elements {} rounds {} transfer {} padding {}", fmt::join(numbered, "-"),
                           c.elements, c.batch, name_of(transfer_names, c.transfer), c.padding);
    }
    std::string operator()(const FieldChoice& c) const {
        if (c.walk == Walk::stored) return "stored";
        if (c.walk == Walk::line)
            return fmt::format("line {}x{}x{} chunk {}", c.threads_x, c.threads_y, c.threads_z, c.chunk);
        if (c.walk == Walk::product)
            return fmt::format("product {}x{}{} vector {} rows {} chunk {}", c.threads_x, c.threads_y,
                               c.threads_z > 1 ? fmt::format("x{}", c.threads_z) : "", c.vector, c.rows, c.chunk);
        if (c.walk == Walk::pipeline)
            return fmt::format("pipeline {}x{} vector {} rows {} chunk {} unroll {} ahead {}", c.threads_x, c.threads_y,
                               c.vector, c.rows, c.chunk, c.unroll, c.ahead);
        if (c.walk == Walk::loop)
            return fmt::format("loop {}x{} chunk {} unroll {}", c.threads_x, c.threads_y, c.chunk, c.unroll);
        if (c.walk == Walk::fft) return fmt::format("fft {}x{}", c.threads_x, c.threads_y);
        if (c.walk == Walk::scan) return fmt::format("scan {}x{}", c.threads_x, c.threads_y);
        if (c.walk == Walk::histogram)
            return fmt::format("histogram {}x{} vector {} chunk {} unroll {}", c.threads_x, c.threads_y, c.vector,
                               c.chunk, c.unroll);
        if (c.walk == Walk::row) return fmt::format("row {}x{}", c.threads_x, c.threads_y);
        std::string text = fmt::format("{} {}x{}", name_of(walks, c.walk), c.threads_x, c.threads_y);
        if (c.threads_z > 1) text += fmt::format("x{}", c.threads_z);
        text += fmt::format(" vector {} rows {}", c.vector, c.rows);
        if (c.walk == Walk::column || c.walk == Walk::warp)
            text += fmt::format(" chunk {} unroll {}", c.chunk, c.unroll);
        text +=
            fmt::format(" neighbours {} borders {}", name_of(neighbours, c.neighbours), name_of(borders, c.borders));
        return c.launch == KernelLaunch::last ? text + " launch last" : text;
    }
};

}  // namespace

bool ChoiceWish::of_fields() const {
    return walk || vector || rows || chunk || unroll || ahead || neighbours || borders || launch;
}
bool ChoiceWish::of_streams() const { return implementations || elements || rounds || padding || transfer; }

std::string print(const Choice& choice) { return std::visit(ChoicePrinter{}, choice); }

Outcome<ChoiceWish> parse_choice(const Span& text) {
    ChoiceWish wish;
    std::vector<std::string_view> said;
    Span rest = text;
    for (Span span = next_word(rest); span.begin < span.end; span = next_word(rest)) {
        const std::string_view name = text_of(span);
        const auto word =
            std::find_if(choice_words.begin(), choice_words.end(), [&](const Word& w) { return name == w.name; });
        if (word == choice_words.end()) return failure<ChoiceWish>(unknown_word(span));
        const bool names_walk = std::any_of(walks.begin(), walks.end(), [&](const Named& n) { return name == n.name; });
        const bool walk_again = wish.walk && names_walk;
        if (walk_again || std::find(said.begin(), said.end(), name) != said.end())
            return failure<ChoiceWish>(
                fault(span, fmt::format("'{}' says again what the plan has said", name), "", "write one of them"));
        said.push_back(name);
        Span value = next_word(rest);
        if (value.begin == value.end) value = span;
        const std::string expected = word->read(wish, value.begin == span.begin ? std::string_view() : text_of(value));
        if (!expected.empty())
            return failure<ChoiceWish>(fault(value, fmt::format("'{}' needs a value", name),
                                             fmt::format("expected {}", expected),
                                             "kasc explain prints the choice of every kernel as a plan writes it"));
    }
    return success(std::move(wish));
}

FieldChoice wished(FieldChoice c, const ChoiceWish& wish) {
    if (wish.walk) c.walk = *wish.walk;
    if (wish.block) {
        c.threads_x = (*wish.block)[0];
        c.threads_y = (*wish.block)[1];
        c.threads_z = (*wish.block)[2];
    }
    c.vector = wish.vector.value_or(c.vector);
    c.rows = wish.rows.value_or(c.rows);
    c.chunk = wish.chunk.value_or(c.chunk);
    c.unroll = wish.unroll.value_or(c.unroll);
    c.ahead = wish.ahead.value_or(c.ahead);
    c.neighbours = wish.neighbours.value_or(c.neighbours);
    c.borders = wish.borders.value_or(c.borders);
    c.launch = wish.launch.value_or(c.launch);
    return c;
}

StreamChoice wished(StreamChoice c, const ChoiceWish& wish) {
    if (wish.implementations) c.implementations = *wish.implementations;
    c.elements = wish.elements.value_or(c.elements);
    c.batch = wish.rounds.value_or(c.batch);
    c.transfer = wish.transfer.value_or(c.transfer);
    c.padding = wish.padding.value_or(c.padding);
    return c;
}

}  // namespace kasc
