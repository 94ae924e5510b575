// SPDX-License-Identifier: MIT

internal import Glibc

/// The environment variables of the process.
package enum Environment {
  /// The value of a variable, or nil if it isn't set. Variables never change while the loop runs.
  package static func variable(_ name: String) -> String? {
    // The value is copied before anything else can change it.
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }

  /// Removes variables, so that child processes don't inherit them.
  package static func remove(_ names: [String]) {
    // Called before any thread that could read them is started.
    for name in names { unsafe unsetenv(name) }
  }
}
