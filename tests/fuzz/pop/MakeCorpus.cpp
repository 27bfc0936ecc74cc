// fuzz_pop_corpus FOLDER: writes the corpus as files, for the fuzzer to start from.
#include "tests/fuzz/pop/Corpus.hpp"

#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>

int main(int argc, char **argv) {
  if (argc != 2) {
    std::fputs("usage: fuzz_pop_corpus FOLDER\n", stderr);
    return 2;
  }
  try {
    const std::filesystem::path folder = argv[1];
    std::filesystem::create_directories(folder);
    for (const auto &sample : fuzz::makeCorpus(folder.string()))
      std::ofstream(folder / (sample.name + ".pop"), std::ios::binary) << sample.bytes;
    std::filesystem::remove(folder / "sample.pop");
    return 0;
  } catch (const std::exception &e) {
    std::fprintf(stderr, "fuzz_pop_corpus: %s\n", e.what());
    return 2;
  }
}
