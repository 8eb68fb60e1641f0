#pragma once
// Expressions over cells that have a shape → one expression a word.
//
// Operators, conditions and functions of numbers go word by word, and take a number for each word alike. Functions of
// the program and the library whose text speaks of shapes are expanded; others are called with one word after another.
// A function of the library that is code becomes a call for each word of its result, with all words of its arguments.

#include <deque>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "frontend/called_reduction.hpp"
#include "frontend/cell_fields.hpp"

namespace kasc::frontend {

/// Without words: it is at fault, which was said.
struct CellValue {
    CellShape shape;
    std::vector<ast::ExpressionRef> words;
    /// Some name in it is nobody's. It is taken for a number and goes with every shape, so that the check of names,
    /// which comes later, is the first to say something of it.
    bool is_unknown = false;

    [[nodiscard]] bool is_faulty() const { return words.empty(); }
};

class CellExpressions {
public:
    CellExpressions(const Ast& ast, const CellFields& fields, Report& report);

    [[nodiscard]] CellValue value(const ast::ExpressionRef& expression);
    /// Null, with an error, where it is none.
    [[nodiscard]] ast::ExpressionRef number(const ast::ExpressionRef& expression);
    [[nodiscard]] std::vector<ast::Index> indices(const std::vector<ast::Index>& all);
    /// The word of a cell of this shape; none, with an error, where it has none of the name.
    /// `owner`: the text of what has the word.
    [[nodiscard]] std::optional<std::size_t> word(const CellShape& shape, const ast::Name& name,
                                                  const std::string& owner);
    /// Functions of which some call was expanded, by number.
    [[nodiscard]] const std::set<std::size_t>& expanded() const { return expanded_; }
    /// Reports a name that only a word's field has; one of unknown type is hidden as well.
    [[nodiscard]] bool is_hidden(const std::string& name, const Span& span);
    /// With an error where a field is needed: the name is that of a parameter of several words.
    [[nodiscard]] bool is_parameter(const ast::Name& name);
    /// A new statement: what was found for the last one is forgotten.
    void forget();

private:
    /// A call that is being expanded: arguments are read in the frame of the caller.
    struct Frame {
        std::size_t function;
        const std::vector<ast::ExpressionRef>* arguments;
        const Frame* caller;
        Span call;
    };
    using Word = std::function<ast::ExpressionRef(const std::vector<ast::ExpressionRef>&)>;

    CellValue evaluate(const ast::ExpressionRef& expression);
    CellValue evaluate(const ast::NameUse& use, const ast::ExpressionRef& own);
    CellValue evaluate(const ast::Access& access, const ast::ExpressionRef& own);
    CellValue evaluate(const ast::WordUse& use);
    CellValue evaluate(const ast::Call& call, const ast::ExpressionRef& own);
    CellValue construct(const ast::Call& call, const CellShape& shape, const Span& span);
    CellValue fold_words(const Reduction& called, const ast::Call& call, const ast::ExpressionRef& own);
    ast::ExpressionRef joined(const Reduction& called, const ast::ExpressionRef& left, const ast::ExpressionRef& right,
                              const Span& callee, const Span& span);
    CellValue sum_over_axes(const ast::Call& call, const ast::ExpressionRef& own);
    CellValue call_function(std::size_t function, const ast::Call& call, const ast::ExpressionRef& own);
    CellValue call_library(const Function& function, const ast::Call& call, const std::vector<CellValue>& arguments,
                           const Span& span);
    /// False, with an error, where an argument is not of the shape that the function of the library takes.
    bool fits(const Function& function, const ast::Call& call, const std::vector<CellValue>& arguments);
    /// The types of its arguments and result; null: of no function of streams.
    [[nodiscard]] const Function* typed(const ast::Function& function) const;
    CellValue each_word(const ast::Call& call, const std::vector<CellValue>& arguments, const ast::ExpressionRef& own);
    /// Word by word, numbers for each alike; the original where all words are numbers and none is new.
    CellValue together(const std::vector<CellValue>& parts, const std::vector<ast::ExpressionRef>& old,
                       const ast::ExpressionRef& own, const Word& make);
    CellValue scalar_parts(const std::vector<ast::ExpressionRef>& parts);
    /// What an argument that is a name is in the text of the program; none: it is an expression somewhere on the way.
    [[nodiscard]] std::optional<ast::Name> passed_name(ast::Name name) const;
    [[nodiscard]] ast::Name outermost(ast::Name name) const;
    [[nodiscard]] std::vector<std::string> declared_axes(const std::string& name) const;
    [[nodiscard]] std::optional<std::size_t> argument(const Frame* frame, const std::string& name) const;
    [[nodiscard]] std::optional<std::size_t> find_function(const std::string& name) const;
    /// In the text that is being read; null: none has the name there.
    [[nodiscard]] const Reduction* find_reduction(const std::string& name) const;
    [[nodiscard]] std::optional<Intrinsic> find_intrinsic(const std::string& name) const;
    [[nodiscard]] bool speaks_of_shapes(std::size_t function, bool of_shapes);
    [[nodiscard]] bool speaks_of_shapes(const ast::Expression& body, std::size_t function, bool of_shapes);
    ast::ExpressionRef make(decltype(ast::Expression::node) node, const Span& span);
    Diagnostic& error(const char* code, std::string message, const Span& span);

    const Ast& ast_;
    const CellFields& fields_;
    Report& report_;
    std::set<std::string> names_;  ///< all that may be declared, be it elsewhere in the text
    std::deque<Frame> frames_;
    const Frame* frame_ = nullptr;
    std::map<std::pair<const ast::Expression*, const Frame*>, CellValue> known_;
    std::map<std::pair<std::size_t, bool>, bool> speaks_;
    std::set<std::size_t> expanded_;
    std::set<std::size_t> said_of_;  ///< calls of the statement, by their place
    Diagnostic unsaid_;
    std::size_t nodes_ = 0;
    bool exhausted_ = false;
};

}  // namespace kasc::frontend
