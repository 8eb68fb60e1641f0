#include "runtime/processes/communicator.hpp"

namespace kasc::runtime {

std::string broadcast_text(Communicator& ranks, std::string text) {
    std::uint64_t bytes = text.size();
    ranks.broadcast(&bytes, sizeof(bytes));
    text.resize(bytes);
    ranks.broadcast(text.data(), bytes);
    return text;
}

std::vector<std::string> gather_texts(Communicator& ranks, const std::string& own) {
    const auto* bytes = reinterpret_cast<const std::byte*>(own.data());
    std::vector<std::string> texts;
    for (const std::vector<std::byte>& text : ranks.gather({bytes, bytes + own.size()}))
        texts.emplace_back(reinterpret_cast<const char*>(text.data()), text.size());
    return texts;
}

}  // namespace kasc::runtime
