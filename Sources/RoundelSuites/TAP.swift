// SPDX-License-Identifier: MIT

internal import RoundelJSON

/// The Test Anything Protocol, version 14. Source: testanything.org.
package struct TAP {
  private var number = 0

  package init() {}

  /// Each line has a line feed.
  package func head(count: Int) -> String { "TAP version 14\n1..\(count)\n" }

  /// `folder` contains artifacts, if there are any.
  package mutating func lines(_ result: TestResult, artifacts folder: String? = nil) -> String {
    number += 1
    let name = Self.escaped("\(result.suite): \(result.test.name)")
    var lines = result.notes.map { "# \(Self.oneLine($0))\n" }.joined()
    switch result.outcome {
    case .passed: lines += "ok \(number) - \(name)\n"
    case .skipped(let reason):
      lines += "ok \(number) - \(name) # SKIP \(Self.oneLine(reason))\n"
    case .failed(let failure):
      var members = [("message", failure.message), ("at", failure.place)]
      if let folder { members.append(("artifacts", folder)) }
      lines += "not ok \(number) - \(name)\n  ---\n"
      // A JSON string is also a YAML string.
      lines += members.map { "  \($0): \(JSONValue.string($1).text)\n" }.joined()
      lines += "  duration_ms: \((result.seconds * 1000).fixed(3))\n  ...\n"
    }
    return lines
  }

  package func bailOut(_ reason: String) -> String { "Bail out! \(Self.oneLine(reason))\n" }

  /// Hashes begin a directive.
  private static func escaped(_ text: String) -> String {
    String(oneLine(text).flatMap { "\\#".contains($0) ? ["\\", $0] : [$0] })
  }

  private static func oneLine(_ text: String) -> String {
    String(text.map { $0.isNewline ? " " : $0 })
  }
}

extension Double {
  package func fixed(_ digits: Int) -> String {
    guard isFinite, abs(self) < 1e12 else { return "0" }
    let unit = (0..<digits).reduce(1) { unit, _ in unit * 10 }
    let whole = Int((abs(self) * Double(unit)).rounded())
    let (integer, rest) = whole.quotientAndRemainder(dividingBy: unit)
    let sign = self < 0 && whole > 0 ? "-" : ""
    guard digits > 0 else { return "\(sign)\(integer)" }
    let fraction = String(rest)
    return "\(sign)\(integer)." + String(repeating: "0", count: digits - fraction.count) + fraction
  }
}
