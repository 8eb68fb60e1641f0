// libFuzzer target: a program that is understood is planned, lowered, verified and emitted for every target, or refused
// by a diagnostic that is the program's. Most programs of random bytes end in the parser (frontend_fuzz), so inputs are
// changed token by token here: names of the text for names, numbers for numbers, operators for operators, statements
// moved about. Seeds: corpus/frontend, examples, the random programs' findings.

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "driver/compilation.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

using Random = std::minstd_rand;

/// Beyond these a program costs seconds, and says no more.
constexpr std::size_t most_text = 3000, most_statements = 24;

struct Token {
    enum class Kind { space, name, number, sign } kind = Kind::space;
    std::string text;
};

Token::Kind kind_of(char c) {
    const auto u = static_cast<unsigned char>(c);
    if (std::isspace(u) != 0) return Token::Kind::space;
    if (std::isalpha(u) != 0 || c == '_') return Token::Kind::name;
    return std::isdigit(u) != 0 ? Token::Kind::number : Token::Kind::sign;
}

std::vector<Token> tokens_of(const std::string& text) {
    std::vector<Token> all;
    for (const char c : text) {
        const Token::Kind kind = kind_of(c);
        const bool goes_on = !all.empty() && (all.back().kind == kind ||
                                              (all.back().kind == Token::Kind::name && kind == Token::Kind::number));
        if (goes_on && kind != Token::Kind::sign) {
            all.back().text += c;
        } else {
            all.push_back({kind, std::string(1, c)});
        }
    }
    return all;
}

const std::vector<std::string>& words_of(Token::Kind kind) {
    static const std::vector<std::string> names{
        "fft",      "ifft",     "dct2",    "idst1",   "sum",      "maximum",  "minimum",   "real", "conj",
        "complex",  "half",     "extent",  "sqrt",    "exp",      "max",      "pow",       "int",  "double",
        "uint8",    "float",    "keep",    "mirror",  "value",    "periodic", "x",         "y",    "n",
        "option",   "param",    "uniform", "require", "laplace2", "let",      "procedure", "list", "in",
        "axis_sum", "coloured", "abs",     "floor",   "round",    "atan2",    "hypot",     "erf"};
    static const std::vector<std::string> numbers{"0", "1", "2", "3", "7", "64", "1000", "0.5", "1e-7", "2147483647"};
    static const std::vector<std::string> signs{"+", "-", "*", "/", "%", "<", ">",  "==", "&&", "?",
                                                ":", "(", ")", "[", "]", "=", "+=", ",",  ";",  "{",
                                                "}", "!", ".", "&", "|", "^", "~",  "<<", ">>"};
    static const std::vector<std::string> spaces{" ", "\n"};
    return kind == Token::Kind::name     ? names
           : kind == Token::Kind::number ? numbers
           : kind == Token::Kind::sign   ? signs
                                         : spaces;
}

/// Another of its kind: of the text itself as often as not.
std::string other_token(const std::vector<Token>& tokens, Token::Kind kind, Random& random) {
    const auto& words = words_of(kind);
    for (int tries = 0; random() % 4 != 0 && tries < 20; ++tries) {
        const Token& t = tokens[random() % tokens.size()];
        if (t.kind == kind) return t.text;
    }
    return words[random() % words.size()];
}

/// The statements of a text, each with its semicolon.
std::vector<std::string> statements_of(const std::string& text) {
    std::vector<std::string> all{""};
    for (const char c : text) {
        all.back() += c;
        if (c == ';') all.emplace_back();
    }
    return all;
}

std::string joined(const std::vector<std::string>& parts) {
    std::string all;
    for (const std::string& part : parts) all += part;
    return all;
}

std::string changed(const std::string& text, Random& random) {
    if (random() % 4 == 0) {
        auto statements = statements_of(text);
        const std::size_t at = random() % statements.size(), other = random() % statements.size();
        switch (random() % 3) {
            case 0:
                std::swap(statements[at], statements[other]);
                break;
            case 1:
                statements.insert(statements.begin() + static_cast<std::ptrdiff_t>(at), statements[other]);
                break;
            default:
                statements.erase(statements.begin() + static_cast<std::ptrdiff_t>(at));
        }
        return joined(statements);
    }
    auto tokens = tokens_of(text);
    for (unsigned left = 1 + random() % 3; left > 0 && !tokens.empty(); --left) {
        Token& token = tokens[random() % tokens.size()];
        if (token.kind != Token::Kind::space) token.text = other_token(tokens, token.kind, random);
    }
    std::string all;
    for (const Token& token : tokens) all += token.text;
    return all;
}

void check(bool holds) {
    if (!holds) std::abort();
}

/// Faults are the program's, not kasc's own (exit status 3).
void check_faults(const kasc::Diagnostics& diagnostics) {
    for (const kasc::Diagnostic& d : diagnostics) check(!d.code.starts_with("K06") || d.code == "K0601");
}

std::size_t count(const std::string& text, char c) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), c));
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
    Random random(seed + 1);
    if (size == 0 || random() % 16 == 0) return LLVMFuzzerMutate(data, size, max_size);
    const std::string text = changed(std::string(data, data + size), random);
    if (text.empty() || text.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
    std::memcpy(data, text.data(), text.size());
    return text.size();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(data, data + size);
    if (text.size() > most_text || count(text, ';') > most_statements) return 0;
    kasc::CompileRequest request;
    request.data_folder = KASC_SOURCE_DIR;
    // What does not depend on the program is read once.
    static const auto common = [&] {
        kasc::CompileRequest of = request;
        of.source = kasc::make_source("none.kas", "float a[x], b[x]; input a; b = a; return b;");
        auto checked = kasc::check_program(of);
        check(checked.value.has_value());
        return *std::move(checked.value);
    }();
    request.source = kasc::make_source("fuzz.kas", text);
    request.plan.bounds.max_fusions = 400;
    request.plan.bounds.storing_transforms = count(text, '\n') % 2 == 0;
    auto program = kasc::read_program(request.source, common.library);
    if (!program) return 0;
    const kasc::Problem problem = kasc::planned_problem(*program);
    const auto graph = kasc::build_graph(*program);
    check(graph.value.has_value() != kasc::has_errors(graph.diagnostics));
    if (!graph) return 0;
    const kasc::CheckedProgram checked{common.library, *program, common.device, problem, *graph};
    const auto compilation = kasc::plan_program(checked, request);
    check_faults(compilation.diagnostics);
    check(compilation.value.has_value() != kasc::has_errors(compilation.diagnostics));
    if (!compilation) return 0;
    for (const auto target : {kasc::emit::Target::cuda, kasc::emit::Target::cpu, kasc::emit::Target::cpu_checking}) {
        const auto code = kasc::emit_plan(*compilation, request, 0, target);
        check_faults(code.diagnostics);
        check(code.value.has_value() && !code->files.empty());
    }
    return 0;
}
