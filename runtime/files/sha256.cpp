#include "runtime/files/sha256.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <stdexcept>

namespace kasc::runtime {

namespace {

void require(bool good) {
    if (!good) throw std::runtime_error("OpenSSL has no SHA-256");
}

}  // namespace

void Sha256::Free::operator()(evp_md_ctx_st* context) const { EVP_MD_CTX_free(context); }

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
    require(context_ && EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1);
}

void Sha256::add(std::string_view bytes) { require(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1); }

std::string Sha256::text() const {
    const std::unique_ptr<evp_md_ctx_st, Free> copy(EVP_MD_CTX_new());
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    require(copy && EVP_MD_CTX_copy_ex(copy.get(), context_.get()) == 1 &&
            EVP_DigestFinal_ex(copy.get(), digest.data(), &size) == 1);
    std::string text;
    for (unsigned i = 0; i < size; ++i) text += fmt::format("{:02x}", digest[i]);
    return text;
}

std::string sha256_text(std::string_view bytes) {
    Sha256 digest;
    digest.add(bytes);
    return digest.text();
}

}  // namespace kasc::runtime
