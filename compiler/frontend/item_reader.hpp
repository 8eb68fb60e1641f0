#pragma once
// Text → parse trees, item by item. Internal to the parser: it knows ANTLR.

#include <KascParser.h>

#include <functional>
#include <memory>
#include <set>
#include <string>

#include "frontend/report.hpp"

namespace kasc::frontend {

class ItemReader {
public:
    /// Reports what makes the text no sequence of words and signs; then it has no items.
    ItemReader(const SourceRef& source, Report& report);
    ~ItemReader();

    /// Calls `take` with each item that has no syntax error; false: some have one, which was reported. The trees live
    /// as long as the reader.
    bool for_each(const std::function<void(grammar::KascParser::ItemContext*)>& take);
    /// The text as one expression; null, with an error, where it is none.
    [[nodiscard]] grammar::KascParser::ExpressionContext* expression();
    /// All names that the text says.
    [[nodiscard]] const std::set<std::string>& names() const;
    /// Those that stand behind 'procedure'.
    [[nodiscard]] const std::set<std::string>& procedures() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace kasc::frontend
