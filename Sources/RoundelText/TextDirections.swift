// SPDX-License-Identifier: MIT

internal import CRoundelFriBidi

/// Directions by the Unicode Bidirectional Algorithm (UAX #9, FriBidi).
struct TextDirections {
  /// The level of each scalar: even is left to right, odd right to left.
  let levels: [UInt8]
  /// The paragraph's level, 0 or 1.
  let base: UInt8

  /// - Parameters:
  ///   - letters: A paragraph, without the line break at its end.
  ///   - base: The paragraph's level. Nil for the level of its first scalar with a direction, or
  ///     left to right if there isn't one.
  init(of letters: [Unicode.Scalar], base: UInt8? = nil) {
    let codes = letters.map(\.value)
    let count = FriBidiStrIndex(codes.count)
    guard count > 0 else {
      self.levels = []
      self.base = base ?? 0
      return
    }
    var types = [FriBidiCharType](repeating: FRIBIDI_TYPE_ON, count: codes.count)
    var brackets = [FriBidiBracketType](repeating: 0, count: codes.count)
    var levels = [FriBidiLevel](repeating: 0, count: codes.count)
    let type = base.map { $0 == 0 ? FRIBIDI_TYPE_LTR : FRIBIDI_TYPE_RTL } ?? FRIBIDI_TYPE_ON
    // A paragraph type has the same value as the corresponding character type.
    var direction = FriBidiParType(rawValue: type.rawValue)
    // Each array has one element per scalar.
    unsafe fribidi_get_bidi_types(codes, count, &types)
    unsafe fribidi_get_bracket_types(codes, count, types, &brackets)
    // If allocation fails, the result is 0 and the levels remain 0.
    _ = unsafe fribidi_get_par_embedding_levels_ex(types, brackets, count, &direction, &levels)
    // Scalars that may be removed have negative levels.
    self.levels = levels.map { UInt8(max($0, 0)) }
    self.base = base ?? (direction.rawValue & UInt32(FRIBIDI_MASK_RTL) != 0 ? 1 : 0)
  }

  /// Returns the visual order of parts of a line, from left to right (UAX #9, L2).
  static func visualOrder(_ levels: [UInt8]) -> [Int] {
    var order = levels.indices.map { FriBidiStrIndex($0) }
    guard levels.contains(where: { $0 > 0 }) else { return Array(levels.indices) }
    var levels = levels.map { FriBidiLevel($0) }
    let types = [FriBidiCharType](repeating: FRIBIDI_TYPE_ON, count: levels.count)
    let direction = FriBidiParType(rawValue: FRIBIDI_TYPE_LTR.rawValue)
    // Each array has one element per level.
    _ = unsafe fribidi_reorder_line(
      0, types, FriBidiStrIndex(levels.count), 0, direction, &levels, nil, &order)
    return order.map { Int($0) }
  }
}
