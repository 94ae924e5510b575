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
    #expect(TypeScale.common([40, 8, 40]) == 40)
    #expect(TypeScale.common([40, 36, 8]) == 36)
    #expect(TypeScale.common([10, 10, 30, 30, 30, 30, 30, 40]) == 30)
    #expect(TypeScale.common([10, 10, 10, 30, 30, 30, 30, 40]) == 10)
  }

  @Test func `one or two texts have a size at which each fits`() {
    #expect(TypeScale.common([12]) == 12)
    #expect(TypeScale.common([40, 12]) == 12)
    #expect(TypeScale.common([]) == nil)
  }
}
