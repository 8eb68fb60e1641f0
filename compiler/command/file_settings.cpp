// Options may stand in branches that other options open, so that the program is read again with what was found until
// nothing new is found.
#include "command/file_settings.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "frontend/parse.hpp"
#include "runtime/hdf5/read_datasets.hpp"
#include "runtime/hdf5/survey.hpp"

namespace kasc::command {

namespace {

/// Options, parameters and fields `or uniform`.
std::set<std::string> names_of(const Ast& ast) {
    std::set<std::string> names;
    for (const ast::Option& option : ast.options)
        if (!option.is_word) names.insert(option.name.text);
    for (const ast::Parameter& parameter : ast.parameters) names.insert(parameter.name.text);
    for (const ast::Name& name : ast.may_be_uniform) names.insert(name.text);
    return names;
}

}  // namespace

CompileRequest with_file_settings(CompileRequest request, const std::string& path) {
    std::set<std::string> looked_for, known;
    for (const auto& setting : request.settings) looked_for.insert(setting.first);
    const std::set<std::string> own = looked_for;
    while (!path.empty()) {
        request.parsed = std::make_shared<const Outcome<Ast>>(parse(request.source, request.settings));
        const Outcome<Ast>& ast = *request.parsed;
        if (!ast) break;
        known = names_of(*ast);
        std::vector<std::string> names;
        std::set_difference(known.begin(), known.end(), looked_for.begin(), looked_for.end(),
                            std::back_inserter(names));
        if (names.empty()) break;
        looked_for.insert(names.begin(), names.end());
        const auto survey = runtime::survey_file(path, names);
        if (!survey) break;
        std::vector<runtime::DatasetPart> numbers;
        for (std::size_t i = 0; i < names.size(); ++i) {
            const runtime::DatasetFacts& facts = survey->datasets[i];
            if (facts.state != runtime::DatasetFacts::State::good) continue;
            const bool one = runtime::cell_count(facts.shape()) == 1U;
            request.datasets[names[i]] = {path + ":/" + names[i], one ? "" : runtime::to_text(facts.shape())};
            if (one) numbers.push_back({names[i], facts.shape(), 0, 0, runtime::WordType::float64});
        }
        if (numbers.empty()) break;
        const auto read = runtime::read_datasets(path, survey->stamp, numbers);
        if (!read) break;
        for (const runtime::ArrayView& number : read->arrays) request.settings[number.name] = number.values[0];
        const auto is_new = [&](const std::string& name) {
            return std::any_of(read->arrays.begin(), read->arrays.end(),
                               [&](const runtime::ArrayView& number) { return number.name == name; });
        };
        // Options alone open branches; what is uniform changes the text as well.
        const bool opens = std::any_of(ast->options.begin(), ast->options.end(),
                                       [&](const ast::Option& option) { return is_new(option.name.text); });
        const bool changes = std::any_of(ast->may_be_uniform.begin(), ast->may_be_uniform.end(),
                                         [&](const ast::Name& name) { return is_new(name.text); });
        if (!opens && changes) request.parsed = nullptr;
        if (!opens) break;
    }
    // Settings that were found in branches which a later setting has closed are dropped.
    std::erase_if(request.settings, [&](const auto& s) { return !own.contains(s.first) && !known.contains(s.first); });
    return request;
}

}  // namespace kasc::command
