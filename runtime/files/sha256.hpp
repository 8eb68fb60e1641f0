#pragma once
// SHA-256, by OpenSSL: where two texts must never be taken for one another, or bytes be proved to be those that were
// kept.

#include <memory>
#include <string>
#include <string_view>

struct evp_md_ctx_st;

namespace kasc::runtime {

class Sha256 {
public:
    Sha256();
    void add(std::string_view bytes);
    /// 64 hexadecimal digits of what was added so far.
    [[nodiscard]] std::string text() const;

private:
    struct Free {
        void operator()(evp_md_ctx_st* context) const;
    };
    std::unique_ptr<evp_md_ctx_st, Free> context_;
};

[[nodiscard]] std::string sha256_text(std::string_view bytes);

}  // namespace kasc::runtime
