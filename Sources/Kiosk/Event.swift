// SPDX-License-Identifier: MIT

package import RoundelControls
public import RoundelExpressions
public import RoundelMotion

/// An event of a control or of the kiosk itself.
public struct Event: Hashable, Sendable {
  /// The time, exact at any frame rate.
  public var time: Instant
  /// The control's id, or nil for events of the kiosk itself.
  public var control: String?
  /// The kind of event: `selected`, `settled`, `page`, `emit` …
  public var name: String
  /// The id of the wedge, leaf or wheel, or nil if the event concerns no item.
  public var item: String?
  /// Additional details, in print order.
  public var fields: [Field]
  /// Details for actions and subscribers that are never printed, logged or recorded.
  public var secrets: [Field]
  /// The cause of the event.
  public var cause: Cause
  /// Whether only actions and `logic` get the item, the fields and the secrets.
  package var isPrivate = false

  /// An event of a control, or of the kiosk if `control` is nil.
  public init(
    _ name: String, at time: Instant, control: String? = nil, item: String? = nil,
    fields: [Field] = [], secrets: [Field] = [], by cause: Cause = .time
  ) {
    self.time = time
    self.control = control
    self.name = name
    self.item = item
    self.fields = fields
    self.secrets = secrets
    self.cause = cause
  }

  subscript(_ name: String) -> Value? { fields.first { $0.name == name }?.value }

  /// The service that a bridge sends the event to, and the name there, or nil for other events.
  package var message: (service: Service, name: String)? {
    guard control == nil, [CommandKind.publish.name, CommandKind.call.name].contains(name),
      let service = Service.allCases.first(where: { self[$0.rawValue] != nil }),
      let name = self[service.rawValue]?.display
    else { return nil }
    return (service, name)
  }
}

extension EventType {
  static let slept = plain("slept", "The panel started to sleep.")
  static let woken = plain("woken", "The panel woke up.")
  static let swiped = plain(
    "swiped", "A user swiped the page far or fast enough, in the `direction`.",
    [.page, .direction])
  static let warned = plain(
    "warned",
    "The kiosk goes home or sleeps in `seconds`, unless a user touches it or presses a key.",
    [.seconds])

  static let scanned = plain(
    "scanned", "A scanner typed the line `text`, or a client sent it by `scan`.", [.text])

  static let notified = plain("notified", "A message was shown.", messageFields)
  static let dismissed = plain(
    "dismissed", "A message was closed by a user, by a command or after its time.", messageFields)
  private static let messageFields = [EventField.text, .title, .level]
  static let emitted = plain(
    "emitted",
    "A program used `emit`: a client or `logic`. Its fields are `event.FIELD`. An `emit` of an action has no such event.",
    [.name]
  ).open

  /// The events of the kiosk itself, as clients receive them.
  package static let ofKiosk = [
    plain("page", "The page `page` is shown.", [.page]),
    plain("emit", "A custom event from `emit`, with its `name` and its fields.", [.name]),
    plain(
      "publish",
      "`roundel mqtt` sends the message `payload` to the topic `mqtt`, because of the action `publish`.",
      [.topic, .payload, .retain, .qos]),
    plain(
      "call",
      "`roundel home` calls the service `home` of Home Assistant, because of the action `call`.",
      [.homeService, .entity, .data]),
    plain("failed", "An operation failed. `message` describes the failure.", [.message]),
    plain("reloaded", "The file was reloaded."),
    plain("restarted", "The kiosk was reset to its initial state."),
    slept,
    woken,
    plain("language", "The language changed to `language`.", [.language]),
    swiped,
    plain("spoken", "`text` is spoken.", [.text]),
    warned, notified, dismissed, scanned,
  ]
}
