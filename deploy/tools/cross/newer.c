// SPDX-License-Identifier: MIT
// Functions of glibc 2.38 that the Swift library of Debian sid calls, by those of glibc 2.36, which Debian 12 has.

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t strlcpy(char *restrict target, const char *restrict source, size_t size) {
  size_t length = strlen(source);
  if (size > 0) {
    size_t copied = length < size ? length : size - 1;
    memcpy(target, source, copied);
    target[copied] = 0;
  }
  return length;
}

// Those of C23 also take binary numbers, 0b1, which nothing here reads.
long __isoc23_strtol(const char *text, char **end, int base) {
  return strtol(text, end, base);
}

long long __isoc23_strtoll(const char *text, char **end, int base) {
  return strtoll(text, end, base);
}

int __isoc23_sscanf(const char *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int count = vsscanf(text, format, arguments);
  va_end(arguments);
  return count;
}
