// SPDX-License-Identifier: MIT

import Testing

@testable import Text

@Suite struct TypeScaleTests {
  @Test func `a scale goes down in equal steps and ends at its minimum`() {
    let sizes = Array(TypeScale(from: 44, to: 22))
    #expect(sizes.first == 44 && sizes.last == 22 && sizes.count == 7)
    for (larger, smaller) in zip(sizes, sizes.dropFirst()) {
      #expect(abs(smaller / larger - TypeScale.step) < 0.001)
    }
    #expect(Array(TypeScale(from: 10, to: 22)) == [10])
  }

  @Test func `one long word of three does not shrink the others, nor a quarter of many`() {
    #expect(TypeScale.Shared([40, 8, 40]).size == 40)
    #expect(TypeScale.Shared([40, 36, 8]).size == 36)
    #expect(TypeScale.Shared([10, 10, 30, 30, 30, 30, 30, 40]).size == 30)
    #expect(TypeScale.Shared([20, 20, 20, 30, 30, 30, 30, 40]).size == 20)
  }

  @Test func `long words are small together where the others need not be half as small`() {
    let mixed = TypeScale.Shared([11, 14, 14, 30, 30, 30])
    #expect(mixed.size == 30 && mixed.smaller == 14)
  }

  @Test func `short words among long ones are larger, but not as large as alone`() {
    let long = TypeScale.Shared([10, 10, 10, 10, 10, 10, 30, 40])
    #expect(long.smaller == 10 && abs(long.size - 14.14) < 0.01)
    // Where there are more of them, or where they need not be as small, all have one size.
    #expect(TypeScale.Shared([10, 10, 10, 10, 10, 30, 30, 40]).size == 10)
    let even = TypeScale.Shared([14, 14, 14, 14, 14, 14, 30, 30])
    #expect(even.smaller == 14 && even.size == 14)
  }

  @Test func `one or two texts have a size at which each fits`() {
    #expect(TypeScale.Shared([12]).size == 12)
    #expect(TypeScale.Shared([40, 12]).size == 12)
  }

  @Test func `words that are too long have one size, but for those that would make it small`() {
    let many = [30.0, 30, 30, 30, 30, 30, 30, 30, 30]
    #expect(TypeScale.Shared(many).smaller == 30)
    #expect(TypeScale.Shared(many + [24, 20, 22]).smaller == 20)
    #expect(TypeScale.Shared(many + [24, 8, 22]).smaller == 22)
  }
}
