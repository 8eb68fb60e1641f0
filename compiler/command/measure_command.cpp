// kasc measure JOB.json: started by kasc tune, for nobody else.
#include <cstdio>
#include <fstream>
#include <sstream>

#include "command/exit.hpp"
#include "runtime/measure.hpp"

namespace kasc::command {

int measure_command(const std::string& job_file) {
    std::ifstream in(job_file, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    const auto job = runtime::job_from_json(text.str());
    if (!job) return call_at_fault;
    runtime::measure(*job, [](const runtime::MeasureEvent& event) {
        const std::string line = to_json(event) + "\n";
        std::fwrite(line.data(), 1, line.size(), stdout);
        std::fflush(stdout);  // the parent must know it even if this process ends now
    });
    return good;
}

}  // namespace kasc::command
