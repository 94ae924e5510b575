// SPDX-License-Identifier: MIT

import RoundelExpressions
import Kiosk
import Testing

@Suite struct CodeTests {
  @Test func `a QR code keeps its content when its new text is too long, and fails`() throws {
    var guest = try Guest(
      """
      kiosk: k
      screen: {size: [800, 480], background: "#101820"}
      values: {link: "https://example.org"}
      pages:
        - page: a
          controls:
            - {qr: q, at: [200, 200], size: [100, 100], text: "{link}"}
      """)
    let before = guest.engine.displayList
    try guest.set("link", .text(String(repeating: "a", count: 3000)))
    let failures = guest.events("failed")
    #expect(failures.count == 1)
    #expect(
      failures.allSatisfy { "\($0)".contains("is too long for a QR code: 3000 bytes") },
      "\(failures)")
    #expect(guest.engine.displayList == before)
    try guest.set("link", .text("https://example.org/b"))
    #expect(guest.engine.displayList != before)
    try guest.set("link", .text("https://example.org"))
    #expect(guest.engine.displayList == before)
    #expect(guest.events("failed") == [])
  }
}
