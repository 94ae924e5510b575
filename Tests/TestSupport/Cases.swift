// SPDX-License-Identifier: MIT

internal import Foundation

/// The random cases of a law that a run of the tests tries: a third of them, which finds what is often wrong,
/// or with ROUNDEL_CASES=all in the environment each.
package enum Cases {
  private static let areAll = ProcessInfo.processInfo.environment["ROUNDEL_CASES"] == "all"

  /// Of `count` cases, those that are tried; at least one.
  package static func of(_ count: Int) -> Range<Int> {
    0..<(areAll ? count : max((count + 2) / 3, 1))
  }
}
