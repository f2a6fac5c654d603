// How far a measured step may lie from the predicted one.
#pragma once

namespace nestplan {

// Nine of ten calibration runs were within 14 % (the 90th percentile of the absolute error over the
// 577 published runs that the cost model was fitted to).
constexpr double kBandLow = 0.86;   // measured / predicted
constexpr double kBandHigh = 1.14;  // measured / predicted

}  // namespace nestplan
