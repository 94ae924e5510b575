// SPDX-License-Identifier: MIT

import Glibc
import LinuxIO
import SystemPackage
import Testing

/// Runs a program and returns its exit.
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
  @Test func `the end of a program is reported asynchronously`() throws {
    #expect(try outcome("true") == .status(0))
    #expect(try outcome("/bin/sh", "-c", "exit 7") == .status(7))
    #expect(try outcome("/bin/sh", "-c", "kill -9 $$") == .signal(9))
  }

  @Test func `arguments reach the program unchanged`() throws {
    // A shell would expand and split them.
    #expect(try outcome("test", "$HOME *; exit 3", "=", "$HOME *; exit 3") == .status(0))
  }

  @Test func `a program has no input or output, and its own session`() throws {
    #expect(try outcome("/bin/sh", "-c", "! read line && echo lost") == .status(0))
    #expect(try outcome("/bin/sh", "-c", "[ $(ps -o sid= -p $$) = $$ ]") == .status(0))
  }

  @Test func `a program doesn't inherit blocked signals`() throws {
    let loop = try EventLoop()
    let watch = try SignalWatch([.terminate], on: loop) { _ in }
    #expect(try outcome("/bin/sh", "-c", "kill -TERM $$; sleep 5") == .signal(15))
    withExtendedLifetime(watch) {}
  }

  @Test(arguments: [
    ([], Errno.invalidArgument), ([""], .invalidArgument), (["true", "a\0b"], .invalidArgument),
    (["/nonexistent/program"], .noSuchFileOrDirectory), (["/etc/passwd"], .permissionDenied),
  ])
  func `a program that can't be started is an error`(_ arguments: [String], _ error: Errno) throws {
    let programs = ChildProcesses(on: try EventLoop())
    #expect(throws: ChildProcess.StartError.failed(error)) {
      try programs.start(arguments) { _ in }
    }
  }

  @Test func `the number of programs is limited, and an ended one frees its slot`() throws {
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
      refusal?.description == "the maximum of 2 programs is already running")
    while ended == 0 { try loop.run() }
    try start()
    while ended < 3 { try loop.run() }
  }

  @Test func `a program is reaped even without a free descriptor to watch it`() async {
    // In a separate process, because it uses up its descriptors.
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

  @Test func `no descriptor and no process is leaked`() async {
    // In a separate process without other children.
    await #expect(processExitsWith: .success) {
      let before = openDescriptors()
      for _ in 0..<5 {
        let exit = try outcome("true")
        #expect(exit == .status(0))
      }
      // The test runner may open a few, but not as many as there were programs.
      #expect(openDescriptors() < before + 5)
      let waited = waitpid(-1, nil, WNOHANG)
      #expect(waited == -1)
    }
  }
}
