// mmul33_1: its patterns, its code and its extents, one after the other. Where it stands and what its file is called
// do not count.

#include "library/identity.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>

namespace kasc {

namespace {

std::string pattern_text(const Pattern& p) {
    return fmt::format("{};{};{};{};{}\n", p.start, p.block, p.stride, p.count, p.noreg);
}

std::string function_text(const DeviceFunction& f) {
    std::string text = f.text + "\n";
    for (const Coordinate c : f.coordinates) text += fmt::format("{} ", static_cast<int>(c));
    return text + "\n";
}

std::string extent_text(const Extent& e) {
    return fmt::format("{}/{} ", e.fixed.value_or(0), e.recommended.value_or(0));
}

}  // namespace

std::string identity_text(const StreamType& type) {
    return fmt::format("{}[{}]", type.name, fmt::join(type.shape, ","));
}

std::string identity_text(const Implementation& i, const Library& library) {
    std::string text = i.name + "\n";
    for (const Transfer& load : i.loads)
        text += identity_text(library.types[load.type]) + function_text(load.function) + pattern_text(load.pattern);
    text += identity_text(library.types[i.save.type]) + function_text(i.save.function) + pattern_text(i.save.pattern);
    text += function_text(i.compute);
    for (const Pattern& p : i.inputs) text += pattern_text(p);
    text += pattern_text(i.output);
    for (const Extent& e : i.grid) text += extent_text(e);
    for (const Extent& e : i.block) text += extent_text(e);
    text += extent_text(i.batch) + "\n";
    for (const DeviceFunction& helper : i.helpers) text += function_text(helper);
    for (const Macro& macro : i.macros) text += macro.text + "\n";
    return text;
}

std::string hash_of(const std::string& text) {
    // The namespace only has to be the same for ever: RFC 4122's for what is none of its own kinds.
    return boost::uuids::to_string(boost::uuids::name_generator_sha1(boost::uuids::ns::oid())(text));
}

}  // namespace kasc
