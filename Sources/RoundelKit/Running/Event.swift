// SPDX-License-Identifier: MIT

internal import RoundelJSON
internal import RoundelMotion
internal import RoundelSession

/// An event of a kiosk, such as the selection of a wedge.
public struct Event: Hashable, Sendable {
  /// Seconds since the kiosk's start.
  public var time: Double
  /// The id of the control, or nil for an event of a page or the kiosk.
  public var control: String?
  /// The name, such as `selected`.
  public var name: String
  /// The other fields in order, such as `item`, `index`, `label`, `value` and `by`.
  public var fields: [KioskValue.Member]

  /// The value of a field, or nil if the event doesn't have it.
  public subscript(field: String) -> KioskValue? { fields.first { $0.name == field }?.value }

  /// The id of the wedge, leaf, row or wheel, if any.
  public var item: String? { self["item"]?.text }

  /// The text of the item, if any.
  public var label: String? { self["label"]?.text }

  /// The index from 0, if any.
  public var index: Int? { self["index"]?.number.flatMap { Int(exactly: $0) } }

  /// The value, if any.
  public var value: KioskValue? { self["value"] }

  init(_ line: SessionLine) {
    time = line.time.seconds
    control = nil
    name = ""
    fields = []
    for member in line.members {
      switch member.name {
      case "control": control = member.value.string
      case "event": name = member.value.string ?? ""
      case "secret": break
      default:
        if let value = KioskValue(member.value) { fields.append(.init(member.name, value)) }
      }
    }
  }
}

/// An event of one control, such as `dish.selected` of a pinwheel `dish`.
public struct EventName: Hashable, Sendable {
  let control: String?
  let event: String

  init(_ control: String?, _ event: String) {
    self.control = control
    self.event = event
  }
}

/// The closures of a kiosk, by event.
struct Handlers {
  struct Entry {
    enum Owner: Hashable {
      case any
      case control(String)
      /// An item of the surrounding control.
      case item(String)
      case page(String)
    }

    var owner = Owner.any
    private var control: String?
    /// The name, or nil to take all events.
    var event: String?
    var site: Site
    var handle: (Event, Session) throws -> Void

    func takes(_ event: Event) -> Bool {
      guard self.event == nil || self.event == event.name else { return false }
      switch owner {
      case .any: return true
      case .control(let id): return event.control == id
      case .item(let id): return event.control == control && event.item == id
      case .page(let name): return event.control == nil && event["page"]?.text == name
      }
    }

    init(
      owner: Owner = .any, event: String? = nil, site: Site,
      handle: @escaping (Event, Session) throws -> Void
    ) {
      self.owner = owner
      self.event = event
      self.site = site
      self.handle = handle
    }

    func of(_ owner: Owner) -> Entry {
      var entry = self
      entry.owner = owner
      return entry
    }

    func inside(_ control: String) -> Entry {
      var entry = self
      entry.control = control
      return entry
    }
  }

  private var entries: [Entry] = []

  mutating func add(_ entry: Entry) { entries.append(entry) }

  var all: [Entry] { entries }

  /// Calls the closures. Errors become `failed` events.
  func handle(_ event: Event, on session: Session) {
    for entry in entries where entry.takes(event) {
      do {
        try entry.handle(event, session)
      } catch {
        session.reportFailure("\(error)")
      }
    }
  }
}
