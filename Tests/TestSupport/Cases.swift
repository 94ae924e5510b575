// SPDX-License-Identifier: MIT

internal import Foundation

/// The random cases of a law that a run of the tests tries: a tenth of them, which finds frequent errors, or
/// with ROUNDEL_CASES=all in the environment each.
package enum Cases {
  private static let areAll = ProcessInfo.processInfo.environment["ROUNDEL_CASES"] == "all"

  /// The cases to try of `count`; at least one.
  package static func of(_ count: Int) -> Range<Int> {
    0..<(areAll ? count : max((count + 9) / 10, 1))
  }
}
