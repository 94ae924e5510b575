// SPDX-License-Identifier: MIT

import RoundelControls
import TestSupport
import Testing

@Suite struct ScaleTests {
  /// Multiples of the smallest decimal (10⁰ to 10⁻⁶) that a scale and a number share.
  private struct Decimals {
    var power: Double
    var minimum: Int
    var maximum: Int
    var step: Int

    init(using random: inout SeededGenerator) {
      power = [1.0, 10, 100, 1_000, 10_000, 100_000, 1_000_000].randomElement(using: &random) ?? 1
      minimum = Int.random(in: -2_000...2_000, using: &random)
      step = Int.random(in: 1...500, using: &random)
      maximum = minimum + step + Int.random(in: 0...5_000, using: &random)
    }

    func number(_ value: Int) -> Double { Double(value) / power }
  }

  @Test func `a scale ends at its last step not above the maximum`() throws {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<20_000 {
      let whole = Decimals(using: &random)
      let scale = try #require(
        Scale(
          from: whole.number(whole.minimum), to: whole.number(whole.maximum),
          step: whole.number(whole.step)))
      let last = (whole.maximum - whole.minimum) / whole.step
      #expect(scale.lastIndex == last, "\(whole)")
      #expect(scale.value(at: last) == whole.number(whole.minimum + last * whole.step), "\(whole)")
    }
  }

  @Test func `rounding to a step is decimal, and halves round up`() throws {
    var random = SeededGenerator(seed: 2)
    for _ in 0..<20_000 {
      let whole = Decimals(using: &random)
      let scale = try #require(
        Scale(
          from: whole.number(whole.minimum), to: whole.number(whole.maximum),
          step: whole.number(whole.step)))
      let value = Int.random(in: whole.minimum...whole.maximum, using: &random)
      let nearest = (2 * (value - whole.minimum) + whole.step) / (2 * whole.step)
      #expect(
        scale.index(of: whole.number(value)) == min(nearest, scale.lastIndex), "\(whole) \(value)")
    }
  }

  @Test func `a scale finds the index of each of its values`() throws {
    for (low, high, step) in [(0.0, 1, 1 / 3.0), (0, 0.3, 0.1), (-0.7, 34.9, 0.1), (1, 8, 0.7)] {
      let scale = try #require(Scale(from: low, to: high, step: step))
      for index in 0...scale.lastIndex {
        #expect(scale.index(of: scale.value(at: index)) == index, "\(step) \(index)")
      }
    }
  }

  @Test func `an end just below a step excludes that step`() {
    #expect(Scale(from: 0, to: 9.9999999, step: 1)?.lastIndex == 9)
    #expect(Scale(from: 0, to: 34.9, step: 0.1)?.lastIndex == 349)
  }
}
