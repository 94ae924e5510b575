// SPDX-License-Identifier: MIT

internal import RoundelMotion

/// The page over the current page, and the waiting ones.
///
///     show, notify ──► waiting ── none is open ──► open ── back, a touch outside, its time ──► closed
///                         ▲                         │
///                         └──────── an alarm ───────┘
struct Overlays: Sendable {
  enum Content: Hashable, Sendable {
    case page(Int)
    case message(Message)

    var message: Message? { if case .message(let message) = self { message } else { nil } }
    fileprivate var isAlarm: Bool { message?.level == .alarm }
  }

  struct Entry: Hashable, Sendable {
    var content: Content
    /// Whether the message was reported. It may wait again after that.
    var isReported = false
    /// The time when the message closes, or nil while it waits or if it stays.
    fileprivate(set) var end: Instant?
  }

  /// The maximum number of waiting messages.
  static let maximumCount = 32

  private(set) var open: Entry?
  private(set) var waiting: [Entry] = []
  private(set) var revision: UInt64 = 0

  var message: Message? { open?.content.message }

  /// The messages that were reported: the open one, and postponed ones.
  var reported: [Message] {
    ([open].compactMap(\.self) + waiting).filter(\.isReported).compactMap(\.content.message)
  }

  var end: Instant? { open?.end }

  /// Adds a page, unless it is open or waits already.
  mutating func add(page: Int) {
    let content = Content.page(page)
    guard open?.content != content, !waiting.contains(where: { $0.content == content }) else {
      return
    }
    waiting.append(Entry(content: content))
  }

  /// Adds a message, an alarm before everything except alarms.
  mutating func add(_ message: Message) {
    let entry = Entry(content: .message(message))
    waiting.insert(entry, at: message.level == .alarm ? firstOther : waiting.count)
  }

  mutating func add(_ entry: Entry) { waiting.append(entry) }

  private var firstOther: Int { waiting.firstIndex { !$0.content.isAlarm } ?? waiting.count }

  /// Removes the oldest waiting message, an alarm last, if too many wait. Returns it, or nil.
  mutating func removeExcess() -> Entry? {
    let messages = waiting.indices.filter { waiting[$0].content.message != nil }
    guard messages.count > Self.maximumCount else { return nil }
    return waiting.remove(at: messages.first { !waiting[$0].content.isAlarm } ?? messages[0])
  }

  /// Returns the next entry to open, or nil. Only alarms open on a sleeping panel, or over an open
  /// entry.
  func next(whileBlank isBlank: Bool) -> Entry? {
    guard let next = waiting.first(where: { !isBlank || $0.content.message == nil }) else {
      return nil
    }
    return open == nil || next.content.isAlarm && open?.content.isAlarm == false ? next : nil
  }

  /// Opens a waiting entry. Nothing else may be open.
  mutating func open(_ entry: Entry, at now: Instant) {
    guard let index = waiting.firstIndex(of: entry) else { return }
    var entry = waiting.remove(at: index)
    entry.isReported = true
    if let seconds = entry.content.message?.seconds, seconds > 0 { entry.end = now + seconds }
    open = entry
    revision &+= 1
  }

  mutating func close() {
    open = nil
    revision &+= 1
  }

  /// Lets the open entry wait again, before others.
  mutating func postpone() {
    guard var entry = open else { return }
    entry.end = nil
    waiting.insert(entry, at: entry.content.isAlarm ? 0 : firstOther)
    close()
  }

  mutating func removeWaiting(where isRemoved: (Content) -> Bool) {
    waiting.removeAll { isRemoved($0.content) }
  }

  /// Drops pages that were removed, or are no longer over others.
  mutating func adopt(_ mapping: PlanMapping) {
    func successor(_ entry: Entry) -> Entry? {
      guard case .page(let page) = entry.content else { return entry }
      guard let next = mapping.page(page), mapping.next.pages[next].isOver else { return nil }
      var entry = entry
      entry.content = .page(next)
      return entry
    }
    open = open.flatMap(successor)
    waiting = waiting.compactMap(successor)
    revision &+= 1
  }
}
