// SPDX-License-Identifier: MIT

internal import HomeAssistant
internal import RoundelJSON
internal import KioskProtocol
internal import LinuxIO
internal import RoundelMotion

struct PanelState {
  private enum Presence {
    case unknown
    case present
    /// The error page replaces the kiosk, and isn't announced as a device.
    case replaced
    /// Becomes a problem at `reportTime`, which is then nil.
    case away(reason: String, reportTime: Timestamp?)
  }

  private enum Problem {
    case unknown
    case none
    case present(String)
  }

  /// A restarting kiosk returns within this time.
  private static let absenceSeconds = 10.0

  private let settings: BridgeSettings
  private var presence = Presence.unknown
  private var problem = Problem.unknown
  private var isAwake = true
  private var brightness = 1.0
  private var lightCause = "time"
  private var page: String?
  private var times: PageTimes?
  private(set) var status: JSONValue?
  private var installedVersion: String?
  private var latestVersion: String?

  init(_ settings: BridgeSettings) { self.settings = settings }

  // MARK: The kiosk

  var isKioskPresent: Bool {
    if case .present = presence { true } else { false }
  }

  mutating func setKiosk(isShown: Bool, at now: Timestamp) {
    presence = isShown ? .present : .replaced
    countPage(at: now)
  }

  /// Returns whether the reason is new.
  mutating func recordAbsence(_ reason: String, at now: Timestamp) -> Bool {
    var isNews = true
    switch presence {
    case .away(let old, let reportTime):
      isNews = old != reason
      presence = .away(reason: reason, reportTime: reportTime)
    case .unknown, .present, .replaced:
      presence = .away(reason: reason, reportTime: now + Self.absenceSeconds)
    }
    countPage(at: now)
    return isNews
  }

  var deadline: Timestamp? {
    if case .away(_, let time) = presence { time } else { nil }
  }

  /// Returns whether a long absence is a new problem.
  mutating func advance(to now: Timestamp) -> Bool {
    guard case .away(let reason, let time?) = presence, time <= now else { return false }
    presence = .away(reason: reason, reportTime: nil)
    problem = .present("not connected to the kiosk: \(reason)")
    return true
  }

  mutating func record(_ status: StatusAnswer, at now: Timestamp) {
    set(problem: status.fault ?? status.display.obstacle.map { "nothing is shown: \($0)" })
    if times?.kiosk != status.sha256 {
      times = PageTimes(of: status.sha256, since: settings.wallTime())
    }
    page = status.page
    countPage(at: now)
    self.status = .object([
      .init("version", .string(status.version)), .init("kiosk", .string(status.kiosk)),
      .init("sha256", .string(status.sha256)),
      .init("bundle", status.bundle.map { .number(Double($0)) } ?? .null),
      .init("page", .string(status.page)),
      .init("fault", status.fault.map { .string($0) } ?? .null),
      .init("display", .string(status.display.state)),
      .init("slot", settings.slot.map { .string($0) } ?? .null),
    ])
    // Without a bundle, the version is the hash of the kiosk's file.
    installedVersion = status.bundle.map { "\($0)" } ?? String(status.sha256.prefix(12))
  }

  mutating func set(problem reason: String?) {
    problem = reason.map { .present($0) } ?? .none
  }

  mutating func show(page: String?, at now: Timestamp) {
    self.page = page
    countPage(at: now)
  }

  mutating func setLight(isAwake: Bool, at now: Timestamp) {
    self.isAwake = isAwake
    countPage(at: now)
  }

  mutating func setLight(isAwake: Bool, by cause: String, at now: Timestamp) {
    lightCause = cause
    setLight(isAwake: isAwake, at: now)
  }

  mutating func setLight(brightness: Double, by cause: String) {
    (self.brightness, lightCause) = (brightness, cause)
  }

  private mutating func countPage(at now: Timestamp) {
    let shownPage = isKioskPresent && isAwake ? page : nil
    times?.show(shownPage, at: now)
  }

  /// Returns whether the message is a valid version.
  mutating func recordLatest(_ payload: [UInt8]) -> Bool {
    let text = String(validating: payload, as: UTF8.self) ?? "\n"
    guard text.utf8.count <= 64, text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) else {
      return false
    }
    latestVersion = text.isEmpty ? nil : text
    return true
  }

  // MARK: Messages

  func light(of entity: Entity) -> JSONValue {
    entity.state(isAwake: isAwake, brightness: brightness, by: lightCause)
  }

  /// The installed and the newest version, or nil before the kiosk's first status.
  var versions: JSONValue? {
    installedVersion.map { installed in
      .object([
        .init("installed_version", .string(installed)),
        .init("latest_version", .string(latestVersion ?? installed)),
      ])
    }
  }

  /// Returns nil while the problem is unknown.
  func problemState(isBridgeHere: Bool = true) -> JSONValue? {
    let reason: String?
    switch problem {
    case .unknown: return nil
    case .none: reason = nil
    case .present(let text): reason = text
    }
    return .object(
      [.init("value", .string(reason == nil ? "OFF" : "ON"))]
        + (reason.map { [.init("reason", .string($0))] } ?? [])
        + [.init("bridge", .string(Device.availability(isBridgeHere)))])
  }

  mutating func description(of picture: ScreenshotAnswer, at now: Timestamp) -> JSONValue {
    .object([
      .init("sha256", .string(SHA256.text(of: picture.png))),
      .init("time", .number(settings.wallTime().rounded())),
      .init("t", .number(picture.time)), .init("bytes", .number(Double(picture.png.count))),
      .init("status", status ?? .null), .init("hours", times?.hours(at: now) ?? .null),
    ])
  }
}
