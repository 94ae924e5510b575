// SPDX-License-Identifier: MIT

package import Geometry
internal import JSON
package import Remote

package struct StatusRequest: MethodRequest {
  package init() {}
  package static let method = Method<StatusRequest, StatusAnswer>(
    "status", "Reports how the kiosk and its display are.",
    result: "{version, kiosk, page, blank, moving, uptime, display, …}")
  package static let members: [Member<StatusRequest>] = []
}

/// How a kiosk and its display are.
package struct StatusAnswer: JSONRecord {
  package var version = ""
  package var kiosk = ""
  package var page = ""
  package var isBlank = false
  package var isMoving = false
  package var fingers = 0
  /// Seconds by the kiosk's clock.
  package var time = 0.0
  /// Seconds since the server was started.
  package var uptime = 0.0
  package var process = 0
  package var clients = 0
  package var wakeUps = 0
  package var display = DisplayStatus()
  /// The id of the control that keys use; nil while none are used.
  package var focus: String?
  /// The names of the input devices.
  package var inputs: [String] = []
  package var frames = FrameStatus()
  package var latency = Durations()
  package var clientWork = ClientWorkStatus()
  /// Why something else is shown in place of the kiosk's file.
  package var fault: String?
  /// The kiosk's own program; nil where it has none.
  package var logic: LogicStatus?
  /// How sounds are played; nil where the kiosk has played none.
  package var sound: SoundStatus?
  package init() {}

  package static let members: [Member<StatusAnswer>] = [
    .required("version", \.version, .text), .required("kiosk", \.kiosk, .text),
    .required("page", \.page, .text), .required("blank", \.isBlank, .flag),
    .required("moving", \.isMoving, .flag), .required("fingers", \.fingers, .integer),
    .required("t", \.time, .number), .required("uptime", \.uptime, .number),
    .required("process", \.process, .integer), .required("clients", \.clients, .integer),
    .required("wakeups", \.wakeUps, .integer), .required("display", \.display, .nested),
    .required("inputs", \.inputs, .list(of: .text)), .required("frames", \.frames, .nested),
    .required("latency", \.latency, .nested), .required("client_work", \.clientWork, .nested),
    .optional("fault", \.fault, .text), .optional("focus", \.focus, .text),
    .optional("logic", \.logic, .nested), .optional("sound", \.sound, .nested),
  ]
}

/// How a kiosk's own program is.
package struct LogicStatus: JSONRecord {
  /// Its name in the kiosk's file.
  package var program = ""
  /// `running`, `waiting` for its next start, or `ending`.
  package var state = ""
  package var process: Int?
  package var starts = 0
  /// How it has ended the last time.
  package var lastEnd: String?
  /// Seconds until it is started again.
  package var nextStart: Double?
  package init() {}

  package static let members: [Member<LogicStatus>] = [
    .required("program", \.program, .text), .required("state", \.state, .text),
    .optional("process", \.process, .integer), .required("starts", \.starts, .integer),
    .optional("last_end", \.lastEnd, .text), .optional("next_start", \.nextStart, .number),
  ]
}

/// How a kiosk plays sounds.
package struct SoundStatus: JSONRecord {
  /// `playing`, `silent` between sounds, or `failed`.
  package var state = ""
  /// The sounds that were begun, heard or not.
  package var count = 0
  /// Why the last ones were not heard.
  package var problem: String?
  package init() {}

  package static let members: [Member<SoundStatus>] = [
    .required("state", \.state, .text), .required("count", \.count, .integer),
    .optional("problem", \.problem, .text),
  ]
}

package struct DisplayStatus: JSONRecord {
  /// `showing`, `asleep` or `waiting`.
  package var state = ""
  /// What it waits for.
  package var obstacle: String?
  /// The panel's pixels.
  package var size = PixelSize(1, 1)
  package var rotation = Rotation.none
  /// Seconds from frame to frame.
  package var refreshInterval = 0.0
  package var hasVerticalBlanks = false
  /// The way of the picture to the panel, where there is one.
  package var card: String?
  package var output: String?
  package var mode: String?
  /// Why outputs that were asked for do not show it.
  package var leftOut: [String]?
  package init() {}

  package static let members: [Member<DisplayStatus>] = [
    .required("state", \.state, .text), .optional("obstacle", \.obstacle, .text),
    .required("size", \.size, .pixelSize), .required("rotate", \.rotation, .rotation),
    .required("refresh_interval", \.refreshInterval, .number),
    .required("vblank", \.hasVerticalBlanks, .flag), .optional("card", \.card, .text),
    .optional("output", \.output, .text), .optional("mode", \.mode, .text),
    .optional("left_out", \.leftOut, .list(of: .text)),
  ]
}

package struct FrameStatus: JSONRecord {
  package var shown = 0
  package var timed = 0
  package var late = 0
  package init() {}

  package static let members: [Member<FrameStatus>] = [
    .required("shown", \.shown, .integer), .required("timed", \.timed, .integer),
    .required("late", \.late, .integer),
  ]
}

package struct ClientWorkStatus: JSONRecord {
  /// Seconds.
  package var longestTurn = 0.0
  package var keptBytes = 0
  package init() {}

  package static let members: [Member<ClientWorkStatus>] = [
    .required("longest_turn", \.longestTurn, .number),
    .required("kept_bytes", \.keptBytes, .integer),
  ]
}
