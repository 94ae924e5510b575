// SPDX-License-Identifier: MIT

import Glibc
import LinuxIO
import SystemPackage
import Testing

/// A new directory, removed with what it holds.
private final class Directory {
  let path: String

  init() {
    path = "/tmp/roundel-test-\(UInt64.random(in: 0 ... .max))"
    _ = unsafe mkdir(path, 0o700)
  }

  deinit {
    for name in ["kiosk", "other", "new", "link", "target"] { remove(name) }
    _ = unsafe rmdir(path)
  }

  func write(_ name: String) {
    guard let file = unsafe fopen("\(path)/\(name)", "w") else { return }
    unsafe fputs("x", file)
    unsafe fclose(file)
  }

  func read(_ name: String) {
    guard let file = unsafe fopen("\(path)/\(name)", "r") else { return }
    unsafe fclose(file)
  }

  func rename(_ name: String, to other: String) {
    _ = unsafe Glibc.rename("\(path)/\(name)", "\(path)/\(other)")
  }

  func link(_ name: String, to target: String) {
    _ = unsafe symlink("\(path)/\(target)", "\(path)/\(name)")
  }

  func remove(_ name: String) {
    _ = unsafe unlink("\(path)/\(name)")
  }
}

@Suite struct FileWatchTests {
  private let directory = Directory()

  /// How often the watch on the file calls while `change` is read in one go.
  private func calls(
    of name: String = "kiosk", after prepare: (Directory) -> Void, _ change: (Directory) -> Void
  ) throws -> Int {
    prepare(directory)
    let loop = try EventLoop()
    var count = 0
    let watch = try FileWatch(["\(directory.path)/\(name)"], on: loop) { count += 1 }
    change(directory)
    // Only what has happened by now; nothing comes from elsewhere.
    try loop.turn(until: MonotonicClock.now)
    withExtendedLifetime(watch) {}
    return count
  }

  @Test func `writing in place is told once`() throws {
    #expect(try calls(after: { $0.write("kiosk") }, { $0.write("kiosk") }) == 1)
  }

  @Test func `an editor's rename over the file is told`() throws {
    let count = try calls(after: { $0.write("kiosk") }) {
      $0.write("new")
      $0.rename("new", to: "kiosk")
    }
    #expect(count == 1)
  }

  @Test func `a file that appears later is told`() throws {
    #expect(try calls(after: { _ in }, { $0.write("kiosk") }) == 1)
  }

  @Test func `a file that is taken away is told`() throws {
    #expect(try calls(after: { $0.write("kiosk") }, { $0.remove("kiosk") }) == 1)
  }

  @Test func `other files of the directory do not matter`() throws {
    #expect(try calls(after: { $0.write("kiosk") }, { $0.write("other") }) == 0)
  }

  @Test func `reading does not matter`() throws {
    let count = try calls(after: { $0.write("kiosk") }) { $0.read("kiosk") }
    #expect(count == 0)
  }

  @Test func `a write to what a symbolic link names is told`() throws {
    let count = try calls(of: "link") {
      $0.write("target")
      $0.link("link", to: "target")
    } _: {
      $0.write("target")
    }
    #expect(count == 1)
  }

  @Test func `the file that has replaced another is watched as well`() throws {
    directory.write("kiosk")
    let loop = try EventLoop()
    var count = 0
    let watch = try FileWatch(["\(directory.path)/kiosk"], on: loop) { count += 1 }
    for _ in 0..<3 {
      directory.write("new")
      directory.rename("new", to: "kiosk")
      try loop.turn(until: MonotonicClock.now)
      directory.write("kiosk")
      try loop.turn(until: MonotonicClock.now)
    }
    #expect(count == 6)
    withExtendedLifetime(watch) {}
  }

  @Test func `a directory that is not there is an error`() throws {
    let loop = try EventLoop()
    #expect(throws: Errno.noSuchFileOrDirectory) {
      _ = try FileWatch(["/nonexistent/kiosk"], on: loop) {}
    }
  }
}
