// SPDX-License-Identifier: MIT

internal import RoundelJSON

package enum JUnit {
  /// `bailOut` is the reason for missing tests, and counts as an additional error.
  package static func xml(_ results: [TestResult], bailOut: String? = nil) -> String {
    var suites: [(name: String, results: [TestResult])] = []
    for result in results {
      if suites.last?.name != result.suite { suites.append((result.suite, [])) }
      suites[suites.count - 1].results.append(result)
    }
    let errors = bailOut == nil ? 0 : 1
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    text += "<testsuites\(counts(results, errors: errors))>\n"
    for suite in suites {
      text += "  <testsuite name=\(quoted(suite.name))\(counts(suite.results, errors: 0))>\n"
      text += suite.results.map(testCase).joined()
      text += "  </testsuite>\n"
    }
    if let bailOut {
      text += "  <testsuite name=\"kiosk\"\(counts([], errors: 1))>\n"
      text += "    <testcase classname=\"kiosk\" name=\"answers\" time=\"0.000\">\n"
      text += "      <error message=\(quoted(bailOut))/>\n    </testcase>\n  </testsuite>\n"
    }
    return text + "</testsuites>\n"
  }

  private static func counts(_ results: [TestResult], errors: Int) -> String {
    let failures = results.count { $0.failure != nil }
    let skipped = results.count { if case .skipped = $0.outcome { true } else { false } }
    let seconds = results.reduce(0) { $0 + $1.seconds }.fixed(3)
    return " tests=\"\(results.count + errors)\" failures=\"\(failures)\" errors=\"\(errors)\""
      + " skipped=\"\(skipped)\" time=\"\(seconds)\""
  }

  private static func testCase(_ result: TestResult) -> String {
    var children = ""
    switch result.outcome {
    case .passed: break
    case .skipped(let reason): children = "      <skipped message=\(quoted(reason))/>\n"
    case .failed(let failure):
      children =
        "      <failure message=\(quoted(failure.message))>"
        + "\(escaped("\(failure.place): \(failure.message)"))</failure>\n"
    }
    if !result.notes.isEmpty {
      let notes = result.notes.joined(separator: "\n")
      children += "      <system-out>\(escaped(notes))</system-out>\n"
    }
    let head =
      "    <testcase classname=\(quoted(result.suite)) name=\(quoted(result.test.name))"
      + " time=\"\(result.seconds.fixed(3))\""
    return children.isEmpty ? head + "/>\n" : head + ">\n" + children + "    </testcase>\n"
  }

  private static func quoted(_ text: String) -> String { "\"\(escaped(text))\"" }

  /// Escapes control characters, because XML 1.0 doesn't permit most.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.printableLines.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\n": result += "&#10;"
      case "\t": result += "&#9;"
      case "\u{fffe}", "\u{ffff}": result += "\u{fffd}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
