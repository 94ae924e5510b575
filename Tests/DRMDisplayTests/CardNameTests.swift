// SPDX-License-Identifier: MIT

import Glibc
import RoundelPresentation
import Testing

@testable import DRMDisplay

@Suite struct CardNameTests {
  /// Passes the path of a folder like /dev/dri to `body`.
  private func withCards(_ body: (String) throws -> Void) throws {
    var template = Array("/tmp/roundel-cards-XXXXXX".utf8CString)
    try #require(unsafe mkdtemp(&template) != nil)
    let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer {
      for name in ["by-path/platform-gpu-card", "by-path/pci-0000:00:02.0-card", "card0", "card1"] {
        _ = unsafe unlink("\(folder)/\(name)")
      }
      _ = unsafe rmdir("\(folder)/by-path")
      _ = unsafe rmdir(folder)
    }
    for card in ["card0", "card1"] {
      close(unsafe open("\(folder)/\(card)", O_CREAT | O_RDWR, 0o600))
    }
    _ = unsafe mkdir("\(folder)/by-path", 0o700)
    _ = unsafe symlink("../card1", "\(folder)/by-path/platform-gpu-card")
    _ = unsafe symlink("../card0", "\(folder)/by-path/pci-0000:00:02.0-card")
    try body(folder)
  }

  @Test func `a DRM device has several names`() throws {
    try withCards { folder in
      func paths(_ name: String) -> [String] { CardName(name, in: folder).paths(in: folder) }
      #expect(paths("/dev/null") == ["/dev/null"])
      #expect(paths("card1") == ["\(folder)/card1"])
      #expect(paths("platform-gpu") == ["\(folder)/card1"])
      #expect(paths("platform-gpu-card") == ["\(folder)/card1"])
      #expect(paths("\(folder)/by-path/pci-0000:00:02.0-card") == ["\(folder)/card0"])
      #expect(paths("/nonexistent/card7") == ["/nonexistent/card7"])
      #expect(paths("vc4") == ["\(folder)/card0", "\(folder)/card1"])
      #expect(CardName("vc4", in: folder) == .driver("vc4"))
    }
  }

  @Test func `a driver's name selects its devices, whatever their numbers`() throws {
    func report(_ path: String, _ driver: String) -> CardReport {
      CardReport(path: path, resources: .success(CardResources(path: path, driver: driver)))
    }
    let reports = [
      report("/dev/dri/card0", "v3d"), report("/dev/dri/card1", "vc4"),
      report("/dev/dri/card2", "drm-rp1-dsi"),
    ]
    #expect(try CardName.driver("vc4").cards(among: reports).map(\.path) == ["/dev/dri/card1"])
    #expect(try CardName.path("/x").cards(among: reports).count == 3)
    let error = #expect(throws: DisplayError.self) {
      try CardName.driver("vc5").cards(among: reports)
    }
    #expect(
      error?.description.contains(
        "found /dev/dri/card0 (v3d), /dev/dri/card1 (vc4), /dev/dri/card2 (drm-rp1-dsi)") == true
    )
  }
}
