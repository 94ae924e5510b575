// SPDX-License-Identifier: MIT

internal import Foundation

/// The random cases of a law that a run of the tests tries: a part of them, which finds frequent errors, or with
/// ROUNDEL_CASES=all in the environment each.
package enum Cases {
  private static let areAll = ProcessInfo.processInfo.environment["ROUNDEL_CASES"] == "all"

  /// Of `count` cases, those that are tried: one in `share`, at least one.
  package static func of(_ count: Int, oneIn share: Int = 3) -> Range<Int> {
    0..<(areAll ? count : max((count + share - 1) / share, 1))
  }
}
