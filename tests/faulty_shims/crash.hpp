// SPDX-License-Identifier: MIT
// A true segmentation fault, which no compiler foresees and no sanitizer calls undefined.
#pragma once

namespace fa2bench::faulty {

void touch_forbidden_page();

}  // namespace fa2bench::faulty
