// CHECK(condition, "what was broken") throws std::logic_error in every build: a broken invariant is
// a defect of ours, never of the input.
#pragma once

#include <stdexcept>
#include <string>

namespace nestplan {
[[noreturn]] inline void fail_check(const char* condition, const char* message) {
  throw std::logic_error(std::string("broken invariant: ") + condition + ": " + message);
}
}  // namespace nestplan

#define CHECK(condition, message) \
  ((condition) ? static_cast<void>(0) : ::nestplan::fail_check(#condition, message))
