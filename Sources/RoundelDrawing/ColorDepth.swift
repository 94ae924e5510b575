// SPDX-License-Identifier: MIT

/// The bits of red, green and blue that a panel displays.
public struct ColorDepth: Hashable, Sendable, CustomStringConvertible {
  package let red: Int
  package let green: Int
  package let blue: Int

  /// Returns nil if `all` doesn't contain a depth of `bits` in total.
  public init?(bits: Int) {
    guard let depth = Self.all.first(where: { $0.bits == bits }) else { return nil }
    self = depth
  }

  private init(_ red: Int, _ green: Int, _ blue: Int) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  /// The depths of existing panels.
  public static let all = [
    ColorDepth(3, 3, 2), ColorDepth(4, 4, 4), ColorDepth(5, 5, 5), ColorDepth(5, 6, 5),
    ColorDepth(6, 6, 6), ColorDepth(8, 8, 8), ColorDepth(10, 10, 10),
  ]

  /// The total number of bits.
  public var bits: Int { red + green + blue }

  /// The total number of bits.
  public var description: String { "\(bits)" }
}
