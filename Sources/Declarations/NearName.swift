// SPDX-License-Identifier: MIT

internal import Expressions

extension Sequence<String> {
  /// The name that was probably meant by `word`. Nil where none is near, and where the reader has looked
  /// for too many already.
  package func nearest(to word: String, by reader: Reader) -> String? {
    nearest(to: word, comparisons: &reader.log.comparisons)
  }
}
