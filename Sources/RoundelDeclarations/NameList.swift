// SPDX-License-Identifier: MIT

extension [String] {
  private static let maximumAlternatives = 24
  private static let maximumAlternativesBytes = 600

  /// `a, b or c`. A long list is truncated.
  package var alternatives: String {
    var bytes = 0
    let short = prefix(Self.maximumAlternatives).prefix { name in
      bytes += name.utf8.count
      return bytes <= Self.maximumAlternativesBytes
    }
    guard count == short.count else {
      return short.joined(separator: ", ") + (short.isEmpty ? "…" : ", …")
    }
    guard count > 1, let last else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " or " + last
  }
}

extension Sequence<String> {
  /// The name probably meant by `word`, or nil: at most one typing error per three characters,
  /// ignoring case.
  package func nearest(to word: String) -> String? {
    var comparisons = 0
    return nearest(to: word, comparisons: &comparisons)
  }

  /// Returns at most three names like `word`, ignoring case, the most similar first.
  package func similar(to word: String) -> [String] {
    let word = word.lowercased()
    let limit = Swift.min(Swift.max(2, word.utf8.count / 3), 6)
    return filter { abs($0.utf8.count - word.utf8.count) <= limit }
      .map { (name: $0, distance: editDistance(word, $0.lowercased())) }
      .filter { $0.distance <= limit }
      .sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
      .prefix(3).map(\.name)
  }

  /// Nil after too many comparisons of characters: five million take some tens of milliseconds.
  package func nearest(to word: String, comparisons: inout Int) -> String? {
    guard word.utf8.count <= 64 else { return nil }
    let word = word.lowercased()
    let limit = Swift.max(1, word.count / 3)
    var nearest: (name: String, distance: Int)?
    for name in self {
      guard comparisons < 5_000_000 else { return nil }
      // Checking a name takes about as long as some comparisons.
      comparisons += 8
      guard name.utf8.count <= 4 * 64, abs(name.utf8.count - word.utf8.count) <= 4 * limit else {
        continue
      }
      comparisons += name.utf8.count * word.utf8.count
      let distance = editDistance(word, name.lowercased())
      guard distance <= limit, distance < name.count else { continue }
      if distance < nearest?.distance ?? .max { nearest = (name, distance) }
    }
    return nearest?.name
  }
}

/// The restricted Damerau–Levenshtein distance: insertions, deletions, substitutions, and swaps of
/// neighbours.
package func editDistance(_ a: String, _ b: String) -> Int {
  let (a, b) = (Array(a.unicodeScalars), Array(b.unicodeScalars))
  // Three rows of the table suffice, because a swap looks back two.
  var earlier: [Int] = []
  var previous = Array(0...b.count)
  for i in a.indices {
    var row = [i + 1]
    for j in b.indices {
      var best = Swift.min(previous[j + 1] + 1, row[j] + 1, previous[j] + (a[i] == b[j] ? 0 : 1))
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
        best = Swift.min(best, earlier[j - 1] + 1)
      }
      row.append(best)
    }
    (earlier, previous) = (previous, row)
  }
  return previous[b.count]
}
