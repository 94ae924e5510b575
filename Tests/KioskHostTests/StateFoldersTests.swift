// SPDX-License-Identifier: MIT

import KioskHost
import Testing

@Suite struct StateFoldersTests {
  private func folders(_ variables: [String: String]) -> StateFolders {
    StateFolders { variables[$0] }
  }

  @Test func `a unit's folders go before the user's`() {
    let found = folders([
      "STATE_DIRECTORY": "/var/lib/roundel:/var/lib/other",
      "RUNTIME_DIRECTORY": "/run/roundel:/run/x",
      "XDG_STATE_HOME": "/home/a/state", "HOME": "/home/a",
    ])
    #expect(found.lasting == "/var/lib/roundel" && found.passing == "/run/roundel")
  }

  @Test func `a user's folder for state is below the home folder unless another is named`() {
    #expect(folders(["HOME": "/home/a"]).lasting == "/home/a/.local/state/roundel")
    #expect(folders(["HOME": "/home/a", "XDG_STATE_HOME": "/s"]).lasting == "/s/roundel")
  }

  @Test func `a folder that depends on where the process is does not count`() {
    #expect(folders(["STATE_DIRECTORY": "state", "HOME": "home"]).lasting == nil)
    #expect(folders([:]).lasting == nil && folders([:]).passing == nil)
  }
}
