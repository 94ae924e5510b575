// SPDX-License-Identifier: MIT

package import RoundelGeometry
package import LinuxIO
package import RoundelRuntime
package import RoundelSuites
internal import Kiosk
internal import RoundelDeclarations

package struct TestPlan {
  package private(set) var suites: [(suite: TestSuite, content: Content)] = []

  package var count: Int { suites.reduce(0) { $0 + $1.suite.tests.count } }

  private static let kind = Files.Kind("the suite", maximumBytes: 4 << 20)

  private struct Key: Hashable {
    var path: String
    var size: PixelSize?
  }

  /// Reports errors as lines, and throws if there are any.
  package init(
    _ paths: [String],
    readKiosk: @escaping (_ path: String, _ size: PixelSize?) throws(Failure) -> Content,
    report: @escaping (String) -> Void
  ) throws(Failure) {
    var contents: [Key: Content] = [:]
    var problems: Set<Key> = []
    var isBad = false
    for path in paths {
      let reading = SuiteReading(try Files.read(path, Self.kind), path: path) { kiosk, size in
        let key = Key(path: kiosk, size: size)
        if let known = contents[key] { return known.description }
        guard !problems.contains(key) else { return nil }
        do throws(Failure) {
          contents[key] = try readKiosk(kiosk, size)
        } catch {
          if !error.message.isEmpty { report("roundel: \(error.message)\n") }
          problems.insert(key)
        }
        return contents[key]?.description
      }
      for diagnostic in reading.diagnostics { report("\(diagnostic)\n") }
      guard let suite = reading.suite,
        let content = contents[Key(path: suite.kiosk, size: suite.size)]
      else {
        isBad = true
        continue
      }
      suites.append((suite, content))
    }
    if isBad { throw Failure(.badFile) }
  }

  package func needsAnotherSize(on canvas: PixelSize) -> Bool {
    suites.contains {
      $0.content.description.screen.size(on: canvas) != $0.content.description.screen.size
    }
  }

  /// Keeps tests with all tags, whose suite and test name contain `filter`.
  package mutating func choose(tags: [String], filter: String?) {
    let wanted = filter?.lowercased()
    for index in suites.indices {
      let name = suites[index].suite.name
      suites[index].suite.tests.removeAll { test in
        !tags.allSatisfy(test.tags.contains)
          || wanted.map { !"\(name): \(test.name)".lowercased().contains($0) } ?? false
      }
    }
    suites.removeAll { $0.suite.tests.isEmpty }
  }
}
