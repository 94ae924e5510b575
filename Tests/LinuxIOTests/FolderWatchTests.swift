// SPDX-License-Identifier: MIT

import Glibc
import LinuxIO
import Testing

/// A place for a folder, removed with what the tests put there.
private final class Place {
  let parent = "/tmp/roundel-test-\(UInt64.random(in: 0 ... .max))"
  var folder: String { "\(parent)/folder" }
  var file: String { "\(folder)/file" }

  init() {
    _ = unsafe mkdir(parent, 0o700)
  }

  deinit {
    removeFile()
    removeFolder()
    _ = unsafe rmdir(parent)
  }

  func makeFolder() { _ = unsafe mkdir(folder, 0o700) }
  func removeFolder() { _ = unsafe rmdir(folder) }
  func makeFile() { close(unsafe creat(file, 0o600)) }
  func removeFile() { _ = unsafe unlink(file) }

  func writeFile() {
    guard let file = unsafe fopen(file, "a") else { return }
    unsafe fputs("x", file)
    unsafe fclose(file)
  }
}

@Suite struct FolderWatchTests {
  private let place = Place()

  /// How often the watch calls after each of `changes`.
  private func calls(_ changes: [() -> Void]) throws -> [Int] {
    let loop = try EventLoop()
    var count = 0
    let watch = try FolderWatch(place.folder, on: loop) { count += 1 }
    let result = try changes.map { change in
      count = 0
      change()
      // Only what has happened by now; nothing comes from elsewhere.
      try loop.turn(until: MonotonicClock.now)
      return count
    }
    withExtendedLifetime(watch) {}
    return result
  }

  @Test func `entries that appear, change permissions and disappear are reported`() throws {
    place.makeFolder()
    let changes = [
      place.makeFile, { _ = unsafe chmod(place.file, 0o640) }, place.removeFile,
    ]
    #expect(try calls(changes) == [1, 1, 1])
  }

  @Test func `what is written and read does not matter`() throws {
    place.makeFolder()
    place.makeFile()
    #expect(try calls([place.writeFile]) == [0])
  }

  @Test func `several changes at once are reported once`() throws {
    place.makeFolder()
    let comings = {
      for _ in 0..<9 {
        place.makeFile()
        place.removeFile()
      }
    }
    #expect(try calls([comings]) == [1])
  }

  @Test func `a folder that comes later, and again, is watched`() throws {
    let changes = [
      place.makeFolder, place.makeFile, place.removeFile, place.removeFolder, place.makeFolder,
      place.makeFile,
    ]
    #expect(try calls(changes) == [1, 1, 1, 1, 1, 1])
  }

  @Test func `what happens beside the folder does not matter`() throws {
    let other = "\(place.parent)/other"
    place.makeFolder()
    let changes = [{ _ = unsafe mkdir(other, 0o700) }, { _ = unsafe rmdir(other) }]
    #expect(try calls(changes) == [0, 0])
  }

  @Test func `a folder that can never come is an error`() throws {
    let loop = try EventLoop()
    #expect(throws: (any Error).self) { _ = try FolderWatch("/nowhere/folder", on: loop) {} }
  }
}
