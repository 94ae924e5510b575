// SPDX-License-Identifier: MIT

print("roundel")
