// Every way to record a run: the IPU Model, and an IPU (simulated) with each combination of counters. What each of them
// can know stands here by itself, so that the product's own tables are not asked.
#pragma once
#include <poplar/Device.hpp>
#include <poplar/OptionFlags.hpp>

#include <string>
#include <vector>

namespace identities {

struct Setup {
  std::string name;
  bool model = false; // IPU Model; otherwise an IPU with instrumentation
  std::string level;  // of computation; "" = no counters
  bool external = false, control = false;
  poplar::OptionFlags options() const;
  bool records() const { return model || !level.empty() || external || control; }
  // What is known afterwards.
  bool byVertex() const { return model || level == "vertex"; }
  bool byTile() const { return byVertex() || level == "tile"; }
  bool timed() const { return model || !level.empty(); } // when, and how long the longest tile took
  bool externalKnown() const { return model || external; }
  bool controlKnown() const { return model || control; }
};

/// The model, and levels off, device, ipu, tile, vertex with and without external exchange and control flow.
std::vector<Setup> allSetups();
/// Six of them, which have each of these at least once.
std::vector<Setup> fewSetups();

/// `tilesPerIpu` tiles of each of `ipus` IPUs of ipu1.
poplar::Device deviceOf(const Setup &setup, unsigned tilesPerIpu, unsigned ipus);

} // namespace identities
