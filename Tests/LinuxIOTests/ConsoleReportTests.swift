// SPDX-License-Identifier: MIT

import Foundation
import LinuxIO
import Testing

/// A folder with the files of a machine.
private final class Machine {
  let root = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  init(_ files: [String: String]) throws {
    for (name, text) in files {
      let place = root.appending(path: name)
      try FileManager.default.createDirectory(
        at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      try text.write(to: place, atomically: true, encoding: .utf8)
    }
  }

  deinit { try? FileManager.default.removeItem(at: root) }

  var report: ConsoleReport { ConsoleReport(root: root.path) }
}

@Suite struct ConsoleReportTests {
  @Test func `a machine that shows the kiosk's console has no problem`() throws {
    let machine = try Machine([
      "sys/class/tty/tty0/active": "tty1\n",
      "proc/cmdline": "root=/dev/sda1 quiet vt.global_cursor_default=0\n",
      "proc/1/comm": "systemd\n",
    ])
    #expect(machine.report.shown == "tty1")
    #expect(machine.report.problems.isEmpty)
    #expect(machine.report.advice.isEmpty)
    #expect(!machine.report.hasSplash)
  }

  @Test func `a different console and a splash screen on the DRM device are reported`() throws {
    let machine = try Machine([
      "sys/class/tty/tty0/active": "tty3\n", "proc/cmdline": "splash\n",
      "proc/712/comm": "plymouthd\n", "usr/sbin/plymouthd": "",
    ])
    let report = machine.report
    #expect(report.splashProcesses == [712])
    #expect(report.hasSplash)
    #expect(report.problems.count == 2)
    #expect(report.problems[0].contains("plymouth (712)"))
    #expect(report.problems[0].contains("plymouth quit --retain-splash"))
    #expect(report.problems[1].hasPrefix("tty3 is active"))
    #expect(report.problems[1].contains("chvt 1"))
    #expect(report.advice.map { $0.contains("quiet") } == [true, false])
    #expect(report.advice[1].contains("vt.global_cursor_default=0"))
  }

  @Test func `a machine without virtual consoles gets no advice`() throws {
    let report = try Machine(["proc/cmdline": ""]).report
    #expect(report.shown == nil)
    #expect(report.advice.isEmpty && report.problems.isEmpty)
  }
}
