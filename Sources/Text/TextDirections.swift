// SPDX-License-Identifier: MIT

internal import CFriBidi

/// In which direction the letters of a paragraph run, by the Unicode Bidirectional Algorithm (UAX #9).
/// (FriBidi)
struct TextDirections {
  /// One for each letter: even to the right, odd to the left.
  let levels: [UInt8]
  /// The paragraph's own: 0 or 1.
  let base: UInt8

  /// - Parameters:
  ///   - letters: a paragraph, without the line break at its end.
  ///   - base: the paragraph's level; nil for that of its first letter with a direction, and to the right
  ///     where there is none.
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
    // A paragraph's types are those of the letters that would give it its direction.
    var direction = FriBidiParType(rawValue: type.rawValue)
    // Each array has as many elements as there are letters.
    unsafe fribidi_get_bidi_types(codes, count, &types)
    unsafe fribidi_get_bracket_types(codes, count, types, &brackets)
    // Where there is no memory, the result is 0 and the levels remain 0.
    _ = unsafe fribidi_get_par_embedding_levels_ex(types, brackets, count, &direction, &levels)
    // Letters that may be removed have a level below 0.
    self.levels = levels.map { UInt8(max($0, 0)) }
    self.base = base ?? (direction.rawValue & UInt32(FRIBIDI_MASK_RTL) != 0 ? 1 : 0)
  }

  /// The order in which parts of a line stand from left to right, by their levels (UAX #9, L2).
  static func visualOrder(_ levels: [UInt8]) -> [Int] {
    var order = levels.indices.map { FriBidiStrIndex($0) }
    guard levels.contains(where: { $0 > 0 }) else { return Array(levels.indices) }
    var levels = levels.map { FriBidiLevel($0) }
    let types = [FriBidiCharType](repeating: FRIBIDI_TYPE_ON, count: levels.count)
    let direction = FriBidiParType(rawValue: FRIBIDI_TYPE_LTR.rawValue)
    // Each array has as many elements as there are levels.
    _ = unsafe fribidi_reorder_line(
      0, types, FriBidiStrIndex(levels.count), 0, direction, &levels, nil, &order)
    return order.map { Int($0) }
  }
}
