// SPDX-License-Identifier: MIT

package import RoundelJSON
package import JSONRPC

package struct CalibrateRequest: MethodRequest {
  package var isCheck = false
  package init() {}

  package static let method = Method<CalibrateRequest, CalibrateAnswer>(
    "calibrate",
    "Shows five crosses to tap, one after the other, and applies the resulting matrix.",
    result: "{device, calibration, errors}")
  package static let members: [Member<CalibrateRequest>] = [
    .optional(
      "check", \.isCheck, .flag,
      "Whether to measure only the current errors, without changing the matrix.")
  ]
}

package struct CalibrateAnswer: JSONRecord {
  package var device = ""
  /// A matrix of six numbers.
  package var calibration: JSONValue = .null
  package var errors: JSONValue = .null
  package init() {}

  package static let members: [Member<CalibrateAnswer>] = [
    .required("device", \.device, .text, "The tapped touchscreen."),
    .required("calibration", \.calibration, .any, "The touchscreen's matrix, as six numbers."),
    .required(
      "errors", \.errors, .any,
      "The distance of each tap from its cross with that matrix, in pixels."),
  ]

  /// The matrix, or an empty list.
  package var numbers: [Double] { Self.numbers(calibration) }
  /// The distances between taps and crosses in pixels.
  package var distances: [Double] { Self.numbers(errors) }

  private static func numbers(_ value: JSONValue) -> [Double] {
    guard case .array(let items) = value else { return [] }
    return items.compactMap(\.number)
  }
}
