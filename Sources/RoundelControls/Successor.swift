// SPDX-License-Identifier: MIT

extension Array where Element: Equatable {
  /// Returns the index of `old[index]` in this array: the same index if equal, otherwise the first.
  func successor(of index: Int, in old: [Element]) -> Int? {
    guard old.indices.contains(index) else { return nil }
    if indices.contains(index), self[index] == old[index] { return index }
    return firstIndex(of: old[index])
  }
}

extension Array {
  func differ(from old: [Element], _ differ: (Element, Element) -> Bool) -> Bool {
    count != old.count || zip(self, old).contains(where: differ)
  }
}
