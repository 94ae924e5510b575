// SPDX-License-Identifier: MIT

internal import Foundation

/// The number of random cases of a law: a tenth, which finds frequent errors, or all if
/// ROUNDEL_CASES=all is set in the environment.
package enum Cases {
  private static let areAll = ProcessInfo.processInfo.environment["ROUNDEL_CASES"] == "all"

  /// The cases out of `count` to try; at least one.
  package static func of(_ count: Int) -> Range<Int> {
    0..<(areAll ? count : max((count + 9) / 10, 1))
  }
}
