// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import LinuxIO
import Motion
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

  /// Makes a symbolic link; `target` is as seen from its folder.
  func link(_ name: String, to target: String) {
    _ = unsafe symlink(target, "\(path)/\(name)")
  }

  /// Makes a symbolic link in place of another, in one step, as `ln -sfn` and Kubernetes do.
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

  @Test func `a pipe in the place of the file is noticed, though it is empty`() throws {
    let count = try calls {
      $0.write("kiosk")
    } _: {
      $0.remove("kiosk")
      $0.makePipe("kiosk")
    }
    #expect(count == 1)
  }

  @Test func `writing in place is reported once`() throws {
    #expect(try calls(after: { $0.write("kiosk") }, { $0.write("kiosk") }) == 1)
  }

  @Test func `an editor's rename over the file is reported`() throws {
    let count = try calls(after: { $0.write("kiosk") }) {
      $0.write("new")
      $0.rename("new", to: "kiosk")
    }
    #expect(count == 1)
  }

  @Test func `a file that appears later is reported`() throws {
    #expect(try calls(after: { _ in }, { $0.write("kiosk") }) == 1)
  }

  @Test func `a file that is removed is reported`() throws {
    #expect(try calls(after: { $0.write("kiosk") }, { $0.remove("kiosk") }) == 1)
  }

  @Test func `other files of the directory do not matter`() throws {
    #expect(try calls(after: { $0.write("kiosk") }, { $0.write("other") }) == 0)
  }

  @Test func `reading does not matter`() throws {
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

  /// A way with a link and a folder: `release/kiosk`, `current` → `release`, `kiosk` → `current/kiosk`.
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

  @Test func `a link on the way that is replaced is reported`() throws {
    let count = try calls {
      makeRelease($0)
      makeNext($0)
    } _: {
      $0.relink("current", to: "next")
    }
    #expect(count == 1)
  }

  @Test func `the target of a link that is replaced is reported`() throws {
    let count = try calls(after: makeRelease) {
      $0.write("release/new")
      $0.rename("release/new", to: "release/kiosk")
    }
    #expect(count == 1)
  }

  @Test func `a folder that takes the place of another is reported, and watched from then on`()
    throws
  {
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
      // The one that was moved away does not matter any more.
      directory.write("old \(round)/kiosk")
      try loop.turn(until: MonotonicClock.now)
      #expect(count == 2 * round)
    }
    withExtendedLifetime(watch) {}
  }

  @Test func `a folder that is taken away and comes again is reported, as is the file in it`()
    throws
  {
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

  @Test func `a file that was made and is not written yet is awaited`() throws {
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

  @Test func `changes beside the file cause no wake-up`() throws {
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

  @Test func `other permissions are no other file`() throws {
    #expect(try calls(after: { $0.write("kiosk") }, { $0.changePermissions("kiosk") }) == 0)
  }

  @Test func `a circle of links ends`() throws {
    let count = try calls {
      $0.link("kiosk", to: "other")
      $0.link("other", to: "kiosk")
    } _: {
      $0.remove("kiosk")
      $0.write("kiosk")
    }
    #expect(count == 1)
  }

  @Test func `other files can be watched instead, and what happened before counts`() throws {
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
  @Test func `a missing file that comes just before others are watched is reported`() throws {
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
