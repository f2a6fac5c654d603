// Bad input: every fault found, each with the place, what was found and what is allowed.
#pragma once

#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace nestplan {

struct Issue {
  std::string path;     // JSON Pointer, "" for the whole document
  std::string code;     // stable, kebab-case: "out-of-range", "unknown-key", ...
  std::string message;  // what was found, what is allowed, the unit
  std::string hint;     // optional: a legal value or where to look
};

// The only exception a caller expects.
class InputError : public std::exception {
 public:
  explicit InputError(std::vector<Issue> issues) : issues_(std::move(issues)) {
    for (const Issue& issue : issues_) {
      if (!text_.empty()) text_ += "\n";
      text_ += issue.path + ": " + issue.message;
    }
  }
  [[nodiscard]] const std::vector<Issue>& issues() const { return issues_; }
  [[nodiscard]] const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::vector<Issue> issues_;
  std::string text_;
};

}  // namespace nestplan
