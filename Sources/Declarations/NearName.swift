// SPDX-License-Identifier: MIT

internal import Expressions

extension Sequence<String> {
  /// Returns nil if no name is similar, or the reader has made too many comparisons.
  package func nearest(to word: String, by reader: Reader) -> String? {
    nearest(to: word, comparisons: &reader.log.comparisons)
  }
}
