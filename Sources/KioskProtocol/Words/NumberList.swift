// SPDX-License-Identifier: MIT

package import RoundelGeometry

/// Numbers separated by commas: `640,120`.
package struct NumberList: Sendable {
  package var numbers: [Double]

  package init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
    numbers = parts.compactMap { Double($0) }.filter(\.isFinite)
    guard numbers.count == parts.count else { return nil }
  }

  package var point: Point? { numbers.count == 2 ? Point(numbers[0], numbers[1]) : nil }
}
