// SPDX-License-Identifier: MIT

internal import CThai

/// Where words begin in Thai, which puts no spaces between them. (libthai)
struct ThaiWords {
  /// Places in the letters.
  let starts: [Int]

  /// Its dictionary takes 0.5 MB; it is read when the first Thai text is set. Nil where it is not installed.
  // Safe: it is made once, never freed, and does not change when it is asked.
  private nonisolated(unsafe) static let breaker = unsafe th_brk_new(nil)

  init(of letters: [Unicode.Scalar]) {
    guard letters.contains(where: \.isThai), let breaker = unsafe Self.breaker else {
      starts = []
      return
    }
    // libthai's texts end with a zero.
    let codes = letters.map { $0 == "\0" ? 0x20 : thwchar_t($0.value) } + [0]
    var places = [Int32](repeating: 0, count: letters.count)
    // It writes at most as many places as there is room for.
    let count = unsafe th_brk_wc_find_breaks(breaker, codes, &places, places.count)
    starts = places.prefix(max(Int(count), 0)).map(Int.init).filter { place in
      // Beside other letters the rules of Unicode count.
      letters.indices.contains(place) && place > 0 && letters[place].isThai
        && letters[place - 1].isThai
    }
  }
}

extension Unicode.Scalar {
  /// Whether it is a letter or mark of Thai.
  fileprivate var isThai: Bool { (0xe01...0xe4e).contains(value) && value != 0xe3f }
}
