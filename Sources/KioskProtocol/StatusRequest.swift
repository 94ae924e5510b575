// SPDX-License-Identifier: MIT

package import RoundelGeometry
package import RoundelJSON
package import JSONRPC

package struct StatusRequest: MethodRequest {
  package init() {}
  package static let method = Method<StatusRequest, StatusAnswer>(
    "status", "Returns the status of the kiosk and its display.",
    result: "{version, kiosk, page, blank, moving, uptime, display, …}")
  package static let members: [Member<StatusRequest>] = []
}

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
    .required("page", \.page, .text, "The current page."),
    .required("blank", \.isBlank, .flag, "Whether the panel sleeps."),
    .required("moving", \.isMoving, .flag, "Whether something moves."),
    .required("fingers", \.fingers, .integer, "The number of fingers on the panel."),
    .required("t", \.time, .seconds, "Seconds on the kiosk's clock, as in events."),
    .required("uptime", \.uptime, .seconds, "Seconds since the program started."),
    .required("process", \.process, .integer, "The process ID."),
    .required(
      "clients", \.clients, .integer, "The number of the socket's clients, including this one."),
    .required("wakeups", \.wakeUps, .integer, "The number of wake-ups of the program."),
    .required("display", \.display, .nested, "The display."),
    .required("inputs", \.inputs, .list(of: .text), "The names of the input devices."),
    .required("frames", \.frames, .nested, "Statistics of frames since the start."),
    .required(
      "latency", \.latency, .nested,
      "The latency from a touch to the page flip that shows it, in seconds."),
    .required(
      "touch_to_flip", \.touchToFlip, .nested, "The latency as a histogram with fixed bounds."),
    .required("client_work", \.clientWork, .nested, "Work for clients of the socket."),
    .required(
      "busy", \.isBusy, .flag,
      "Whether `busy` of the page states that users must not be interrupted."),
    .optional(
      "last_touch", \.lastTouch, .seconds,
      "The time of the last touch, in seconds since 1970. Omitted before the first touch."),
    .required("memory", \.memory, .integer, "The program's memory use in bytes."),
    .required("images", \.images, .nested, "Decoded and scaled images."),
    .required(
      "restarts", \.restarts, .members,
      "The number of restarts by the service manager since the unit started, by cause."),
    .required(
      "bridge", \.isBridged, .flag,
      "Whether `roundel mqtt` reports a connection to its broker."),
    .optional(
      "file", \.file, .text,
      "The path of the kiosk file. Omitted if it was read from standard input."),
    .required(
      "sha256", \.sha256, .text,
      "The SHA-256 of the displayed kiosk file. Empty for the error page."),
    .optional(
      "bundle", \.bundle, .integer,
      "The version of the bundle that installed the file. Omitted without a bundle."),
    .optional(
      "fault", \.fault, .text,
      "The problem with the kiosk's file, while a fallback is shown. Omitted if the file is shown."),
    .optional(
      "reload_error", \.reloadError, .text,
      "The problem with the last edit of the file, which isn't shown. Omitted after a successful reload."
    ),
    .optional(
      "stand_in", \.fallbackKind, .fallbackKind,
      "The fallback for the file: its last working copy, or the error page."),
    .optional(
      "focus", \.focus, .text,
      "The control with the keyboard focus. Omitted while keys aren't used."),
    .optional("logic", \.logic, .nested, "The kiosk's own program. Omitted if there isn't one."),
    .optional("sound", \.sound, .nested, "The playback of sounds. Omitted before the first sound."),
    .optional(
      "speech", \.speech, .nested, "Spoken output. Omitted if the kiosk doesn't speak."),
  ]
}

package enum FallbackKind: String, Hashable, Sendable {
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
    .required("program", \.program, .text, "The program's name in the kiosk's file."),
    .required("state", \.state, .text, "running, waiting for its next start, or ending."),
    .optional("process", \.process, .integer, "The process ID."),
    .required("starts", \.starts, .integer, "The number of starts."),
    .optional("last_end", \.lastEnd, .text, "The cause of the last exit."),
    .optional("next_start", \.nextStart, .seconds, "Seconds until the next start."),
  ]
}

package struct SpeechStatus: JSONRecord {
  package var program = ""
  package var state = ""
  package var count = 0
  package var problem: String?
  package init() {}

  package static let members: [Member<SpeechStatus>] = [
    .required("program", \.program, .text, "The speech program."),
    .required("state", \.state, .text, "off, silent between utterances, or speaking."),
    .required("count", \.count, .integer, "The number of utterances, audible or not."),
    .optional("problem", \.problem, .text, "The problem that made the last output inaudible."),
  ]
}

package struct SoundStatus: JSONRecord {
  package var state = ""
  package var count = 0
  package var problem: String?
  package init() {}

  package static let members: [Member<SoundStatus>] = [
    .required("state", \.state, .text, "playing, silent between sounds, or failed."),
    .required("count", \.count, .integer, "The number of started sounds, audible or not."),
    .optional("problem", \.problem, .text, "The problem that made the last output inaudible."),
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
  /// The output with the picture.
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
    .optional("obstacle", \.obstacle, .text, "The reason for waiting."),
    .required("size", \.size, .pixelSize, "The panel's width and height, in pixels."),
    .required("rotate", \.rotation, .rotation, "The rotation of the picture on the panel."),
    .required("refresh_interval", \.refreshInterval, .seconds, "Seconds between frames."),
    .required(
      "vblank", \.hasVerticalBlanks, .flag,
      "Whether the time of the display's vertical blanks is known."),
    .required(
      "blanks", \.blanks, .text,
      "The source of the vertical blanks for reported flips: the panel, a timer, or none."),
    .optional("card", \.card, .text, "The DRM device that shows the picture."),
    .optional(
      "output", \.output, .text,
      "The connector, or the compositor's output. The mirrors' connectors follow."),
    .optional("mode", \.mode, .text, "The display mode."),
    .optional("format", \.format, .text, "The pixel format, such as XRGB8888."),
    .optional(
      "depth", \.depth, .integer,
      "The colour depth for dithering in bits, if it is set."),
    .optional(
      "mirrors", \.mirrors, .list(of: .nested),
      "Displays with the same picture, each at its own refresh rate."),
    .optional(
      "left_out", \.leftOut, .list(of: .text),
      "The errors of requested outputs that don't show the picture."),
    .optional(
      "problems", \.problems, .list(of: .text),
      "The refused states of the panel: sleep and backlights. The kiosk retries until they are accepted."
    ),
  ]
}

package struct MirrorStatus: JSONRecord {
  package var card = ""
  package var output = ""
  package var mode = ""
  package var format = ""
  package init() {}

  package static let members: [Member<MirrorStatus>] = [
    .required("card", \.card, .text, "The mirror's DRM device."),
    .required("output", \.output, .text, "The connector."),
    .required("mode", \.mode, .text, "The display mode."),
    .required("format", \.format, .text, "The pixel format."),
  ]
}

package struct FrameStatus: JSONRecord {
  package var shown = 0
  package var timed = 0
  package var late = 0
  package var bytes = 0
  package init() {}

  package static let members: [Member<FrameStatus>] = [
    .required("shown", \.shown, .integer, "The number of displayed frames."),
    .required("timed", \.timed, .integer, "The number of frames with a known display time."),
    .required("late", \.late, .integer, "The number of late frames among these."),
    .required(
      "bytes", \.bytes, .integer,
      "The mean size of the updated pixels per frame in bytes, as sent by most drivers of slow buses."
    ),
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
    .required(
      "bounds", \.bounds, .list(of: .seconds), "The upper bounds of the buckets, in seconds."),
    .required("counts", \.counts, .list(of: .integer), "The number of latencies up to each bound."),
    .required("count", \.count, .integer, "The number of measurements."),
    .required("sum", \.sum, .seconds, "The sum of all latencies, in seconds."),
  ]
}

/// The memory of decoded and scaled images.
package struct ImageStatus: JSONRecord {
  package var bytes = 0
  package var limit = 0
  package init() {}

  package static let members: [Member<ImageStatus>] = [
    .required("bytes", \.bytes, .integer, "The size of the images, in bytes."),
    .required("limit", \.limit, .integer, "The maximum size of the images, in bytes."),
  ]
}

package struct ClientWorkStatus: JSONRecord {
  package var longestTurn = 0.0
  package var keptBytes = 0
  package init() {}

  package static let members: [Member<ClientWorkStatus>] = [
    .required(
      "longest_turn", \.longestTurn, .seconds,
      "The longest CPU time for clients in an iteration of the event loop, in seconds."),
    .required("kept_bytes", \.keptBytes, .integer, "The memory used for clients, in bytes."),
  ]
}
