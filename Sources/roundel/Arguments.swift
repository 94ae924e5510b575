// SPDX-License-Identifier: MIT

public import ArgumentParser
import RoundelControls
package import DRMDisplay
public import RoundelDrawing
public import RoundelExpressions
public import RoundelGeometry
import RoundelJSON
public import Kiosk
package import KioskProtocol
import LinuxIO
import RoundelSession

extension PixelSize: ExpressibleByArgument {
  /// Parses `WxH`, at most as large as the largest panels.
  public init?(argument: String) {
    let parts = argument.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]),
      PixelSize(width, height).isPanelSize
    else { return nil }
    self.init(width, height)
  }
}

extension Rotation: ExpressibleByArgument {
  /// The values that help and completion list.
  public static var allValueStrings: [String] { allCases.map { String($0.rawValue) } }
}

extension ColorDepth: ExpressibleByArgument {
  /// Parses a depth such as `18`.
  public init?(argument: String) {
    guard let bits = Int(argument), let depth = ColorDepth(bits: bits) else { return nil }
    self = depth
  }

  /// The values that help and completion list.
  public static var allValueStrings: [String] { all.map(\.description) }
}

/// A number of threads, 1 … 64.
struct ThreadCount: ExpressibleByArgument {
  let value: Int

  init(_ value: Int) { self.value = value }

  init?(argument: String) {
    guard let value = Int(argument), (1...64).contains(value) else { return nil }
    self.value = value
  }

  var defaultValueDescription: String { "\(value)" }
}

/// A finite, non-negative number of seconds.
struct Seconds: ExpressibleByArgument, ExpressibleByFloatLiteral {
  let value: Double

  init(floatLiteral value: Double) { self.value = value }

  init?(argument: String) {
    guard let value = Double(argument), value.isFinite, value >= 0 else { return nil }
    self.value = value
  }

  var defaultValueDescription: String { JSONValue.number(value).text }
}

extension CivilTime: ExpressibleByArgument {
  /// Parses a time such as `2026-11-21T08:00`.
  public init?(argument: String) { self.init(argument) }
}

extension ModeRequest: ExpressibleByArgument {
  package init?(argument: String) { self.init(argument) }
}

extension Reference: ExpressibleByArgument {
  /// Parses `cups`, `dial.value` or `menu.tea.label`.
  public init?(argument: String) { self.init(argument) }
}

extension Target: ExpressibleByArgument {
  package init?(argument: String) { self.init(argument) }
}

extension Assignment: ExpressibleByArgument {}
extension AwaitedState: ExpressibleByArgument {}
extension KioskProtocol.EventField: ExpressibleByArgument {}
extension NumberList: ExpressibleByArgument {}
