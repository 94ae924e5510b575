// SPDX-License-Identifier: MIT

package import RoundelGeometry
internal import LinuxIO

/// Panel parameters of the kernel's command line: `video=DSI-1:720x1280@60,rotate=90` for one
/// connector, or without a name for all. Source: Documentation/fb/modedb.rst and drm_modes.c in the
/// kernel's tree.
package struct VideoParameters: Sendable {
  /// The options after the mode, by connector. The empty name means all connectors.
  private var options: [String: [Substring]] = [:]

  /// If there are several parameters for one connector, the last one counts.
  package init(commandLine: String) {
    for word in commandLine.split(whereSeparator: \.isWhitespace) {
      let word = word.filter { $0 != "\"" }
      guard word.hasPrefix("video=") else { continue }
      let value = word.dropFirst("video=".count)
      // A mode doesn't contain a colon.
      let parts = value.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let name = parts.count == 2 ? String(parts[0]) : ""
      options[name] = (parts.last ?? "").split(separator: ",")
    }
  }

  /// Empty if they can't be read.
  static let ofThisMachine = VideoParameters(
    commandLine: Files.kernelText("/proc/cmdline"))

  /// The console's clockwise rotation, or nil if the command line doesn't set it.
  ///
  /// The kernel rotates it counterclockwise by `rotate=`, and makes it upright on a panel mounted
  /// according to `panel_orientation=`.
  package func rotation(of connector: String) -> Rotation? {
    guard let options = options[connector] ?? options[""] else { return nil }
    for option in options.reversed() {
      let parts = option.split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else { continue }
      switch (parts[0], parts[1]) {
      case ("rotate", let angle):
        if let turn = Int(angle).flatMap({ Rotation(rawValue: $0) }) { return turn.inverse }
      case ("panel_orientation", "normal"): return Rotation.none
      case ("panel_orientation", "upside_down"): return .half
      case ("panel_orientation", "left_side_up"): return .threeQuarters
      case ("panel_orientation", "right_side_up"): return .quarter
      default: break
      }
    }
    return nil
  }
}
