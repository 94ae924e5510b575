// SPDX-License-Identifier: MIT

internal import CRoundelThai

/// The starts of words in Thai, which is written without spaces (libthai).
struct ThaiWords {
  /// Indices of scalars.
  let starts: [Int]

  /// The dictionary, or nil if it isn't installed. It takes 0.5 MB, and is loaded for the first
  /// Thai text.
  // Safe: created once, never freed, and not changed by queries.
  private nonisolated(unsafe) static let breaker = unsafe th_brk_new(nil)

  init(of letters: [Unicode.Scalar]) {
    guard letters.contains(where: \.isThai), let breaker = unsafe Self.breaker else {
      starts = []
      return
    }
    // libthai expects a zero at the end.
    let codes = letters.map { $0 == "\0" ? 0x20 : thwchar_t($0.value) } + [0]
    var places = [Int32](repeating: 0, count: letters.count)
    // libthai writes at most as many positions as there is space for.
    let count = unsafe th_brk_wc_find_breaks(breaker, codes, &places, places.count)
    starts = places.prefix(max(Int(count), 0)).map(Int.init).filter { place in
      // Next to other characters, the Unicode rules apply.
      letters.indices.contains(place) && place > 0 && letters[place].isThai
        && letters[place - 1].isThai
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isThai: Bool { (0xe01...0xe4e).contains(value) && value != 0xe3f }
}
