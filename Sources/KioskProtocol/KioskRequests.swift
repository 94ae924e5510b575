// SPDX-License-Identifier: MIT

package import RoundelGeometry
package import JSONRPC
package import Kiosk
internal import RoundelJSON

// Requests to the kiosk as a whole, except the commands that kiosk files support.

package struct RotateRequest: MethodRequest {
  package var degrees = Rotation.none
  package init() {}

  package static let method = Method<RotateRequest, Done>(
    "rotate", "Rotates the picture on the panel, and the touches with it.")
  package static let members: [Member<RotateRequest>] = [
    .required("degrees", \.degrees, .rotation, "The clockwise angle in degrees.")
  ]
}

package struct ReloadRequest: MethodRequest {
  package init() {}
  package static let method = Method<ReloadRequest, Done>(
    "reload", "Reloads the kiosk's file. A file with errors changes nothing.")
  package static let members: [Member<ReloadRequest>] = []
}

package struct RestartRequest: MethodRequest {
  package var seed: Double?
  package init() {}

  package static let method = Method<RestartRequest, Done>(
    "restart", "Resets the kiosk to its initial state. Selections and settings are lost.")
  package static let members: [Member<RestartRequest>] = [
    .optional(
      "seed", \.seed, .number(0...0x1p53), "The random seed. The default is the initial seed.")
  ]
}

package struct FailedRequest: MethodRequest {
  package var message = ""
  package init() {}

  package static let method = Method<FailedRequest, Done>(
    "failed", "Reports the event `failed`, for a failure outside of the kiosk.")
  package static let members: [Member<FailedRequest>] = [
    .required("message", \.message, .text, "The failure, its location and its reason.")
  ]
}

package struct BridgeRequest: MethodRequest {
  package var isConnected = false
  package var service = Service.mqtt
  package init() {}

  package static let method = Method<BridgeRequest, Done>(
    "bridge",
    "Records whether this client is connected to a service, for `status` and for actions that need the service."
  )
  package static let members: [Member<BridgeRequest>] = [
    .required("connected", \.isConnected, .flag, "Whether the client is connected."),
    .optional("service", \.service, .service, "The service. The default is \"mqtt\"."),
  ]
}

extension JSONType where Value == Service {
  fileprivate static let service = JSONType(
    Service.allCases.map(\.rawValue).joined(separator: ", "), .schema("string")
  ) { json in
    json.string.flatMap { Service(rawValue: $0) }
  } write: { service in
    .string(service.rawValue)
  }
}

package struct StopRequest: MethodRequest {
  package init() {}
  package static let method = Method<StopRequest, Done>("stop", "Ends the kiosk.")
  package static let members: [Member<StopRequest>] = []
}
