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
    #expect(found.lasting == "/var/lib/roundel" && found.passing == "/run/roundel")
  }

  @Test func `the user's state directory is in the home directory unless another is set`() {
    #expect(folders(["HOME": "/home/a"]).lasting == "/home/a/.local/state/roundel")
    #expect(folders(["HOME": "/home/a", "XDG_STATE_HOME": "/s"]).lasting == "/s/roundel")
  }

  @Test func `a relative path is ignored`() {
    #expect(folders(["STATE_DIRECTORY": "state", "HOME": "home"]).lasting == nil)
    #expect(folders([:]).lasting == nil && folders([:]).passing == nil)
  }
}
