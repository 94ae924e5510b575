// SPDX-License-Identifier: MIT

package import Geometry
package import JSONRPC

// Requests to the kiosk as a whole, except the commands that kiosk files support.

package struct RotateRequest: MethodRequest {
  package var degrees = Rotation.none
  package init() {}

  package static let method = Method<RotateRequest, Done>(
    "rotate", "Turns the picture on the panel, and the touches with it.")
  package static let members: [Member<RotateRequest>] = [
    .required("degrees", \.degrees, .rotation, "Clockwise.")
  ]
}

package struct ReloadRequest: MethodRequest {
  package init() {}
  package static let method = Method<ReloadRequest, Done>(
    "reload", "Reads the kiosk's file again; one with mistakes changes nothing.")
  package static let members: [Member<ReloadRequest>] = []
}

package struct RestartRequest: MethodRequest {
  package var seed: Double?
  package init() {}

  package static let method = Method<RestartRequest, Done>(
    "restart", "Makes the kiosk as it is after its start: what was chosen and set is forgotten.")
  package static let members: [Member<RestartRequest>] = [
    .optional(
      "seed", \.seed, .number(0...0x1p53), "The seed of chance; the one that it began with.")
  ]
}

package struct FailedRequest: MethodRequest {
  package var message = ""
  package init() {}

  package static let method = Method<FailedRequest, Done>(
    "failed", "Reports the event `failed`: something beside the kiosk has not worked.")
  package static let members: [Member<FailedRequest>] = [
    .required("message", \.message, .text, "What, where, and why.")
  ]
}

package struct BridgeRequest: MethodRequest {
  package var isConnected = false
  package init() {}

  package static let method = Method<BridgeRequest, Done>(
    "bridge", "Notes, for `status`, whether this client is connected to a broker.")
  package static let members: [Member<BridgeRequest>] = [
    .required("connected", \.isConnected, .flag, "Whether it is.")
  ]
}

package struct StopRequest: MethodRequest {
  package init() {}
  package static let method = Method<StopRequest, Done>("stop", "Ends the kiosk.")
  package static let members: [Member<StopRequest>] = []
}
