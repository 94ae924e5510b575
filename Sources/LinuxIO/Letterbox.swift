// SPDX-License-Identifier: MIT

internal import Synchronization

/// Passes a result from one thread to another.
final class Letterbox<Content>: Sendable {
  /// The first call of `open` takes the content.
  private final class Letter: Sendable {
    private let content: Mutex<Content?>
    init(_ content: sending Content) { self.content = Mutex(content) }

    func open() -> sending Content? {
      content.withLock { content in
        let taken = consume content
        content = nil
        return taken
      }
    }
  }

  private let letter = Mutex<Letter?>(nil)

  func post(_ content: sending Content) {
    let new = Letter(content)
    letter.withLock { $0 = new }
  }

  func open() -> sending Content? { letter.withLock { $0 }?.open() }
}
