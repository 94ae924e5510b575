// SPDX-License-Identifier: MIT

internal import Glibc

/// The variables that the process was started with.
package enum Environment {
  /// The text of a variable; nil where there is none of that name. Nothing changes them while the loop runs.
  package static func variable(_ name: String) -> String? {
    // The text is copied before anything else can change it.
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }

  /// Keeps variables from the programs that this one starts.
  package static func remove(_ names: [String]) {
    // Before any thread is started that could read them.
    for name in names { unsafe unsetenv(name) }
  }
}
