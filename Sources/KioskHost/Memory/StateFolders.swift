// SPDX-License-Identifier: MIT

internal import LinuxIO
internal import SystemPackage

/// The folders for what outlives a kiosk's process.
package struct StateFolders: Sendable {
  /// Keeps files for good; nil where there is none.
  package var lasting: String?
  /// Keeps files while a service manager starts the kiosk again, and loses them when the kiosk is
  /// stopped; nil where there is none.
  package var passing: String?

  package init(lasting: String?, passing: String?) {
    self.lasting = lasting
    self.passing = passing
  }

  /// The unit's StateDirectory, or the user's folder for state; the unit's RuntimeDirectory.
  package init(environment variable: (String) -> String?) {
    func absolute(_ name: String) -> String? {
      variable(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    // systemd separates several by colons.
    func first(of folders: String?) -> String? {
      folders?.split(separator: ":").first.map(String.init)
    }
    lasting =
      first(of: absolute("STATE_DIRECTORY"))
      ?? absolute("XDG_STATE_HOME").map { $0 + "/roundel" }
      ?? absolute("HOME").map { $0 + "/.local/state/roundel" }
    passing = first(of: variable("RUNTIME_DIRECTORY"))
  }

  /// A passing file of the kiosk whose file is at `path`.
  func passingFile(of path: String, _ kind: String, maximumBytes: Int) -> StateFile? {
    guard let passing, let name = FilePath(path).lastComponent?.stem else { return nil }
    return StateFile("\(passing)/\(name).\(kind)", maximumBytes: maximumBytes)
  }
}
