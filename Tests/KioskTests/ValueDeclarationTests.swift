// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelExpressions
import Kiosk
import Testing

@Suite struct ValueDeclarationTests {
  /// The expected value by integer arithmetic: the nearest step, halves away from 0, and at most
  /// the last step below the maximum.
  private func expected(_ value: Int, _ minimum: Int?, _ maximum: Int?, _ step: Int) -> Int {
    func floor(_ a: Int, _ b: Int) -> Int { a >= 0 ? a / b : -((-a + b - 1) / b) }
    let origin = minimum ?? 0
    let distance = value - origin
    let nearest = (2 * abs(distance) + step) / (2 * step) * (distance < 0 ? -1 : 1)
    let count = min(nearest, maximum.map { floor($0 - origin, step) } ?? .max)
    return max(origin + count * step, minimum ?? .min)
  }

  @Test func `numbers are rounded like exact decimals`() {
    var random = SplitMix64(seed: 3)
    for _ in 0..<126_000 {
      let digits = Int.random(in: 0...6, using: &random)
      let power = [1.0, 10, 100, 1_000, 10_000, 100_000, 1_000_000][digits]
      let minimum = Bool.random(using: &random) ? Int.random(in: -500...500, using: &random) : nil
      let step = Int.random(in: 1...200, using: &random)
      let maximum =
        Bool.random(using: &random)
        ? (minimum ?? 0) + Int.random(in: 0...1_000, using: &random) : nil
      let value = Int.random(in: -1_500...2_500, using: &random)
      let declaration = ValueDeclaration(
        name: "v", initial: .number(0), minimum: minimum.map { Double($0) / power },
        maximum: maximum.map { Double($0) / power }, step: Double(step) / power)
      let number = Double(expected(value, minimum, maximum, step)) / power
      #expect(
        declaration.fitted(.number(Double(value) / power)) == .number(number),
        "\(value) \(minimum ?? 0) \(maximum ?? 0) \(step) / \(power)")
    }
  }

  @Test func `a number with too many steps isn't rounded`() {
    for (value, step) in [(1e300, 1e-9), (-1e308, 0.1), (1e17, 0.1), (3, 0), (3, -1), (3, .nan)] {
      let declaration = ValueDeclaration(name: "v", initial: .number(0), step: step)
      #expect(declaration.fitted(.number(value)) == .number(value))
    }
  }
}
