// fuzz_readers_seeds FOLDER: writes a valid file for each reader, FOLDER/<reader>/valid, with which its fuzzer begins.
#include "tests/fuzz/readers/Readers.hpp"

#include <filesystem>
#include <fstream>
#include <iostream>

int main(int count, char **words) {
  if (count != 2) {
    std::cerr << "usage: fuzz_readers_seeds FOLDER\n";
    return 2;
  }
  for (const fuzz::Reader &reader : fuzz::readers()) {
    const std::filesystem::path folder = std::filesystem::path(words[1]) / reader.name;
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "valid", std::ios::binary) << reader.valid();
  }
  return 0;
}
