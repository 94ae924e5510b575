// SPDX-License-Identifier: MIT

internal import Synchronization

final class Mailbox<Content>: Sendable {
  private final class Item: Sendable {
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

  private let item = Mutex<Item?>(nil)

  func post(_ content: sending Content) {
    let new = Item(content)
    item.withLock { $0 = new }
  }

  func open() -> sending Content? { item.withLock { $0 }?.open() }
}
