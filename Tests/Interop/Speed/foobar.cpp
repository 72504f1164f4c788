// FooBarWidget's multipart-parser, timed over the messages of a file.
//
//     peer-foobar FILE BOUNDARY MESSAGE_BYTES RUNS
//
// Prints one JSON object: the parts of a run, and the time of each run in nanoseconds. The first run is not timed.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "MultipartParser.h"

namespace {

constexpr std::size_t chunkLength = 64 * 1024;

// What the callbacks have seen. The parser hands out header fields as they are: it does not look for names.
struct Seen {
    long parts = 0;
    std::size_t headerBytes = 0;
    std::size_t contentBytes = 0;
    bool ended = false;
};

long parse(const char *message, std::size_t length, const std::string &boundary, Seen &seen) {
    MultipartParser parser(boundary);
    parser.userData = &seen;
    parser.onPartBegin = [](const char *, std::size_t, std::size_t, void *seen) { static_cast<Seen *>(seen)->parts++; };
    parser.onHeaderField = parser.onHeaderValue = [](const char *, std::size_t start, std::size_t end, void *seen) {
        static_cast<Seen *>(seen)->headerBytes += end - start;
    };
    parser.onPartData = [](const char *, std::size_t start, std::size_t end, void *seen) {
        static_cast<Seen *>(seen)->contentBytes += end - start;
    };
    parser.onEnd = [](const char *, std::size_t, std::size_t, void *seen) { static_cast<Seen *>(seen)->ended = true; };
    seen.ended = false;
    for (std::size_t start = 0; start < length; start += chunkLength) {
        parser.feed(message + start, std::min(chunkLength, length - start));
    }
    // `succeeded()` is false for a message with a line break after the close delimiter, which is read and then left.
    if (!seen.ended) {
        std::fprintf(stderr, "%s\n", parser.getErrorMessage());
        std::exit(1);
    }
    return seen.parts;
}

}  // namespace

int main(int count, char **arguments) {
    if (count != 5) return 2;
    std::ifstream file(arguments[1], std::ios::binary);
    std::vector<char> data((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    std::string boundary = std::string(arguments[2]);
    std::size_t length = std::strtoull(arguments[3], nullptr, 10);
    int runs = std::atoi(arguments[4]);
    long parts = 0;
    std::string times;
    for (int run = 0; run <= runs; run++) {
        Seen seen;
        auto start = std::chrono::steady_clock::now();
        for (std::size_t at = 0; at < data.size(); at += length) {
            parse(data.data() + at, std::min(length, data.size() - at), boundary, seen);
        }
        auto time = std::chrono::steady_clock::now() - start;
        parts = seen.parts;
        if (run == 0) continue;
        auto nanoseconds = std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
        times += (times.empty() ? "" : ", ") + std::to_string(nanoseconds);
    }
    std::printf("{\"parts\": %ld, \"ns\": [%s]}\n", parts, times.c_str());
}
