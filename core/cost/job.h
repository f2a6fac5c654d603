// Everything a cost depends on besides the configuration.
#pragma once

#include "cost/training.h"
#include "model/layers.h"
#include "model/spec.h"
#include "topology/cluster.h"
#include "topology/network.h"

namespace nestplan {

struct Job {
  ModelSpec model;
  LayerChain chain;
  Accelerator accelerator;
  Network network;
  Training training;
  Stack stack;
};

}  // namespace nestplan
