// SPDX-License-Identifier: MIT

import JSON
import KioskFile
import LinuxIO
import Runtime

/// The page that a panel shows when there is no kiosk to show: what is wrong, and how to reach the
/// machine.
struct FaultPage: Equatable {
  /// The kiosk file.
  private let path: String
  /// What is wrong.
  private let reasons: [String]
  private let hostName = MachineAddress.hostName
  private let addresses = MachineAddress.addresses

  private static let maximumReasons = 6
  private static let maximumReasonLength = 400
  private static let maximumAddresses = 4

  init(_ path: String, _ reasons: [String]) {
    self.path = path
    self.reasons = reasons
  }

  var content: Content {
    get throws(Failure) {
      let assets = Assets()
      let parsed = ParsedKiosk(Array(text.utf8), path: path, assets: assets, limit: .ofKioskFile)
      guard let description = parsed.description else {
        throw Failure(.badFile, "the page that says what is wrong cannot be shown")
      }
      assets.addFallback()
      return Content(description, fonts: assets.fonts, images: assets.images)
    }
  }

  private var text: String {
    """
    kiosk: roundel
    screen: {size: [1280, 800], background: "#10151c", rotate: auto}
    pages:
      - page: fault
        controls:
          - label: title
            at: [640, 104]
            size: [1120, 72]
            text: This kiosk cannot be shown
            align: left
            font_size: 48
            color: "#f0b35a"
          - label: file
            at: [640, 172]
            size: [1120, 40]
            text: \(quoted(path))
            align: left
            font_size: 26
            color: "#9fb0c3"
          - label: reasons
            at: [640, 388]
            size: [1120, 352]
            text: \(quoted(shownReasons))
            align: left
            font_size: 26
            color: "#ffffff"
          - label: help
            at: [640, 672]
            size: [1120, 160]
            text: \(quoted(help))
            align: left
            font_size: 26
            color: "#9fb0c3"
    """
  }

  private var shownReasons: String {
    reasons.prefix(Self.maximumReasons).map { String($0.prefix(Self.maximumReasonLength)) }
      .joined(separator: "\n")
  }

  private var help: String {
    let places = [hostName] + addresses.prefix(Self.maximumAddresses)
    return """
      To mend it, log in over the network: ssh \(places.joined(separator: ", or "))
      The kiosk comes back by itself as soon as its file is mended.
      """
  }

  /// As a text of a kiosk file that holds no templates.
  private func quoted(_ text: String) -> String {
    let literal = text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { String($0).printable }.joined(separator: "\n")
      .reduce(into: "") { $0 += $1 == "{" || $1 == "}" ? "\($1)\($1)" : "\($1)" }
    return JSONValue.string(literal).text
  }
}
