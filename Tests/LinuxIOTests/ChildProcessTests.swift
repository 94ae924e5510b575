// SPDX-License-Identifier: MIT

import Glibc
import LinuxIO
import SystemPackage
import Testing

/// How the program ends.
private func outcome(_ arguments: String...) throws -> ChildProcess.Exit? {
  let loop = try EventLoop()
  var result: ChildProcess.Exit?
  try ChildProcess.start(arguments, on: loop) {
    result = $0
    loop.stop()
  }
  try loop.run()
  return result
}

@Suite struct ChildProcessTests {
  @Test func `the end of a program is told, not waited for`() throws {
    #expect(try outcome("true") == .status(0))
    #expect(try outcome("/bin/sh", "-c", "exit 7") == .status(7))
    #expect(try outcome("/bin/sh", "-c", "kill -9 $$") == .signal(9))
  }

  @Test func `arguments reach the program as they are`() throws {
    // Were there a shell in between, it would replace and split them.
    #expect(try outcome("test", "$HOME *; exit 3", "=", "$HOME *; exit 3") == .status(0))
  }

  @Test func `it reads nothing, writes nowhere and is a session of its own`() throws {
    #expect(try outcome("/bin/sh", "-c", "! read line && echo lost") == .status(0))
    #expect(try outcome("/bin/sh", "-c", "[ $(ps -o sid= -p $$) = $$ ]") == .status(0))
  }

  @Test func `it takes over no blocked signal`() throws {
    let loop = try EventLoop()
    let watch = try SignalWatch([.terminate], on: loop) { _ in }
    #expect(try outcome("/bin/sh", "-c", "kill -TERM $$; sleep 5") == .signal(15))
    withExtendedLifetime(watch) {}
  }

  @Test(arguments: [
    ([], Errno.invalidArgument), ([""], .invalidArgument), (["true", "a\0b"], .invalidArgument),
    (["/nonexistent/program"], .noSuchFileOrDirectory), (["/etc/passwd"], .permissionDenied),
  ])
  func `what cannot be started is an error`(_ arguments: [String], _ error: Errno) throws {
    let loop = try EventLoop()
    #expect(throws: error) { try ChildProcess.start(arguments, on: loop) { _ in } }
  }

  @Test func `no descriptor and no process is left behind`() async {
    // In a process of its own, which has no other children.
    await #expect(processExitsWith: .success) {
      let before = openDescriptors()
      for _ in 0..<5 {
        let exit = try outcome("true")
        #expect(exit == .status(0))
      }
      // The test runner may open one of its own meanwhile; a leak would be one for each program.
      #expect(openDescriptors() < before + 5)
      let waited = waitpid(-1, nil, WNOHANG)
      #expect(waited == -1)
    }
  }
}
