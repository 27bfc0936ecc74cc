// Every way to record a run: the IPU Model, and an IPU (simulated) with each combination of counters. This file states
// what each way can know, without using the product's tables.
#pragma once
#include <poplar/Device.hpp>
#include <poplar/OptionFlags.hpp>

#include <string>
#include <vector>

namespace identities {

struct Setup {
  std::string name;
  bool model = false; // IPU Model; otherwise an IPU with instrumentation
  std::string level;  // level of compute counters; "" = no counters
  bool external = false, control = false;
  poplar::OptionFlags options() const;
  bool records() const { return model || !level.empty() || external || control; }
  // The figures that a recording with this setup contains.
  bool byVertex() const { return model || level == "vertex"; }
  bool byTile() const { return byVertex() || level == "tile"; }
  bool timed() const { return model || !level.empty(); } // when a step ran, and how long its slowest tile took
  bool externalKnown() const { return model || external; }
  bool controlKnown() const { return model || control; }
};

/// Returns setups for the model and for devices. The setups for devices combine the levels off, device, ipu, tile and
/// vertex with and without counters of external exchange and of control flow.
std::vector<Setup> allSetups();
/// Returns six setups in which each of these choices occurs at least once.
std::vector<Setup> fewSetups();

/// Returns a device with `ipus` IPUs of ipu1 and `tilesPerIpu` tiles each.
poplar::Device deviceOf(const Setup &setup, unsigned tilesPerIpu, unsigned ipus);

} // namespace identities
