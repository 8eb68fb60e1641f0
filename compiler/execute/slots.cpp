#include "execute/slots.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace kasc::execute {

namespace {

std::byte* bytes_at(const void* p) { return static_cast<std::byte*>(const_cast<void*>(p)); }

}  // namespace

bool RowsInMemory::holds(long long row) const {
    const long long nearest = std::clamp(row, 0LL, extent - 1);
    return nearest >= first && nearest < first + held;
}

Slots::Slots(const Program& program, const Library& library, const HostPlan& plan, const Numbers& numbers,
             const runtime::EntryArguments& arguments, runtime::ComputeDevice& device, const Division& division,
             int rank)
    : program_(program),
      library_(library),
      plan_(plan),
      numbers_(numbers),
      arguments_(arguments),
      device_(device),
      division_(division),
      rank_(rank),
      at_(plan.slots.size(), nullptr) {
    make_windows();
    bring_inputs();
    take_outputs();
    for (const SlotId id : plan_.slots.ids()) {
        const Slot& slot = plan_.slots[id];
        if (window_at(id) != nullptr) continue;
        if (const auto* in = std::get_if<InputStorage>(&slot.storage)) {
            at(id) = inputs_.at(in->position);
        } else if (const auto* out = std::get_if<OutputStorage>(&slot.storage)) {
            at(id) = outputs_.at(out->position);
        } else {
            at(id) = slot.row_multiple > 1 ? device_.take(slot.name, bytes(id)) : take(slot.name, slot.variable);
        }
    }
    for (auto& window : windows_) {
        if (!window) continue;
        window->rows =
            device_.take(plan_.slots[window->slot].name, static_cast<std::uint64_t>(window->most) * window->row_bytes);
    }
    first_at_ = at_;
}

CellType Slots::type(VariableId variable) const { return cell_type_of(program_, variable); }

std::uint64_t Slots::bytes_of(VariableId variable) const {
    return numbers_.words(library_, variable) * cell_bytes(type(variable));
}

std::uint64_t Slots::bytes(SlotId slot) const {
    const Slot& s = plan_.slots[slot];
    const RowsApart rows = rows_apart(slot);
    return bytes_of(s.variable) / rows.bytes * rows.apart;
}

Slots::RowsApart Slots::rows_apart(SlotId slot) const {
    const Slot& s = plan_.slots[slot];
    if (s.row_multiple == 1) return {1, 1};
    const auto cells = static_cast<std::uint64_t>(numbers_.extent(field_shape(program_, s.variable).axes.front()));
    const auto multiple = static_cast<std::uint64_t>(s.row_multiple);
    const std::uint64_t cell = cell_bytes(type(s.variable));
    return {cells * cell, (cells + multiple - 1) / multiple * multiple * cell};
}

void Slots::download(void* values, SlotId slot) {
    const RowsApart rows = rows_apart(slot);
    if (rows.bytes == rows.apart) return device_.download(values, at(slot), bytes(slot));
    std::vector<std::byte> apart(bytes(slot));
    device_.download(apart.data(), at(slot), apart.size());
    for (std::size_t r = 0; r < apart.size() / rows.apart; ++r)
        std::memcpy(static_cast<std::byte*>(values) + r * rows.bytes, apart.data() + r * rows.apart, rows.bytes);
}

void Slots::upload(SlotId slot, const void* values) {
    const RowsApart rows = rows_apart(slot);
    if (rows.bytes == rows.apart) return device_.upload(at(slot), values, bytes(slot));
    std::vector<std::byte> apart(bytes(slot));
    for (std::size_t r = 0; r < apart.size() / rows.apart; ++r)
        std::memcpy(apart.data() + r * rows.apart, static_cast<const std::byte*>(values) + r * rows.bytes, rows.bytes);
    device_.upload(at(slot), apart.data(), apart.size());
}

std::byte* Slots::take(const std::string& name, VariableId variable) {
    const runtime::ArrayParts parts = division_.lies(variable);
    return parts.ends.empty() ? device_.take(name, bytes_of(variable))
                              : device_.take_cut(name, bytes_of(variable), parts);
}

std::uint64_t Slots::given_bytes(VariableId variable) const {
    if (std::holds_alternative<FieldShape>(program_.variables[variable].shape)) return bytes_of(variable);
    return bytes_of(variable) / static_cast<std::uint64_t>(numbers_.elements()) *
           static_cast<std::uint64_t>(arguments_.extents.at(0));
}

std::byte* Slots::direct(VariableId variable, const void* given) const {
    const bool is_there = arguments_.resident || device_.shares_host_memory();
    return is_there && given_bytes(variable) == bytes_of(variable) ? bytes_at(given) : nullptr;
}

SlotBytes Slots::known_as(SlotId slot) const {
    const auto bytes = static_cast<std::int64_t>(this->bytes(slot));
    const RowsInMemory* window = window_at(slot);
    if (window == nullptr) return {at(slot), 0, bytes, bytes};
    const auto row = static_cast<std::int64_t>(window->row_bytes);
    return {window->rows, -window->first * row, bytes, window->held * row};
}

bool Slots::has_window(bool input, std::size_t position) const {
    return std::any_of(windows_.begin(), windows_.end(),
                       [&](const auto& w) { return w && w->series.input == input && w->series.position == position; });
}

const RowsInMemory* Slots::window_at(SlotId slot) const {
    for (const auto& w : windows_) {
        if (w && w->slot == slot) return &*w;
    }
    return nullptr;
}

void Slots::make_windows() {
    const std::vector<Series> all = series_of(program_);
    windows_.resize(all.size());
    for (std::size_t k = 0; k < all.size() && k < arguments_.rows.size(); ++k) {
        if (arguments_.rows[k] == 0) continue;
        const Series& series = all[k];
        RowsInMemory window;
        window.series = series;
        const auto own = [&](SlotId id) {
            const auto& storage = plan_.slots[id].storage;
            const auto* in = std::get_if<InputStorage>(&storage);
            const auto* out = std::get_if<OutputStorage>(&storage);
            return series.input ? in != nullptr && in->position == series.position
                                : out != nullptr && out->position == series.position;
        };
        const auto ids = plan_.slots.ids();
        const auto slot = std::find_if(ids.begin(), ids.end(), own);
        if (slot == ids.end()) throw std::logic_error("a series has no array of its own");
        window.slot = *slot;
        const FieldShape& shape = field_shape(program_, series.variable);
        window.extent = numbers_.extent(shape.axes.back());
        window.most = std::min(arguments_.rows[k], window.extent);
        window.row_bytes = bytes_of(series.variable) / static_cast<std::uint64_t>(window.extent);
        windows_[k] = window;
    }
}

void Slots::bring_inputs() {
    for (std::size_t i = 0; i < program_.inputs.size(); ++i) {
        const VariableId variable = program_.inputs[i];
        inputs_.push_back(nullptr);
        if (has_window(true, i)) continue;
        inputs_.back() = direct(variable, arguments_.inputs.at(i));
        if (inputs_.back() != nullptr) continue;
        inputs_.back() = take(program_.variables[variable].name, variable);
        bring(i);
    }
}

void Slots::bring(std::size_t position) {
    if (arguments_.inputs.at(position) == nullptr) return;  // another process has it
    const auto given = static_cast<std::int64_t>(given_bytes(program_.inputs[position]));
    const ranks::Touch own = input_parts(position).at(static_cast<std::size_t>(rank_));
    std::byte *const to = inputs_.at(position), *const from = bytes_at(arguments_.inputs.at(position));
    const std::int64_t end = std::min(own.high, given), rest = std::max(own.low, given);
    if (rest < own.high) device_.zero(to + rest, static_cast<std::uint64_t>(own.high - rest));
    if (own.low >= end) return;
    const auto bytes = static_cast<std::uint64_t>(end - own.low);
    if (arguments_.resident) {
        device_.copy(to + own.low, from + own.low, bytes);
    } else {
        device_.upload(to + own.low, from + own.low, bytes);
    }
}

void Slots::restore() {
    at_ = first_at_;
    for (std::size_t i = 0; i < program_.inputs.size(); ++i) {
        if (direct(program_.inputs[i], arguments_.inputs.at(i)) == nullptr) bring(i);
    }
}

void Slots::take_outputs() {
    for (std::size_t i = 0; i < program_.outputs.size(); ++i) {
        const VariableId variable = program_.outputs[i];
        outputs_.push_back(nullptr);
        if (has_window(false, i)) continue;
        outputs_.back() = direct(variable, arguments_.outputs.at(i));
        if (outputs_.back() == nullptr) outputs_.back() = take(program_.variables[variable].name, variable);
    }
}

void Slots::download() {
    for (std::size_t i = 0; i < program_.outputs.size(); ++i) {
        const VariableId variable = program_.outputs[i];
        void* const given = arguments_.outputs.at(i);
        if (has_window(false, i) || given == nullptr || direct(variable, given) != nullptr) continue;
        const ranks::Touch own = output_parts(i).at(static_cast<std::size_t>(rank_));
        const std::int64_t end = std::min(own.high, static_cast<std::int64_t>(given_bytes(variable)));
        if (own.low >= end) continue;
        const auto bytes = static_cast<std::uint64_t>(end - own.low);
        if (arguments_.resident) {
            device_.copy(bytes_at(given) + own.low, outputs_[i] + own.low, bytes);
        } else {
            device_.download(bytes_at(given) + own.low, outputs_[i] + own.low, bytes);
        }
    }
}

runtime::HeldBy Slots::held_by(const std::vector<runtime::HeldBy>& held, std::size_t position) {
    return held.empty() ? runtime::HeldBy::first : held.at(position);
}

std::vector<ranks::Touch> Slots::on_first(const SlotBytes& of) const {
    std::vector<ranks::Touch> parts(static_cast<std::size_t>(division_.ranks()), of.whole(false));
    for (std::size_t r = 1; r < parts.size(); ++r) parts[r].high = parts[r].low;
    return parts;
}

std::vector<ranks::Touch> Slots::parts(const SlotBytes& of, VariableId variable, runtime::HeldBy held) const {
    if (held == runtime::HeldBy::first) return on_first(of);
    if (held == runtime::HeldBy::parts) return division_.parts_of(of, variable, false);
    return std::vector<ranks::Touch>(static_cast<std::size_t>(division_.ranks()), of.whole(false));
}

std::vector<ranks::Touch> Slots::input_parts(std::size_t position) const {
    const auto bytes = static_cast<std::int64_t>(input_bytes(position));
    return parts({input(position), 0, bytes, bytes}, program_.inputs[position],
                 held_by(arguments_.inputs_held, position));
}

std::vector<ranks::Touch> Slots::output_parts(std::size_t position) const {
    const auto bytes = static_cast<std::int64_t>(output_bytes(position));
    const VariableId variable = program_.outputs[position];
    const bool cut = !division_.ends(variable).empty();
    return parts({output(position), 0, bytes, bytes}, variable,
                 cut ? held_by(arguments_.outputs_held, position) : runtime::HeldBy::first);
}

bool Slots::has_parts(SlotId slot) const {
    return !is_padded(slot) && division_.memory() == ranks::Memory::own &&
           !division_.ends(plan_.slots[slot].variable).empty();
}

std::vector<ranks::Touch> Slots::slot_parts(SlotId slot) const {
    const SlotBytes of = known_as(slot);
    return has_parts(slot) ? division_.parts_of(of, plan_.slots[slot].variable, false) : on_first(of);
}

}  // namespace kasc::execute
