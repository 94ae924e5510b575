// SPDX-License-Identifier: MIT

package import RoundelControls
package import RoundelExpressions
package import RoundelGeometry
package import RoundelJSON
package import Kiosk
package import RoundelMotion

/// The touches, commands and queries of a session: one JSON object per line, in order of time.
///
///     {"t":0,"down":{"finger":0,"x":640,"y":120}}
///     {"t":0.08,"up":{"finger":0}}
///     {"t":0.10,"shot":"lit.png"}
///     {"t":6,"end":true}
package struct Recording: Hashable, Sendable {
  package struct Step: Hashable, Sendable {
    package var time: Instant
    package var what: Action

    package init(_ time: Instant, _ what: Action) {
      self.time = time
      self.what = what
    }
  }

  package enum Action: Hashable, Sendable {
    case touch(Touch)
    /// A screenshot, with a file name.
    case shot(String)
    case get(Reference)
    /// The design size of positions, for a kiosk with several sizes.
    case size(Size)
    indirect case command(Command)
    /// The wall clock, which continues from there.
    case clock(CivilTime)
    case end
  }

  package var steps: [Step]

  /// A shot may take a millisecond or a megabyte.
  private static let maximumShots = 20_000

  /// The design size of positions, or nil for the kiosk's only or first size.
  package var size: Size? {
    steps.lazy.compactMap { if case .size(let size) = $0.what { size } else { nil } }.first
  }

  package init(steps: [Step]) { self.steps = steps }

  package struct ParseError: Error, Hashable, Sendable, CustomStringConvertible {
    package var path: String
    /// Counted from 1.
    package var line: Int
    package var what: String

    package var description: String { "\(path):\(line): error: \(what)" }
  }

  /// Bytes per line, enough to set the longest list, which fit into a message of the socket.
  package static let maximumLineBytes = Value.maximumListBytes + 32 << 10

  /// Parses a recording. Errors call it `path`. Empty lines are skipped.
  package init(_ text: [UInt8], path: String) throws(ParseError) {
    try self.init(text[...], path: path, firstLine: 1) { _ in }
  }

  /// Parses some lines, and calls `record` with each.
  init(
    _ text: ArraySlice<UInt8>, path: String, firstLine: Int, _ record: (JSONValue) -> Void
  ) throws(ParseError) {
    self.init(steps: [])
    var fingers: [Int: Point] = [:]
    var shots = 0
    var (start, number) = (text.startIndex, firstLine)
    while start < text.endIndex {
      let end = text[start...].firstIndex(of: 10) ?? text.endIndex
      var line = text[start..<end]
      if line.last == 13 { line = line.dropLast() }
      if line.contains(where: { $0 != 32 && $0 != 9 }) {
        do throws(Reason) {
          let json = try Self.json(line)
          try add(json, &fingers, &shots)
          record(json)
        } catch {
          throw ParseError(path: path, line: number, what: error.what)
        }
      }
      number += 1
      start = min(end + 1, text.endIndex)
    }
  }

  package init(lines: [JSONValue], path: String) throws(ParseError) {
    self.init(steps: [])
    var fingers: [Int: Point] = [:]
    var shots = 0
    for (index, line) in lines.enumerated() {
      do throws(Reason) {
        try add(line, &fingers, &shots)
      } catch {
        throw ParseError(path: path, line: index + 1, what: error.what)
      }
    }
  }

  private mutating func add(
    _ line: JSONValue, _ fingers: inout [Int: Point], _ shots: inout Int
  ) throws(Reason) {
    let (time, actions) = try Self.line(line, fingers: &fingers)
    for case .shot in actions {
      shots += 1
      guard shots <= Self.maximumShots else {
        throw Reason("more than \(Self.maximumShots) shots (expected several recordings)")
      }
    }
    if let last = steps.last, time < last.time {
      throw Reason("\"t\" decreases from \(last.time.seconds) to \(time.seconds)")
    }
    steps += actions.map { Step(time, $0) }
  }
}

private struct Reason: Error {
  var what: String
  init(_ what: String) { self.what = what }
}

extension Recording {
  fileprivate static func json(_ line: ArraySlice<UInt8>) throws(Reason) -> JSONValue {
    guard line.count <= maximumLineBytes else {
      throw Reason("a line of \(line.count) bytes (expected at most \(maximumLineBytes))")
    }
    do throws(JSONValue.SyntaxError) {
      return try JSONValue(parsing: line)
    } catch {
      throw Reason("\(error) (is the recording complete?)")
    }
  }

  /// `fingers` contains the last positions of the fingers that are down.
  fileprivate static func line(
    _ json: JSONValue, fingers: inout [Int: Point]
  ) throws(Reason) -> (time: Instant, what: [Action]) {
    guard case .object(let members) = json else {
      throw Reason("a line is not a JSON object (expected {\"t\":SECONDS, …})")
    }
    // A hundred years. Sessions don't last longer.
    guard let t = json["t"]?.number, t >= 0, t <= 3_153_600_000 else {
      throw Reason("the time is missing (expected \"t\": seconds since the start, 0 or more)")
    }
    let rest = members.filter { $0.name != "t" }
    guard rest.count == 1, let what = rest.first else {
      let found = rest.map { "\"\($0.name)\"" }.joined(separator: ", ")
      throw Reason(
        "expected one of \(Self.names.joined(separator: ", ")) next to \"t\""
          + (rest.isEmpty ? "" : ", found \(found)"))
    }
    return (Instant(seconds: t), try Self.what(what.name, what.value, &fingers))
  }

  static let names =
    ["down", "move", "up", "cancel", "shot", "get", "size", "clock"]
    + CommandKind.remote.map(\.name)
    + ["end"]

  private static func what(
    _ name: String, _ value: JSONValue, _ fingers: inout [Int: Point]
  ) throws(Reason) -> [Action] {
    switch name {
    case "down", "move":
      return [.touch(try place(name == "down" ? .down : .move, value, &fingers))]
    case "up", "cancel": return [.touch(try lift(name == "up" ? .up : .cancel, value, &fingers))]
    case "shot":
      guard let file = value.string, !file.isEmpty, !file.contains("/"), file != "..", file != "."
      else { throw Reason("\"shot\" takes a file name without a folder") }
      return [.shot(file)]
    case "get":
      guard let path = value.string.flatMap({ Reference($0) }) else {
        throw Reason("\"get\" takes \"control.property\" or the name of a value")
      }
      return [.get(path)]
    case "size":
      guard case .array(let items) = value, case let sides = items.compactMap(\.number),
        items.count == 2, sides.count == 2, sides.allSatisfy({ (16...7680).contains($0) })
      else {
        throw Reason("\"size\" takes [width, height] in design pixels")
      }
      return [.size(Size(sides[0], sides[1]))]
    case "clock":
      guard let time = value.string.flatMap({ CivilTime($0) }) else {
        throw Reason("\"clock\" takes a time such as \"2026-11-21T08:00:00\"")
      }
      return [.clock(time)]
    case "end": return [.end]
    default:
      if let kind = CommandKind.named(name), kind.traits.contains(.remote) {
        guard let commands = kind.commands(value) else {
          throw Reason("\"\(name)\" takes \(kind.expected)")
        }
        return commands.map { .command($0) }
      }
      throw Reason(
        "unknown \"\(name)\" (expected one of \(names.joined(separator: ", ")))")
    }
  }

  private static func place(
    _ phase: Touch.Phase, _ value: JSONValue, _ fingers: inout [Int: Point]
  ) throws(Reason) -> Touch {
    guard let finger = value["finger"]?.integer, let x = value["x"]?.number,
      let y = value["y"]?.number
    else {
      throw Reason("a finger's position is {\"finger\": number, \"x\": design pixels, \"y\": …}")
    }
    fingers[finger] = Point(x, y)
    return Touch(finger: finger, phase: phase, position: Point(x, y))
  }

  private static func lift(
    _ phase: Touch.Phase, _ value: JSONValue, _ fingers: inout [Int: Point]
  ) throws(Reason) -> Touch {
    guard let finger = value["finger"]?.integer else {
      throw Reason("a lifted finger is {\"finger\": number}")
    }
    return Touch(
      finger: finger, phase: phase, position: fingers.removeValue(forKey: finger) ?? .zero)
  }
}
