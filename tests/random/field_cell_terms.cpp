// Cells with a shape in expressions: their words, sums over these, cells that are made of numbers, functions of cells.
// Each is drawn of cells and, by hand, of words. A sum of words runs upwards, a product in it is fused: of two products
// the first is, so that the second word's stands first.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "random/field_terms.hpp"

namespace kasc::random {

namespace {

using WordTexts = std::vector<std::string>;

const RandomCell vector3{"vector3", {3}}, matrix3x3{"matrix3x3", {3, 3}}, symmetric3x3{"symmetric3x3", {6}},
    quaternion{"quaternion", {4}};

std::string sum_of(const WordTexts& words) {
    std::string sum = fmt::format("({})", words.front());
    for (std::size_t k = 1; k < words.size(); ++k)
        sum = k == 1 ? fmt::format("({}) + {}", words[k], sum) : fmt::format("{} + ({})", sum, words[k]);
    return "(" + sum + ")";
}

std::string extreme_of(const char* of_two, const WordTexts& words) {
    std::string extreme = words.front();
    for (std::size_t k = 1; k < words.size(); ++k) extreme = fmt::format("{}({}, {})", of_two, extreme, words[k]);
    return extreme;
}

WordTexts products(const WordTexts& a, const WordTexts& b) {
    WordTexts all;
    for (std::size_t k = 0; k < a.size(); ++k) all.push_back(fmt::format("({}) * ({})", a[k], b[k]));
    return all;
}

WordTexts each_in(const char* form, const WordTexts& words) {
    WordTexts all;
    for (const std::string& word : words) all.push_back(fmt::format(fmt::runtime(form), word));
    return all;
}

/// What the programs' own function makes of a cell.
WordTexts turned_by_hand(const WordTexts& cell) {
    WordTexts words;
    for (const std::string& word : cell) words.push_back(fmt::format("({} - {})", cell[1], word));
    return words;
}

/// The word at a row and column of a product of matrices; a vector is a matrix of one column.
std::string row_times_column(const WordTexts& a, const WordTexts& b, std::size_t row, std::size_t column,
                             std::size_t columns) {
    WordTexts all;
    for (std::size_t k = 0; k < 3; ++k)
        all.push_back(fmt::format("({}) * ({})", a[3 * row + k], b[columns * k + column]));
    return sum_of(all);
}

}  // namespace

std::vector<RandomField> Terms::cells(const RandomCell& of) const {
    std::vector<RandomField> fit;
    for (const RandomField& f : fields_) {
        if (!f.cell.is_number() && f.cell == of && is_readable(f)) fit.push_back(f);
    }
    return fit;
}

std::string Terms::word_read(const RandomField& field, int depth) {
    const std::string at = indices(field, depth);
    const auto word = static_cast<std::size_t>(draw_.between(0, static_cast<int>(field.cell.words()) - 1));
    const std::string name = word_of(field.cell, word);
    const std::string called = draw_.percent(70) ? name : std::to_string(word);
    return either(fmt::format("{}{}.{}", field.name, of_cells(at), called),
                  {fmt::format("{}_{}{}", field.name, name, by_word(at, 0))});
}

std::string Terms::folded_words(const RandomField& field, const std::string& cell, int depth) {
    const auto around = std::exchange(place_.running, field.axes);
    const int transforms = std::exchange(place_.transforms, 0);
    std::string folded = fold_of_words(field.cell, cell, std::max(depth, 0));
    place_.running = around;
    place_.transforms = transforms;
    return folded;
}

std::string Terms::fold_of_words(const RandomCell& cell, const std::string& folded, int depth) {
    const WordTexts words = by_words(folded, cell);
    // Either of 0 and -0 may be the smaller: the sum is the same.
    switch (draw_.between(0, 7)) {
        case 0:
            return either(fmt::format("(minimum({}) + 1)", of_cells(folded)),
                          {fmt::format("({} + 1)", extreme_of("min", words))});
        case 1:
            return either(fmt::format("(maximum({}) + 1)", of_cells(folded)),
                          {fmt::format("({} + 1)", extreme_of("max", words))});
        case 2:
            return either(fmt::format("sum({})", of_cells(folded)), {sum_of(words)});
        case 3:
            return either(fmt::format("norm({})", of_cells(folded)),
                          {fmt::format("sqrt({})", sum_of(products(words, words)))});
        case 4:
            return either(fmt::format("mean({})", of_cells(folded)),
                          {fmt::format("({} / {}.0)", sum_of(words), words.size())});
        case 5:
            return either(fmt::format("(count({0} > 0.25) + product({0}))", of_cells("(" + folded + ")")),
                          {fmt::format("({} + {})", sum_of(each_in("({}) > 0.25 ? 1 : 0", words)),
                                       fmt::join(each_in("({})", words), " * "))});
        case 6:
            return either(fmt::format("(any({0} > 0.25) || !all({0} > -1) ? 0.5 : 0.75)", of_cells("(" + folded + ")")),
                          {fmt::format("({} || !({}) ? 0.5 : 0.75)", fmt::join(each_in("({}) > 0.25", words), " || "),
                                       fmt::join(each_in("({}) > -1", words), " && "))});
        default: {
            const std::string other = cell_of(cell, depth - 1);
            const char* text = cell == vector3     ? "vdot3({}, {})"
                               : cell == matrix3x3 ? "mddot33({}, {})"
                               : draw_.percent(50) ? "dot({}, {})"
                                                   : "sum(({}) * ({}))";
            return either(fmt::format(fmt::runtime(text), of_cells(folded), of_cells(other)),
                          {sum_of(products(words, by_words(other, cell)))});
        }
    }
}

std::optional<std::string> Terms::word_term(int depth) {
    std::vector<RandomField> fit;
    for (const RandomField& f : fields_) {
        if (!f.cell.is_number() && readable_.contains(f.name)) fit.push_back(f);
    }
    if (fit.empty()) return std::nullopt;
    const RandomField& field = draw_.of(fit);
    const int kind = draw_.between(0, 99);
    if (depth <= 0 || kind < 45) return word_read(field, depth);
    if (kind < 80) return fold_of_words(field.cell, cell_of(field.cell, depth - 1), depth - 1);
    if (field.cell == matrix3x3 && kind < 90) {
        const std::string of = cell_of(field.cell, depth - 1);
        const WordTexts words = by_words(of, field.cell);
        return either(fmt::format("trace33({})", of_cells(of)),
                      {fmt::format("({} + {} + {})", words[0], words[4], words[8])});
    }
    if (field.cell == vector3 && kind < 90 && calls_code()) {
        const std::string of = cell_of(field.cell, depth - 1);
        return either(fmt::format("anisotropy3({})", of_cells(of)),
                      {fmt::format("anisotropy3(vector3({}))", fmt::join(by_words(of, field.cell), ", "))});
    }
    const std::string cell = cell_of(field.cell, depth - 1);
    const auto word = static_cast<std::size_t>(draw_.between(0, static_cast<int>(field.cell.words()) - 1));
    return either(fmt::format("({}).{}", of_cells(cell), word_of(field.cell, word)),
                  {fmt::format("({})", by_word(cell, word))});
}

std::string Terms::cell_of(const RandomCell& cell, int depth) {
    const RandomCell around = std::exchange(place_.cell, cell);
    const std::vector<RandomField> fit = cells(cell);
    std::string text = fit.empty() || draw_.percent(15) ? construct(depth) : read(draw_.of(fit), depth);
    if (depth > 0 && draw_.percent(20)) text = fmt::format("({} * ({}))", text, real(depth - 1));
    if (depth > 0 && draw_.percent(20)) text = fmt::format("({} + {})", real(depth - 1), text);
    if (depth > 0 && draw_.percent(10)) text = fmt::format("(({}) > ({}) ? 0.5 : {})", integer(0), integer(0), text);
    place_.cell = around;
    return text;
}

/// "vector3(a, b, c)", or of one number; or the parameter that is such a cell.
std::string Terms::construct(int depth) {
    if (place_.cell == vector3 && draw_.percent(30)) return either("wind", {"wind_x", "wind_y", "wind_z"});
    const RandomCell cell = std::exchange(place_.cell, {});
    std::vector<std::string> numbers, words;
    const std::size_t count = draw_.percent(20) ? 1 : cell.words();
    for (std::size_t k = 0; k < count; ++k) {
        const std::string number = real(cell.words() > 4 ? 0 : depth - 1);
        numbers.push_back(of_cells(number));
        words.push_back("(" + by_word(number, 0) + ")");
    }
    place_.cell = cell;
    return either(fmt::format("{}({})", cell.type, fmt::join(numbers, ", ")), words);
}

/// Functions of the library compute in float, and have steep slopes.
bool Terms::calls_code() const {
    return !place_.spectra.drawn &&
           std::none_of(fields_.begin(), fields_.end(), [](const RandomField& field) { return is_dual(field.type); });
}

std::string Terms::vector_term(int depth) {
    if (calls_code() && draw_.percent(30)) {
        const std::string of = cell_of(matrix3x3, depth);
        const std::string made = fmt::format("eigsym33(matrix3x3({}))", fmt::join(by_words(of, matrix3x3), ", "));
        return either(fmt::format("eigsym33({})", of_cells(of)), {made + ".x", made + ".y", made + ".z"});
    }
    const std::string v = cell_of(vector3, depth);
    const WordTexts b = by_words(v, vector3);
    const bool turned = !cells(matrix3x3).empty() && draw_.percent(50);
    const std::string of = cell_of(turned ? matrix3x3 : vector3, depth);
    const WordTexts a = by_words(of, turned ? matrix3x3 : vector3);
    WordTexts words;
    for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t y = (k + 1) % 3, z = (k + 2) % 3;
        words.push_back(turned ? row_times_column(a, b, k, 0, 1)
                               : fmt::format("(({}) * ({}) - ({}) * ({}))", a[y], b[z], a[z], b[y]));
    }
    return either(fmt::format("{}({}, {})", turned ? "mvmul33" : "vcross3", of_cells(of), of_cells(v)), words);
}

std::string Terms::matrix_term(int depth) {
    const int kind = draw_.between(0, 2);
    const RandomCell& of = kind == 0 ? vector3 : matrix3x3;
    const std::string one = cell_of(of, depth), other = cell_of(of, depth);
    const WordTexts a = by_words(one, of), b = by_words(other, of);
    WordTexts words;
    for (std::size_t k = 0; k < 9; ++k) {
        words.push_back(kind == 0   ? fmt::format("(({}) * ({}))", a[k / 3], b[k % 3])
                        : kind == 1 ? row_times_column(a, b, k / 3, k % 3, 3)
                                    : fmt::format("({})", a[3 * (k % 3) + k / 3]));
    }
    if (kind == 2) return either(fmt::format("transpose33({})", of_cells(one)), words);
    return either(fmt::format("{}({}, {})", kind == 0 ? "vouter3" : "mmul33", of_cells(one), of_cells(other)), words);
}

/// Half of the time code, else an expression of the library.
std::string Terms::symmetric_term(int depth) {
    const std::string of = cell_of(symmetric3x3, depth);
    const WordTexts a = by_words(of, symmetric3x3);
    WordTexts words;
    if (calls_code() && draw_.percent(50)) {
        for (std::size_t k = 0; k < 6; ++k)
            words.push_back(
                fmt::format("sqrtsym33(symmetric3x3({})).{}", fmt::join(a, ", "), word_of(symmetric3x3, k)));
        return either(fmt::format("sqrtsym33({})", of_cells(of)), words);
    }
    const std::string v = cell_of(vector3, depth);
    const WordTexts b = by_words(v, vector3);
    for (std::size_t k = 0; k < 3; ++k) words.push_back(fmt::format("({} - ({}) * ({}))", a[k], b[k], b[k]));
    words.push_back(fmt::format("({} - ({}) * ({}))", a[3], b[1], b[2]));
    words.push_back(fmt::format("({} - ({}) * ({}))", a[4], b[0], b[2]));
    words.push_back(fmt::format("({} - ({}) * ({}))", a[5], b[0], b[1]));
    return either(fmt::format("msubsym33({}, vselfouter3({}))", of_cells(of), of_cells(v)), words);
}

/// A product, or the conjugate.
std::string Terms::quaternion_term(int depth) {
    const std::string one = cell_of(quaternion, depth);
    const WordTexts q = each_in("({})", by_words(one, quaternion));
    if (draw_.percent(30))
        return either(fmt::format("qconj({})", of_cells(one)),
                      {q[0], "(-" + q[1] + ")", "(-" + q[2] + ")", "(-" + q[3] + ")"});
    const std::string other = cell_of(quaternion, depth);
    const WordTexts p = each_in("({})", by_words(other, quaternion));
    const auto word = [&](const char* form) {
        return fmt::format(fmt::runtime(form), q[0], q[1], q[2], q[3], p[0], p[1], p[2], p[3]);
    };
    return either(fmt::format("qmul({}, {})", of_cells(one), of_cells(other)),
                  {word("(-{1} * {5} + {0} * {4} - {2} * {6} - {3} * {7})"),
                   word("({1} * {4} + {0} * {5} + {2} * {7} - {3} * {6})"),
                   word("(-{1} * {7} + {0} * {6} + {2} * {4} + {3} * {5})"),
                   word("({1} * {6} + {0} * {7} - {2} * {5} + {3} * {4})")});
}

std::string Terms::cell_term(int depth) {
    const RandomCell cell = place_.cell;
    if (depth > 0 && cell == quaternion && draw_.percent(40)) return quaternion_term(depth - 1);
    if (depth > 0 && cell == symmetric3x3 && draw_.percent(40)) return symmetric_term(depth - 1);
    if (depth > 0 && cell == vector3 && draw_.percent(40)) return vector_term(depth - 1);
    if (depth > 0 && cell == matrix3x3 && draw_.percent(40)) return matrix_term(depth - 1);
    const int kind = draw_.between(0, 2);
    if (kind == 0) return construct(depth);
    if (kind == 1) {
        std::vector<std::pair<RandomField, std::string>> fit;
        for (const RandomField& f : cells(cell)) {
            const bool coloured = place_.colours > 0 && f.name == place_.target;
            bool runs = !coloured;
            for (const std::string& axis : f.axes) runs = runs && runs_along(axis);
            for (const std::string& axis : f.bounded) {
                if (runs) fit.emplace_back(f, axis);
            }
        }
        if (!fit.empty()) {
            const auto& [f, axis] = draw_.of(fit);
            WordTexts words;
            for (std::size_t k = 0; k < cell.words(); ++k)
                words.push_back(
                    fmt::format("({0}_{1}[{2} + 1] + {0}_{3})", f.name, word_of(cell, 0), axis, word_of(cell, k)));
            return either(fmt::format("ahead({}, {})", f.name, axis), words);
        }
    }
    const std::string turned = cell_of(cell, depth - 1);
    const WordTexts all = by_words(turned, cell);
    if (cell.words() > 4 || draw_.percent(70))
        return either(fmt::format("turn({})", of_cells(turned)), turned_by_hand(all));
    WordTexts scaled;
    for (const std::string& word : turned_by_hand(all))
        scaled.push_back(fmt::format("({} * {})", sum_of(products(all, all)), word));
    return either(fmt::format("around({})", of_cells(turned)), turned_by_hand(scaled));
}

}  // namespace kasc::random
