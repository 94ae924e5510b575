// SPDX-License-Identifier: MIT

package import RoundelGeometry
package import RoundelJSON
package import Kiosk
package import JSONRPC

package struct VersionRequest: MethodRequest {
  package init() {}
  package static let method = Method<VersionRequest, VersionAnswer>(
    "version", "Returns the version of roundel.", result: "{version}")
  package static let members: [Member<VersionRequest>] = []
}

package struct VersionAnswer: JSONRecord {
  package var version = ""
  package init() {}
  package static let members: [Member<VersionAnswer>] = [.required("version", \.version, .text)]
}

package struct GetRequest: MethodRequest {
  package var property: Reference
  package init() { property = .page }
  package init(_ property: Reference) { self.property = property }

  package static let method = Method<GetRequest, GetAnswer>(
    "get", "Returns the value of a property.", result: "{value}")
  package static let members: [Member<GetRequest>] = [
    .required("property", \.property, .property, "The property.")
  ]
}

package struct GetAnswer: JSONRecord {
  package var value: JSONValue = .null
  package init() {}
  package static let members: [Member<GetAnswer>] = [.required("value", \.value, .any)]
}

package struct PlaceRequest: MethodRequest {
  package var target: Target
  package init() { target = Target(control: "") }
  package init(_ target: Target) { self.target = target }

  package static let method = Method<PlaceRequest, PlaceAnswer>(
    "place", "Returns the current touch position of a control or an item.",
    result: "{at}: [x, y] in design pixels")
  package static let members: [Member<PlaceRequest>] = [
    .required("target", \.target, .target, "The control or item.")
  ]
}

package struct PlaceAnswer: JSONRecord {
  package var place = Point.zero
  package init() {}
  package static let members: [Member<PlaceAnswer>] = [.required("at", \.place, .roundedPoint)]
}

package struct TypingRequest: MethodRequest {
  package var text = ""
  package var control: String?
  package init() {}

  package static let method = Method<TypingRequest, TypingAnswer>(
    "typing", "Returns the keys that currently type the given text on a keypad.",
    result: "{keys}: [CONTROL/ITEM, …]")
  package static let members: [Member<TypingRequest>] = [
    .required("text", \.text, .text, "The text to type."),
    .optional(
      "control", \.control, .text, "The keypad's id. The default is the only visible keypad."),
  ]
}

package struct TypingAnswer: JSONRecord {
  package var keys: [Target] = []
  package init() {}
  package static let members: [Member<TypingAnswer>] = [
    .required("keys", \.keys, .list(of: .target))
  ]
}

package struct LatencyRequest: MethodRequest {
  package init() {}
  package static let method = Method<LatencyRequest, LatencyAnswer>(
    "latency", "Returns the latencies from touch to display, in seconds.",
    result: "{STAGE: {count, median, p95, p99, worst}}")
  package static let members: [Member<LatencyRequest>] = []
}

/// The durations of touches, by stage.
package struct LatencyAnswer: JSONConvertible {
  package var stages: [(name: String, times: Durations)]

  package init(_ stages: [(name: String, times: Durations)]) {
    self.stages = stages
  }

  package init?(_ json: JSONValue) {
    guard case .object(let members) = json else { return nil }
    stages = []
    for member in members {
      guard let times = Durations(member.value) else { return nil }
      stages.append((member.name, times))
    }
  }

  package var json: JSONValue { .object(stages.map { .init($0.name, $0.times.json) }) }
}

/// Quantiles in seconds, or nil if there are no durations.
package struct Durations: JSONRecord {
  package var count = 0
  package var median: Double?
  package var p95: Double?
  package var p99: Double?
  package var worst: Double?
  package init() {}

  package static let members: [Member<Durations>] = [
    .required("count", \.count, .integer, "The number of measurements."),
    .nullable("median", \.median, .seconds, "The median, in seconds."),
    .nullable("p95", \.p95, .seconds, "The 95th percentile, in seconds."),
    .nullable("p99", \.p99, .seconds, "The 99th percentile, in seconds."),
    .nullable("worst", \.worst, .seconds, "The maximum, in seconds."),
  ]
}
