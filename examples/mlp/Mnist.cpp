#include "Mnist.hpp"

#include <cstdint>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace {

[[noreturn]] void fail(const std::string &path, const std::string &problem) {
  throw std::runtime_error("MNIST file " + path + ": " + problem);
}

/// The content of an IDX file: a big-endian magic number, one size per dimension, then bytes.
struct IdxFile {
  std::vector<std::uint32_t> sizes;
  std::vector<unsigned char> data;
};

std::uint32_t bigEndian(const unsigned char *p) {
  return std::uint32_t(p[0]) << 24 | std::uint32_t(p[1]) << 16 | std::uint32_t(p[2]) << 8 | p[3];
}

IdxFile readIdx(const std::string &path, unsigned dimensions) {
  std::ifstream in(path, std::ios::binary);
  if (!in)
    fail(path, "cannot be opened; unpack the .gz files into the folder given to --data");
  std::vector<unsigned char> bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (bytes.size() >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b)
    fail(path, "is compressed; unpack it with gunzip");
  const std::size_t header = 4 + 4 * dimensions;
  if (bytes.size() < header)
    fail(path, "has " + std::to_string(bytes.size()) + " bytes, too few for its header of " + std::to_string(header));
  const std::uint32_t wanted = 0x0800 + dimensions; // unsigned bytes, `dimensions` dimensions
  if (bigEndian(bytes.data()) != wanted)
    fail(path, "begins with " + std::to_string(bigEndian(bytes.data())) + " where an IDX file of " +
                   std::to_string(dimensions) + "-dimensional bytes begins with " + std::to_string(wanted));
  IdxFile file;
  std::uint64_t count = 1;
  for (unsigned d = 0; d < dimensions; ++d) {
    file.sizes.push_back(bigEndian(&bytes[4 + 4 * d]));
    count *= file.sizes.back();
    // The loop checks the product here as well, so that the product of three 32-bit sizes cannot wrap round.
    if (count > bytes.size())
      break;
  }
  if (count != bytes.size() - header)
    fail(path, "holds " + std::to_string(bytes.size() - header) + " bytes of data, which is not what its header says");
  file.data.assign(bytes.begin() + std::ptrdiff_t(header), bytes.end());
  return file;
}

Digits readSet(const std::string &folder, const std::string &name) {
  const std::string imagePath = folder + "/" + name + "-images-idx3-ubyte";
  const std::string labelPath = folder + "/" + name + "-labels-idx1-ubyte";
  const IdxFile images = readIdx(imagePath, 3);
  const IdxFile labels = readIdx(labelPath, 1);
  if (images.sizes[1] != kImageSide || images.sizes[2] != kImageSide)
    fail(imagePath, "has images of " + std::to_string(images.sizes[1]) + " x " + std::to_string(images.sizes[2]) +
                        ", not 28 x 28");
  if (images.sizes[0] != labels.sizes[0])
    fail(labelPath,
         "has " + std::to_string(labels.sizes[0]) + " labels for " + std::to_string(images.sizes[0]) + " images");
  if (labels.sizes[0] == 0)
    fail(labelPath, "has no digits");
  Digits digits;
  digits.pixels.reserve(images.data.size());
  for (unsigned char pixel : images.data)
    digits.pixels.push_back(float(pixel) / 255.0f);
  for (unsigned char label : labels.data) {
    if (label >= kNumClasses)
      fail(labelPath, "has the label " + std::to_string(label) + "; labels are 0 to 9");
    digits.labels.push_back(label);
  }
  return digits;
}

} // namespace

DigitSets readMnist(const std::string &folder) {
  DigitSets sets;
  sets.training = readSet(folder, "train");
  sets.heldBack = readSet(folder, "t10k");
  return sets;
}
