// SPDX-License-Identifier: MIT

import KioskHost
import Testing

@Suite struct StateFoldersTests {
  private func folders(_ variables: [String: String]) -> StateFolders {
    StateFolders { variables[$0] }
  }

  @Test func `a unit's directories take precedence over the user's`() {
    let found = folders([
      "STATE_DIRECTORY": "/var/lib/roundel:/var/lib/other",
      "RUNTIME_DIRECTORY": "/run/roundel:/run/x",
      "XDG_STATE_HOME": "/home/a/state", "HOME": "/home/a",
    ])
    #expect(found.persistent == "/var/lib/roundel" && found.volatile == "/run/roundel")
  }

  @Test func `the user's state directory is in the home directory unless another is set`() {
    #expect(folders(["HOME": "/home/a"]).persistent == "/home/a/.local/state/roundel")
    #expect(folders(["HOME": "/home/a", "XDG_STATE_HOME": "/s"]).persistent == "/s/roundel")
  }

  @Test func `a relative path is ignored`() {
    #expect(folders(["STATE_DIRECTORY": "state", "HOME": "home"]).persistent == nil)
    #expect(folders([:]).persistent == nil && folders([:]).volatile == nil)
  }
}
