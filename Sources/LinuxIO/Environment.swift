// SPDX-License-Identifier: MIT

internal import Glibc

package enum Environment {
  /// Variables never change while the loop runs.
  package static func variable(_ name: String) -> String? {
    // Copied before anything can change the value.
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }

  package static func remove(_ names: [String]) {
    // Called before the start of threads that could read them.
    for name in names { unsafe unsetenv(name) }
  }
}
