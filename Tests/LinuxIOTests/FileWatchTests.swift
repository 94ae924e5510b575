// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import LinuxIO
import RoundelMotion
import SystemPackage
import Testing

/// A new directory, removed with its contents.
private final class Directory {
  let path: String

  init() {
    path = "/tmp/roundel-test-\(UInt64.random(in: 0 ... .max))"
    _ = unsafe mkdir(path, 0o700)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  func makeFolder(_ name: String) {
    _ = unsafe mkdir("\(path)/\(name)", 0o700)
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

  /// Creates a symbolic link. `target` is relative to the link's directory.
  func link(_ name: String, to target: String) {
    _ = unsafe symlink(target, "\(path)/\(name)")
  }

  /// Replaces a symbolic link atomically, like `ln -sfn` and Kubernetes.
  func relink(_ name: String, to target: String) {
    link("new link", to: target)
    rename("new link", to: name)
  }

  func changePermissions(_ name: String) {
    _ = unsafe chmod("\(path)/\(name)", 0o600)
  }

  func makePipe(_ name: String) {
    _ = unsafe mkfifo("\(path)/\(name)", 0o600)
  }

  func remove(_ name: String) {
    _ = unsafe unlink("\(path)/\(name)")
  }
}

@Suite struct FileWatchTests {
  private let directory = Directory()

  /// The number of calls for the file's watch after `change`.
  private func calls(
    of name: String = "kiosk", after prepare: (Directory) -> Void, _ change: (Directory) -> Void
  ) throws -> Int {
    prepare(directory)
    let loop = try EventLoop()
    var count = 0
    let watch = try FileWatch(["\(directory.path)/\(name)"], on: loop) { count += 1 }
    change(directory)
    // Only past events; no others occur.
    try loop.turn(until: MonotonicClock.now)
    withExtendedLifetime(watch) {}
    return count
  }

  @Test func `replacing the file with an empty pipe is reported`() throws {
    let count = try calls {
      $0.write("kiosk")
    } _: {
      $0.remove("kiosk")
      $0.makePipe("kiosk")
    }
    #expect(count == 1)
  }

  @Test func `a write in place is reported once`() throws {
    #expect(try calls(after: { $0.write("kiosk") }, { $0.write("kiosk") }) == 1)
  }

  @Test func `an editor's rename over the file is reported`() throws {
    let count = try calls(after: { $0.write("kiosk") }) {
      $0.write("new")
      $0.rename("new", to: "kiosk")
    }
    #expect(count == 1)
  }

  @Test func `a file created later is reported`() throws {
    #expect(try calls(after: { _ in }, { $0.write("kiosk") }) == 1)
  }

  @Test func `removing the file is reported`() throws {
    #expect(try calls(after: { $0.write("kiosk") }, { $0.remove("kiosk") }) == 1)
  }

  @Test func `other files in the directory are ignored`() throws {
    #expect(try calls(after: { $0.write("kiosk") }, { $0.write("other") }) == 0)
  }

  @Test func `reading is ignored`() throws {
    let count = try calls(after: { $0.write("kiosk") }) { $0.read("kiosk") }
    #expect(count == 0)
  }

  @Test func `a write to the target of a symbolic link is reported`() throws {
    let count = try calls(of: "link") {
      $0.write("target")
      $0.link("link", to: "target")
    } _: {
      $0.write("target")
    }
    #expect(count == 1)
  }

  @Test func `a replacement of the file is watched as well`() throws {
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

  /// A path with links: `release/kiosk`, `current` → `release`, `kiosk` → `current/kiosk`.
  private func makeRelease(_ directory: Directory) {
    directory.makeFolder("release")
    directory.write("release/kiosk")
    directory.link("current", to: "release")
    directory.link("kiosk", to: "current/kiosk")
  }

  private func makeNext(_ directory: Directory) {
    directory.makeFolder("next")
    directory.write("next/kiosk")
  }

  @Test func `replacing a link in the path is reported`() throws {
    let count = try calls {
      makeRelease($0)
      makeNext($0)
    } _: {
      $0.relink("current", to: "next")
    }
    #expect(count == 1)
  }

  @Test func `replacing the target of a link is reported`() throws {
    let count = try calls(after: makeRelease) {
      $0.write("release/new")
      $0.rename("release/new", to: "release/kiosk")
    }
    #expect(count == 1)
  }

  @Test func `a replacement of a folder is reported and watched`() throws {
    makeRelease(directory)
    let loop = try EventLoop()
    var count = 0
    let watch = try FileWatch(["\(directory.path)/kiosk"], on: loop) { count += 1 }
    for round in 1...3 {
      makeNext(directory)
      directory.rename("release", to: "old \(round)")
      directory.rename("next", to: "release")
      try loop.turn(until: MonotonicClock.now)
      #expect(count == 2 * round - 1)
      directory.write("release/kiosk")
      try loop.turn(until: MonotonicClock.now)
      #expect(count == 2 * round)
      // The removed folder is ignored.
      directory.write("old \(round)/kiosk")
      try loop.turn(until: MonotonicClock.now)
      #expect(count == 2 * round)
    }
    withExtendedLifetime(watch) {}
  }

  @Test func `a folder that is removed and created again is reported, like its file`() throws {
    makeRelease(directory)
    let loop = try EventLoop()
    var count = 0
    let watch = try FileWatch(["\(directory.path)/release/kiosk"], on: loop) { count += 1 }
    directory.remove("release/kiosk")
    _ = unsafe rmdir("\(directory.path)/release")
    try loop.turn(until: MonotonicClock.now)
    #expect(count == 1)
    directory.makeFolder("release")
    try loop.turn(until: MonotonicClock.now)
    directory.write("release/kiosk")
    try loop.turn(until: MonotonicClock.now)
    #expect(count == 2)
    withExtendedLifetime(watch) {}
  }

  @Test func `a created file is reported only once it is written`() throws {
    let loop = try EventLoop()
    var count = 0
    let watch = try FileWatch(["\(directory.path)/kiosk"], on: loop) { count += 1 }
    let file = OwnedDescriptor(adopting: unsafe creat("\(directory.path)/kiosk", 0o600))
    try loop.turn(until: MonotonicClock.now)
    #expect(count == 0)
    _ = unsafe Glibc.write(file.rawValue, "x", 1)
    close(file.release())
    try loop.turn(until: MonotonicClock.now)
    #expect(count == 1)
    withExtendedLifetime(watch) {}
  }

  @Test func `changes next to the file cause no wake-ups`() throws {
    makeRelease(directory)
    let loop = try EventLoop()
    var count = 0
    let watch = try FileWatch(["\(directory.path)/kiosk"], on: loop) { count += 1 }
    for name in ["other", "release/other"] {
      directory.write(name)
      directory.rename(name, to: name + "s")
      directory.remove(name + "s")
    }
    let deadline = MonotonicClock.now + 0.02
    try loop.turn(until: deadline)
    #expect(MonotonicClock.now >= deadline)
    #expect(count == 0)
    withExtendedLifetime(watch) {}
  }

  @Test func `changed permissions aren't reported`() throws {
    #expect(try calls(after: { $0.write("kiosk") }, { $0.changePermissions("kiosk") }) == 0)
  }

  @Test func `circular links end`() throws {
    let count = try calls {
      $0.link("kiosk", to: "other")
      $0.link("other", to: "kiosk")
    } _: {
      $0.remove("kiosk")
      $0.write("kiosk")
    }
    #expect(count == 1)
  }

  @Test func `the watched files can change, and earlier changes count`() throws {
    for name in ["kiosk", "other"] { directory.write(name) }
    let loop = try EventLoop()
    var count = 0
    let watch = try FileWatch(["\(directory.path)/kiosk"], on: loop) { count += 1 }
    directory.write("new")
    directory.rename("new", to: "kiosk")
    watch.watch(["kiosk", "other"].map { "\(directory.path)/\($0)" })
    try loop.turn(until: MonotonicClock.now)
    #expect(count == 1)
    directory.write("other")
    try loop.turn(until: MonotonicClock.now)
    #expect(count == 2)
    watch.watch(["\(directory.path)/other"])
    directory.write("kiosk")
    try loop.turn(until: MonotonicClock.now)
    #expect(count == 2)
  }
  @Test func `a missing file created just before the watched files change is reported`() throws {
    directory.write("kiosk")
    let paths = ["kiosk", "part"].map { "\(directory.path)/\($0)" }
    let loop = try EventLoop()
    var count = 0
    let watch = try FileWatch(paths, on: loop) { count += 1 }
    directory.write("part")
    watch.watch(paths)
    try loop.turn(until: MonotonicClock.now)
    #expect(count == 1)
    try loop.turn(until: MonotonicClock.now)
    #expect(count == 1)
  }
}
