#pragma once
// Expressions over fields drawn at random, as text. Integers stay within 32 bits: they are products with literals only.
// An expression over cells is drawn as one over numbers is, for all its words at once.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "foundation/cell_type.hpp"
#include "random/draw.hpp"
#include "random/field_cells.hpp"

namespace kasc::random {

/// What the values of an input must be for its use to mean something. Its name says so.
enum class Role {
    plain,     ///< anything
    labels,    ///< lab: positions in a table, some beyond its end
    list,      ///< px, py, pz: coordinates of the cells of a list: cells differ, some lie beyond the grid
    distinct,  ///< ix: coordinates along x that differ
};
[[nodiscard]] Role role_of(const std::string& name);
/// "x" of px and ix.
[[nodiscard]] inline std::string listed_axis(const std::string& name) { return name.substr(1); }

struct RandomField {
    /// Its last axis is that of the loops' iterations.
    [[nodiscard]] bool is_series() const { return !axes.empty() && axes.back() == "t"; }

    std::string name;
    CellType type = CellType::float32;
    std::vector<std::string> axes;
    std::set<std::string> bounded{};                    ///< axes with a boundary: neighbours along them may be read
    std::map<std::string, std::pair<int, int>> kept{};  ///< by axis, layers that are never assigned
    bool periodic = false;
    bool input = true;
    bool mirrored = false;  ///< the half spectrum of a real field over all its axes
    RandomCell cell{};      ///< `type` is that of its words
};

/// What a program with transforms has besides. In such a program whatever is computed of reals is continuous in them
/// and has no steep slope, so that results whose roundings differ stay close: conditions are of integers alone.
struct Spectra {
    bool drawn = false;
    std::set<std::string> halved;  ///< axes that have a half: of "x" it is "kx"
    /// Spectra that no real field has are transformed to reals, too, of which libraries make different things.
    bool any = false;
};
[[nodiscard]] inline std::string half_of(const std::string& axis) { return "k" + axis; }

/// Where an expression stands.
struct Place {
    std::vector<std::string> running;  ///< axes that the statement runs over
    std::vector<std::string> loops;    ///< variables of the loops around it
    std::string target;
    int colours = 0;  ///< of a coloured statement: restricts how the target is read
    Spectra spectra{};
    int transforms = 0;  ///< how many may stand in the expression
    RandomCell cell{};   ///< what the expression is
};

class Terms {
public:
    Terms(Draw& draw, const std::vector<RandomField>& fields, std::set<std::string> readable, Place place)
        : draw_(draw), fields_(fields), readable_(std::move(readable)), place_(std::move(place)) {}

    std::string real(int depth);
    std::string integer(int depth);
    std::string condition(int depth);
    std::string complex(int depth);
    /// A term of coordinates, numbers and fields along one of several axes: what loops may make anew.
    std::string of_lines(int depth);
    /// Half a spectrum that some real field has over all axes that run here.
    std::string mirrored(int depth);
    /// A sum, minimum, norm or the like; `whole`: of integers.
    std::string reduction(int depth, bool whole);
    std::string reduction_of(const std::string& folded, const std::string& axes, bool whole);
    /// A running sum, product, minimum or maximum along an axis of the statement; none: no field fits.
    std::optional<std::string> running(int depth, bool whole);
    /// "T[x - 1, m = tissue]"; of a cell that meets a number one of its words.
    std::string read(const RandomField& field, int depth);

private:
    Draw& draw_;
    const std::vector<RandomField>& fields_;
    std::set<std::string> readable_;  ///< names of fields that have a value
    Place place_;
    bool in_position_ = false;  ///< where no reduction may stand

    [[nodiscard]] bool runs_along(const std::string& axis) const;
    /// The field has a value, which goes word by word with the expression.
    [[nodiscard]] bool is_readable(const RandomField& field) const;
    std::optional<RandomField> field(bool whole);
    std::string indices(const RandomField& field, int depth);
    std::string position(const std::string& axis, int depth);
    std::string coloured_indices(const RandomField& field);
    std::string library_call(int depth);
    std::string argument_beside(const RandomField& field, int depth, bool whole);
    std::string real_leaf(int depth);
    std::string integer_number(int depth);
    std::string bits(int depth);
    std::string cut(int depth);

    // --- cells with a shape (field_cell_terms.cpp) ---

    [[nodiscard]] std::vector<RandomField> cells(const RandomCell& of) const;
    /// A number made of the words of cells; none where no cell can be read.
    std::optional<std::string> word_term(int depth);
    std::string word_read(const RandomField& field, int depth);
    std::string fold_of_words(const RandomCell& cell, const std::string& folded, int depth);
    /// What the words of a field's cells, read as `cell`, are folded to; runs along its axes.
    std::string folded_words(const RandomField& field, const std::string& cell, int depth);
    /// Never a number, which functions of cells would not take.
    std::string cell_of(const RandomCell& cell, int depth);
    /// What is a cell as a whole, not word by word.
    std::string cell_term(int depth);
    std::string construct(int depth);
    [[nodiscard]] bool calls_code() const;
    std::string vector_term(int depth);
    std::string matrix_term(int depth);
    std::string symmetric_term(int depth);
    std::string quaternion_term(int depth);

    // --- transforms (field_complex_terms.cpp) ---

    /// Axes of a transform that stand beside each other among those that run, and how they are written.
    struct Transformed {
        std::vector<std::string> axes;   ///< outside of the transform
        std::vector<std::string> inner;  ///< all that run in its argument
        bool real_inner = false, real_outer = false;
        std::string names;  ///< ", x, y"; empty: all that run
    };
    std::optional<Transformed> transformed(bool forward);
    /// fft or ifft of an argument in which other axes run.
    std::string transform(bool forward, const Transformed& along, int depth);
    std::string there_and_back(const Transformed& along);
    std::string inverse_to_reals(const Transformed& along, int depth);
    std::optional<std::string> walls(int depth);
    std::string real_transform(int depth);
    std::string complex_transform(int depth);
    std::string complex_leaf(int depth);
    std::string mirrored_over(const std::vector<std::string>& axes, const std::string& names, int depth);
    std::string even(const std::vector<std::string>& axes);
    std::string odd(const std::string& axis);
};

}  // namespace kasc::random
