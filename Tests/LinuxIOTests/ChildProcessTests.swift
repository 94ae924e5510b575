// SPDX-License-Identifier: MIT

import Glibc
import LinuxIO
import SystemPackage
import Testing

/// How the program ends.
private func outcome(_ arguments: String...) throws -> ChildProcess.Exit? {
  let loop = try EventLoop()
  let programs = ChildProcesses(on: loop)
  var result: ChildProcess.Exit?
  try programs.start(arguments) {
    result = $0
    loop.stop()
  }
  try loop.run()
  return result
}

@Suite struct ChildProcessTests {
  @Test func `the end of a program is reported, not waited for`() throws {
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
    let programs = ChildProcesses(on: try EventLoop())
    #expect(throws: ChildProcess.StartError.failed(error)) {
      try programs.start(arguments) { _ in }
    }
  }

  @Test func `as many run as may run at once, and another when one of them has ended`() throws {
    let loop = try EventLoop()
    let programs = ChildProcesses(maximumCount: 2, on: loop)
    var ended = 0
    func start() throws {
      try programs.start(["true"]) { _ in
        ended += 1
        loop.stop()
      }
    }
    try start()
    try start()
    let refusal = #expect(throws: ChildProcess.StartError.limit(2)) { try start() }
    #expect(
      refusal?.description == "2 programs run already, the maximum at once; it was not started")
    while ended == 0 { try loop.run() }
    try start()
    while ended < 3 { try loop.run() }
  }

  @Test func `a program is reaped where there is no descriptor left to watch it by`() async {
    // In a process of its own, whose descriptors it may use up.
    await #expect(processExitsWith: .success) {
      let loop = try EventLoop()
      let programs = ChildProcesses(on: loop)
      var limit = rlimit(rlim_cur: 64, rlim_max: 64)
      _ = unsafe setrlimit(__rlimit_resource_t(7), &limit)
      while dup(0) >= 0 {}
      var exit: ChildProcess.Exit?
      try programs.start(["/bin/sh", "-c", "exit 5"]) {
        exit = $0
        loop.stop()
      }
      try loop.run()
      #expect(exit == .status(5))
      let waited = waitpid(-1, nil, WNOHANG)
      #expect(waited == -1)
    }
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
