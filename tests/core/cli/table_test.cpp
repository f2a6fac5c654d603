#include "cli/table.h"

#include <gtest/gtest.h>

namespace nestplan {
namespace {

TEST(Table, AlignsCharactersNotBytes) {
  EXPECT_EQ(table_text({{"a", "1"}, {"b·c", "20"}}, "lr"), "  a     1\n  b·c  20\n");
}

TEST(Table, NoLineEndsInSpaces) {
  EXPECT_EQ(table_text({{"a", ""}, {"b", "longer"}}, "ll", ""), "a\nb  longer\n");
}

}  // namespace
}  // namespace nestplan
