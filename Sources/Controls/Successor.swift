// SPDX-License-Identifier: MIT

extension Array where Element: Equatable {
  /// The index at which this holds what `old` holds at `index`: the same one, or else the first; nil
  /// where it holds no such thing.
  func successor(of index: Int, in old: [Element]) -> Int? {
    guard old.indices.contains(index) else { return nil }
    if indices.contains(index), self[index] == old[index] { return index }
    return firstIndex(of: old[index])
  }
}
