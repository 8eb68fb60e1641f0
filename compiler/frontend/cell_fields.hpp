#pragma once
// Finds the fields and parameters of a program whose cells have a shape, and what their words are called.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "frontend/ast.hpp"
#include "frontend/cell_shape.hpp"
#include "frontend/report.hpp"
#include "library/library.hpp"

namespace kasc::frontend {

struct CellField {
    CellShape shape;
    std::string of;                       ///< the type of its words
    std::vector<std::string> words;       ///< names of fields
    const ast::Declaration* declaration;  ///< of the field
    CellLayout layout = CellLayout::structures;
};

struct CellParameter {
    CellShape shape;
    std::string of;                  ///< the type of its words
    std::vector<std::string> words;  ///< names of parameters
    const ast::Parameter* parameter;
};

class CellFields {
public:
    /// Reads types and declarations, which must outlive it.
    CellFields(const Ast& ast, const Library& library, Report& report);

    /// Null: no field, or one of a type of the language.
    [[nodiscard]] const CellField* find(const std::string& name) const;
    /// Null: no parameter, or a number.
    [[nodiscard]] const CellParameter* find_parameter(const std::string& name) const;
    /// "u.x", where the name is that of the field or parameter of a word; none: of no word. The program cannot name it.
    [[nodiscard]] std::optional<std::string> word(const std::string& name) const;
    /// The shape of a type that the program or the library declares (its `scalar` is a number); none: no type of
    /// theirs.
    [[nodiscard]] std::optional<CellShape> type(const std::string& name) const;
    /// Said already: nobody reads on.
    [[nodiscard]] bool is_of_unknown_type(const std::string& name) const { return of_unknown_type_.contains(name); }
    [[nodiscard]] const Library& library() const { return library_; }
    /// The program itself declares the type.
    [[nodiscard]] bool declares_type(const std::string& name) const { return types_.contains(name); }
    /// Fields whose cells have a shape, in the order of their declarations.
    [[nodiscard]] const std::vector<std::string>& order() const { return order_; }

private:
    void read_type(const ast::CellTypeDeclaration& type);
    void read_declaration(const ast::Declaration& declaration);
    void read_field(const ast::Declaration& field, const CellShape& shape);
    [[nodiscard]] std::string known_elsewhere(const ast::Declaration& declaration) const;
    void report_unknown_type(const ast::Declaration& declaration);
    bool has_too_many_words(const ast::Name& type, const CellShape& shape);
    [[nodiscard]] CellLayout read_layout(const ast::Declaration& field);
    void refuse_layout(const ast::Declaration& field);
    void refuse_others(const std::string& name);
    void refuse_uniform(const ast::Declaration& field);
    void read_parameter(const ast::Parameter& parameter);
    /// Another declaration has the name already.
    bool is_declared_twice(const ast::Name& name);

    const Ast& ast_;
    const Library& library_;
    Report& report_;
    struct DeclaredType {
        CellShape shape;
        std::string of;
    };
    std::map<std::string, DeclaredType> types_;
    std::map<std::string, CellField> fields_;
    std::map<std::string, CellParameter> parameters_;
    std::map<std::string, std::string> hidden_;  ///< of words' fields and parameters, and what the program calls them
    std::set<std::string> of_unknown_type_;
    std::vector<std::string> order_;
};

}  // namespace kasc::frontend
