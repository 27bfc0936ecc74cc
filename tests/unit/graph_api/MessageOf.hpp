// The message of a refused call.
#pragma once

#include <string>

#include <poplar/exceptions.hpp>

/// Returns the message of the poplar_error that f throws, or "nothing thrown".
template <class F> std::string messageOf(F f) {
  try {
    f();
  } catch (const poplar::poplar_error &e) {
    return e.what();
  }
  return "nothing thrown";
}

inline bool mentions(const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; }
