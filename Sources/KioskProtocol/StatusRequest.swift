// SPDX-License-Identifier: MIT

package import Geometry
package import JSON
package import JSONRPC

package struct StatusRequest: MethodRequest {
  package init() {}
  package static let method = Method<StatusRequest, StatusAnswer>(
    "status", "Reports how the kiosk and its display are.",
    result: "{version, kiosk, page, blank, moving, uptime, display, …}")
  package static let members: [Member<StatusRequest>] = []
}

/// The state of a kiosk and its display. The table of members describes them.
package struct StatusAnswer: JSONRecord {
  package var version = ""
  package var kiosk = ""
  package var page = ""
  package var isBlank = false
  package var isMoving = false
  package var fingers = 0
  package var time = 0.0
  package var uptime = 0.0
  package var process = 0
  package var clients = 0
  package var wakeUps = 0
  package var display = DisplayStatus()
  package var focus: String?
  package var inputs: [String] = []
  package var frames = FrameStatus()
  package var latency = Durations()
  package var clientWork = ClientWorkStatus()
  package var isBusy = false
  package var lastTouch: Double?
  package var touchToFlip = HistogramStatus()
  package var memory = 0
  package var images = ImageStatus()
  package var restarts: [JSONValue.Member] = []
  package var isBridged = false
  package var file: String?
  package var sha256 = ""
  package var bundle: Int?
  package var fault: String?
  package var reloadError: String?
  package var fallbackKind: FallbackKind?
  package var logic: LogicStatus?
  package var sound: SoundStatus?
  package var speech: SpeechStatus?
  package init() {}

  package static let members: [Member<StatusAnswer>] = [
    .required("version", \.version, .text, "The program's version."),
    .required("kiosk", \.kiosk, .text, "The kiosk's name."),
    .required("page", \.page, .text, "The page that is shown."),
    .required("blank", \.isBlank, .flag, "Whether the panel sleeps."),
    .required("moving", \.isMoving, .flag, "Whether something moves."),
    .required("fingers", \.fingers, .integer, "Fingers that are down."),
    .required("t", \.time, .seconds, "Seconds by the kiosk's clock, as in events."),
    .required("uptime", \.uptime, .seconds, "Seconds since the program was started."),
    .required("process", \.process, .integer, "The number of its process."),
    .required("clients", \.clients, .integer, "Clients of the socket, this one included."),
    .required("wakeups", \.wakeUps, .integer, "How often the program has woken up."),
    .required("display", \.display, .nested, "The display."),
    .required("inputs", \.inputs, .list(of: .text), "The names of the input devices."),
    .required("frames", \.frames, .nested, "Frames since the start."),
    .required(
      "latency", \.latency, .nested, "From a touch to the flip that showed it, in seconds."),
    .required(
      "touch_to_flip", \.touchToFlip, .nested, "The same as a histogram of fixed bounds."),
    .required("client_work", \.clientWork, .nested, "Work for clients."),
    .required(
      "busy", \.isBusy, .flag, "Whether the page says by `busy` that it must not be disturbed."),
    .optional(
      "last_touch", \.lastTouch, .seconds,
      "When somebody last touched it, in seconds since 1970; left out before anybody has."),
    .required("memory", \.memory, .integer, "Bytes of memory that the program takes."),
    .required("images", \.images, .nested, "Decoded and scaled images."),
    .required(
      "restarts", \.restarts, .members,
      "How often the service manager has started it again since the unit was started, by cause."),
    .required(
      "bridge", \.isBridged, .flag,
      "Whether `roundel mqtt` says that it is connected to its broker."),
    .optional(
      "file", \.file, .text,
      "The path of the kiosk file; left out where it was read from the standard input."),
    .required(
      "sha256", \.sha256, .text,
      "The SHA-256 of the kiosk file as it is shown; empty for the page of faults."),
    .optional(
      "bundle", \.bundle, .integer,
      "The version of the bundle that it was installed from; left out where it came of none."),
    .optional(
      "fault", \.fault, .text,
      "Why something else is shown in place of the kiosk's file; left out where it is shown."),
    .optional(
      "reload_error", \.reloadError, .text,
      "Why the last edit of the file is not shown; left out once one is."),
    .optional(
      "stand_in", \.fallbackKind, .fallbackKind,
      "The stand-in for the file: its last copy that worked, or the page of faults."),
    .optional("focus", \.focus, .text, "The control that keys use; left out while none are used."),
    .optional("logic", \.logic, .nested, "The kiosk's own program; left out where it has none."),
    .optional("sound", \.sound, .nested, "How sounds are played; left out where none was."),
    .optional(
      "speech", \.speech, .nested, "How it speaks; left out where the kiosk does not speak."),
  ]
}

/// A fallback for a kiosk file that can't be shown.
package enum FallbackKind: String, Hashable, Sendable {
  /// The last working copy.
  case copy
  case page
}

package struct LogicStatus: JSONRecord {
  package var program = ""
  package var state = ""
  package var process: Int?
  package var starts = 0
  package var lastEnd: String?
  package var nextStart: Double?
  package init() {}

  package static let members: [Member<LogicStatus>] = [
    .required("program", \.program, .text, "Its name in the kiosk's file."),
    .required("state", \.state, .text, "running, waiting for its next start, or ending."),
    .optional("process", \.process, .integer, "The number of its process."),
    .required("starts", \.starts, .integer, "How often it was started."),
    .optional("last_end", \.lastEnd, .text, "How it has ended the last time."),
    .optional("next_start", \.nextStart, .seconds, "Seconds until it is started again."),
  ]
}

package struct SpeechStatus: JSONRecord {
  package var program = ""
  package var state = ""
  package var count = 0
  package var problem: String?
  package init() {}

  package static let members: [Member<SpeechStatus>] = [
    .required("program", \.program, .text, "The program that makes sounds of texts."),
    .required("state", \.state, .text, "off, silent between texts, or speaking."),
    .required("count", \.count, .integer, "Texts that were said, heard or not."),
    .optional("problem", \.problem, .text, "Why the last ones were not heard."),
  ]
}

package struct SoundStatus: JSONRecord {
  package var state = ""
  package var count = 0
  package var problem: String?
  package init() {}

  package static let members: [Member<SoundStatus>] = [
    .required("state", \.state, .text, "playing, silent between sounds, or failed."),
    .required("count", \.count, .integer, "Sounds that were begun, heard or not."),
    .optional("problem", \.problem, .text, "Why the last ones were not heard."),
  ]
}

package struct DisplayStatus: JSONRecord {
  package var state = ""
  package var obstacle: String?
  package var size = PixelSize(1, 1)
  package var rotation = Rotation.none
  package var refreshInterval = 0.0
  package var hasVerticalBlanks = false
  package var blanks = "none"
  /// The output that shows the picture, or nil if there isn't one.
  package var card: String?
  package var output: String?
  package var mode: String?
  package var format: String?
  package var depth: Int?
  package var mirrors: [MirrorStatus]?
  package var leftOut: [String]?
  package var problems: [String]?
  package init() {}

  package static let members: [Member<DisplayStatus>] = [
    .required("state", \.state, .text, "showing, asleep or waiting."),
    .optional("obstacle", \.obstacle, .text, "The reason why it waits."),
    .required("size", \.size, .pixelSize, "The panel's width and height, in pixels."),
    .required("rotate", \.rotation, .rotation, "How the picture is turned on it."),
    .required("refresh_interval", \.refreshInterval, .seconds, "Seconds from frame to frame."),
    .required("vblank", \.hasVerticalBlanks, .flag, "Whether its vertical blanks are known."),
    .required(
      "blanks", \.blanks, .text,
      "Whose blanks they are at which flips are reported: the panel's, a timer's, or none."),
    .optional("card", \.card, .text, "The card that shows the picture."),
    .optional(
      "output", \.output, .text,
      "Its connector, or the compositor's output; the mirrors' connectors follow."),
    .optional("mode", \.mode, .text, "Its mode."),
    .optional("format", \.format, .text, "The format of its memory, such as XRGB8888."),
    .optional(
      "depth", \.depth, .integer,
      "The bits of colour that the picture is dithered to, where that is set."),
    .optional(
      "mirrors", \.mirrors, .list(of: .nested),
      "Where the same is shown, each as often as it can."),
    .optional(
      "left_out", \.leftOut, .list(of: .text), "Why outputs that were asked for do not show it."),
    .optional(
      "problems", \.problems, .list(of: .text),
      "The refused states of the panel: sleep and backlights. The kiosk sets them again until they hold."
    ),
  ]
}

/// Another output with the same picture.
package struct MirrorStatus: JSONRecord {
  package var card = ""
  package var output = ""
  package var mode = ""
  package var format = ""
  package init() {}

  package static let members: [Member<MirrorStatus>] = [
    .required("card", \.card, .text, "The card that it is on."),
    .required("output", \.output, .text, "Its connector."),
    .required("mode", \.mode, .text, "Its mode."),
    .required("format", \.format, .text, "The format of its memory."),
  ]
}

package struct FrameStatus: JSONRecord {
  package var shown = 0
  package var timed = 0
  package var late = 0
  package var bytes = 0
  package init() {}

  package static let members: [Member<FrameStatus>] = [
    .required("shown", \.shown, .integer, "Frames that were shown."),
    .required("timed", \.timed, .integer, "Those whose moment on the panel is known."),
    .required("late", \.late, .integer, "Those of them that came late."),
    .required(
      "bytes", \.bytes, .integer,
      "Bytes of pixels a frame on the mean, as most drivers of slow buses send them."),
  ]
}

/// A histogram of durations with fixed bounds.
package struct HistogramStatus: JSONRecord {
  package var bounds: [Double] = []
  package var counts: [Int] = []
  package var count = 0
  package var sum = 0.0
  package init() {}

  package static let members: [Member<HistogramStatus>] = [
    .required("bounds", \.bounds, .list(of: .seconds), "The bounds, in seconds."),
    .required("counts", \.counts, .list(of: .integer), "How many do not exceed each bound."),
    .required("count", \.count, .integer, "How many there are."),
    .required("sum", \.sum, .seconds, "All of them together, in seconds."),
  ]
}

/// The memory of decoded and scaled images.
package struct ImageStatus: JSONRecord {
  package var bytes = 0
  package var limit = 0
  package init() {}

  package static let members: [Member<ImageStatus>] = [
    .required("bytes", \.bytes, .integer, "Bytes that they take."),
    .required("limit", \.limit, .integer, "Bytes that they may take."),
  ]
}

package struct ClientWorkStatus: JSONRecord {
  package var longestTurn = 0.0
  package var keptBytes = 0
  package init() {}

  package static let members: [Member<ClientWorkStatus>] = [
    .required(
      "longest_turn", \.longestTurn, .seconds,
      "The processor time of the turn that took longest, in seconds."),
    .required("kept_bytes", \.keptBytes, .integer, "Bytes that are kept for them."),
  ]
}
