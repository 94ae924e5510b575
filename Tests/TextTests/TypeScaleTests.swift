// SPDX-License-Identifier: MIT

import Testing

@testable import RoundelText

@Suite struct TypeScaleTests {
  @Test func `a type scale descends in equal steps to its minimum`() {
    let sizes = Array(TypeScale(from: 44, to: 22))
    #expect(sizes.first == 44 && sizes.last == 22 && sizes.count == 7)
    for (larger, smaller) in zip(sizes, sizes.dropFirst()) {
      #expect(abs(smaller / larger - TypeScale.step) < 0.001)
    }
    #expect(Array(TypeScale(from: 10, to: 22)) == [10])
  }

  @Test func `a single long word, or a quarter of many, doesn't shrink the rest`() {
    #expect(TypeScale.Shared([40, 8, 40]).size == 40)
    #expect(TypeScale.Shared([40, 36, 8]).size == 36)
    #expect(TypeScale.Shared([10, 10, 30, 30, 30, 30, 30, 40]).size == 30)
    #expect(TypeScale.Shared([20, 20, 20, 30, 30, 30, 30, 40]).size == 20)
  }

  @Test func `long words shrink together unless the rest would halve`() {
    let mixed = TypeScale.Shared([11, 14, 14, 30, 30, 30])
    #expect(mixed.size == 30 && mixed.smaller == 14)
  }

  @Test func `short words among long ones are larger, but not as large as alone`() {
    let long = TypeScale.Shared([10, 10, 10, 10, 10, 10, 30, 40])
    #expect(long.smaller == 10 && abs(long.size - 14.14) < 0.01)
    // If there are more of them, or the difference is smaller, all have one size.
    #expect(TypeScale.Shared([10, 10, 10, 10, 10, 30, 30, 40]).size == 10)
    let even = TypeScale.Shared([14, 14, 14, 14, 14, 14, 30, 30])
    #expect(even.smaller == 14 && even.size == 14)
  }

  @Test func `one or two labels get a size that fits all`() {
    #expect(TypeScale.Shared([12]).size == 12)
    #expect(TypeScale.Shared([40, 12]).size == 12)
  }

  @Test func `words that are too long share one size, except the longest`() {
    let many = [30.0, 30, 30, 30, 30, 30, 30, 30, 30]
    #expect(TypeScale.Shared(many).smaller == 30)
    #expect(TypeScale.Shared(many + [24, 20, 22]).smaller == 20)
    #expect(TypeScale.Shared(many + [24, 8, 22]).smaller == 22)
  }
}
