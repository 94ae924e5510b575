// SPDX-License-Identifier: MIT

package import Geometry

/// Numbers with commas between them: `640,120`.
package struct NumberList: Sendable {
  package var numbers: [Double]

  package init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
    numbers = parts.compactMap { Double($0) }.filter(\.isFinite)
    guard numbers.count == parts.count else { return nil }
  }

  /// The place that two numbers stand for; nil for any other count.
  package var point: Point? { numbers.count == 2 ? Point(numbers[0], numbers[1]) : nil }
}
