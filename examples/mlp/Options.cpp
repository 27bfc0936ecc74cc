#include "Options.hpp"

#include <limits>
#include <stdexcept>

namespace {

unsigned parseNumber(const std::string &option, const std::string &text, unsigned low) {
  std::uint64_t value = 0;
  bool good = !text.empty() && text.size() <= 10;
  for (char c : text) {
    good = good && c >= '0' && c <= '9';
    value = value * 10 + std::uint64_t(c - '0');
    if (!good)
      break;
  }
  if (!good || value < low || value > std::numeric_limits<unsigned>::max())
    throw std::invalid_argument(option + " takes a whole number from " + std::to_string(low) + " to " +
                                std::to_string(std::numeric_limits<unsigned>::max()) + ", not '" + text + "'");
  return unsigned(value);
}

} // namespace

Options parseOptions(int argc, char **argv) {
  Options options;
  options.codelets = MLP_CODELETS;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    const auto value = [&]() -> std::string {
      if (i + 1 == argc)
        throw std::invalid_argument(option + " needs a value after it");
      return argv[++i];
    };
    if (option == "--data")
      options.dataFolder = value();
    else if (option == "--codelets")
      options.codelets = value();
    else if (option == "--epochs")
      options.epochs = parseNumber(option, value(), 1);
    else if (option == "--batches-per-run")
      options.batchesPerRun = parseNumber(option, value(), 1);
    else if (option == "--seed")
      options.seed = parseNumber(option, value(), 0);
    else if (option == "--summary" || option == "--no-summary")
      options.summary = option == "--summary";
    else if (option == "--show-steps" || option == "--no-show-steps")
      options.steps = option == "--show-steps";
    else if (option == "--split-backward")
      options.splitBackward = true;
    else if (option == "--write-undef")
      options.writeUndef = true;
    else if (option == "--help" || option == "-h")
      options.help = true;
    else
      throw std::invalid_argument("unknown argument '" + option + "'; --help lists the options");
  }
  return options;
}

std::string usage(const std::string &program) {
  return "usage: " + program +
         " [options]\n"
         "Trains a 784-30-10 perceptron on a modelled IPU and prints where its memory and cycles go.\n\n"
         "  --data DIR            read the MNIST digits (unpacked IDX files) from DIR; default: generated digits\n"
         "  --epochs N            times through the training digits (default 3)\n"
         "  --batches-per-run N   batches of 16 digits in one engine run (default 5)\n"
         "  --seed N              seed of the generated digits, the first weights and the order of training (default "
         "1)\n"
         "  --split-backward      find the hidden units' errors in two compute sets, a part of the batch each\n"
         "  --write-undef         declare the errors undefined before these compute sets; without this flag, the old\n"
         "                        errors stay live, because each compute set writes only a part\n"
         "  --codelets FILE       the vertices' source (default: as built)\n"
         "  --summary, --no-summary            print the profile summary at the end (default: yes)\n"
         "  --show-steps, --no-show-steps      with variable liveness and execution steps (default: yes)\n"
         "Exit: 0 done, 1 at most 90 % of the held-back digits named correctly, 2 wrong usage or data.\n";
}
