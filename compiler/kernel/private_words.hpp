#pragma once
// Follows which words of its private arrays each thread has written or was given by another, in kernels that call no
// function of an author's (what those touch is known by patterns). A word that another thread takes must be there; what
// a thread without a partner would have taken is read by nobody.

#include <map>
#include <string>
#include <vector>

#include "kernel/findings.hpp"
#include "kernel/kernel.hpp"

namespace kasc::kernel {

class PrivateWords {
public:
    /// `findings` outlives it.
    PrivateWords(const Kernel& kernel, Findings& findings);

    struct Written {
        std::string array;
        long long words = 0;     ///< of a thread
        std::vector<bool> word;  ///< thread by thread
    };
    /// What threads have written of an array; null: it is none of these.
    [[nodiscard]] Written* find_array(const std::string& array);
    /// Another block of threads begins: nothing is written.
    void begin_block();
    void touch(Written& array, int thread, long long first, int words, bool writes);
    void exchange(const Exchange& exchange);

private:
    int threads_;
    std::map<std::string, Written> written_;
    Findings& findings_;
};

}  // namespace kasc::kernel
