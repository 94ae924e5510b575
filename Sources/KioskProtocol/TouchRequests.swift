// SPDX-License-Identifier: MIT

package import RoundelGeometry
package import RoundelJSON
package import Kiosk
package import JSONRPC

private let markerSentence = "Whether the panel shows a ring at the touch position."

package struct TapRequest: MethodRequest {
  package var target: Target?
  package var place: Point?
  package var duration = 0.08
  package var marker = false
  package init() {}

  package static let method = Method<TapRequest, TouchAnswer>(
    "tap", "Puts a finger down and lifts it.", result: TouchAnswer.words)
  package static let members: [Member<TapRequest>] = [
    .optional("target", \.target, .target, "The control or item to tap."),
    .optional("at", \.place, .point, "The point, instead of `target`."),
    .optional(
      "duration", \.duration, .number(0...60, "seconds"), "Seconds until the finger is lifted."),
    .optional("marker", \.marker, .flag, markerSentence),
  ]
}

package struct DragRequest: MethodRequest {
  package var target: Target?
  package var place: Point?
  package var to: Point?
  package var toTarget: Target?
  package var by: Point?
  package var duration = 0.3
  package var hold = 0.0
  package var marker = false
  package init() {}

  package static let method = Method<DragRequest, TouchAnswer>(
    "drag", "Moves a finger in a straight line. Lifted in motion, it flings.",
    result: TouchAnswer.words)
  package static let members: [Member<DragRequest>] = [
    .optional("target", \.target, .target, "The starting point."),
    .optional("at", \.place, .point, "The point, instead of `target`."),
    .optional("to", \.to, .point, "The end point."),
    .optional("to_target", \.toTarget, .target, "The end as a control or item, instead of `to`."),
    .optional("by", \.by, .point, "The offset, instead of `to`."),
    .optional(
      "duration", \.duration, .number(0...60, "seconds"),
      "The duration of the movement, in seconds."),
    .optional(
      "hold", \.hold, .number(0...60, "seconds"), "Seconds of rest before the finger is lifted."),
    .optional("marker", \.marker, .flag, markerSentence),
  ]
}

package struct TouchAnswer: JSONRecord {
  package var isTaken = false
  package var control: String?
  package var place: Point?
  package var hasWoken = false
  package init() {}

  fileprivate static let words =
    "{taken, control, at}: whether a control or the page handled the touch, and which control"
  package static let members: [Member<TouchAnswer>] = [
    .required("taken", \.isTaken, .flag),
    .nullable("control", \.control, .text),
    .nullable("at", \.place, .roundedPoint),
    .optional("woke", \.hasWoken, .flag),
  ]
}

package enum RecordingSteps: Hashable, Sendable {
  /// Lines separated by line feeds.
  case text(String)
  /// Objects, because a string needs an additional byte for each quotation mark.
  case lines([JSONValue])
}

extension JSONType where Value == RecordingSteps {
  fileprivate static let recording = JSONType(
    "a string or a list of objects",
    .object([
      .init(
        "anyOf", .array([.schema("string"), .schema("array", .init("items", .schema("object")))]))
    ])
  ) {
    switch $0 {
    case .string(let text): .text(text)
    case .array(let lines): .lines(lines)
    default: nil
    }
  } write: {
    switch $0 {
    case .text(let text): .string(text)
    case .lines(let lines): .array(lines)
    }
  }
}

package struct TouchRequest: MethodRequest {
  package var recording = RecordingSteps.text("")
  package var more = false
  package var shots = false
  package var marker = false
  package init() {}

  package static let method = Method<TouchRequest, RecordingAnswer>(
    "touch", "Plays a recording in real time.",
    result:
      "{taken, answers, refused}: the control that handled each finger; the values requested by get steps; the errors of refused steps, if any"
  )
  package static let members: [Member<TouchRequest>] = [
    .required(
      "recording", \.recording, .recording,
      "The lines written by roundel record, as a string or a list of objects."),
    .optional(
      "more", \.more, .flag,
      "Whether more of the recording follows in another request, with times relative to the first."),
    .optional(
      "shots", \.shots, .flag,
      "Whether to send the recording's shots, as notifications called \"shot\" with {name, png}."),
    .optional("marker", \.marker, .flag, markerSentence),
  ]
}

/// The outcome of part of a recording.
package struct RecordingAnswer: JSONRecord {
  /// The receiver of each new touch, or nil.
  package var takers: [String?] = []
  package var answers: [JSONValue] = []
  package var refusals: [String] = []
  package init() {}

  package static let members: [Member<RecordingAnswer>] = [
    .required("taken", \.takers, .list(ofOptional: .text)),
    .required("answers", \.answers, .list(of: .any)),
    .optional("refused", \.refusals, .list(of: .text)),
  ]

  /// `answers` and `refusals` are comma-separated JSON.
  package static func encoded(takers: [String?], answers: [UInt8], refusals: [UInt8]) -> [UInt8] {
    let takers = JSONType.list(ofOptional: .text).write(takers)
    var text = Array("{\"taken\":\(takers.text),\"answers\":[".utf8) + answers
    if !refusals.isEmpty { text += Array("],\"refused\":[".utf8) + refusals }
    return text + Array("]}".utf8)
  }
}
