// SPDX-License-Identifier: MIT

internal import LinuxIO
internal import SystemPackage

package struct StateFolders: Sendable {
  /// The directory for persistent state, or nil.
  package var persistent: String?
  /// The directory for state that survives the service manager's restarts but not a stop, or nil.
  package var volatile: String?

  package init(persistent: String?, volatile: String?) {
    self.persistent = persistent
    self.volatile = volatile
  }

  /// Uses the directories of the systemd unit, or the user's state directory.
  package init(environment variable: (String) -> String?) {
    func absolute(_ name: String) -> String? {
      variable(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    // systemd separates multiple directories with colons.
    func first(of folders: String?) -> String? {
      folders?.split(separator: ":").first.map(String.init)
    }
    persistent =
      first(of: absolute("STATE_DIRECTORY"))
      ?? absolute("XDG_STATE_HOME").map { $0 + "/roundel" }
      ?? absolute("HOME").map { $0 + "/.local/state/roundel" }
    volatile = first(of: variable("RUNTIME_DIRECTORY"))
  }

  func passingFile(of path: String, _ kind: String, maximumBytes: Int) -> StateFile? {
    guard let volatile, let name = FilePath(path).lastComponent?.stem else { return nil }
    return StateFile("\(volatile)/\(name).\(kind)", maximumBytes: maximumBytes)
  }
}
