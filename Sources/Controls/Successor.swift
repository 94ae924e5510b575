// SPDX-License-Identifier: MIT

extension Array where Element: Equatable {
  /// The index of `old[index]` in this array: the same one if equal, otherwise the first. Nil where it
  /// is missing.
  func successor(of index: Int, in old: [Element]) -> Int? {
    guard old.indices.contains(index) else { return nil }
    if indices.contains(index), self[index] == old[index] { return index }
    return firstIndex(of: old[index])
  }
}

extension Array {
  /// Whether there are more or fewer elements than in another array, or two of one place that differ.
  func differ(from old: [Element], _ differ: (Element, Element) -> Bool) -> Bool {
    count != old.count || zip(self, old).contains(where: differ)
  }
}
