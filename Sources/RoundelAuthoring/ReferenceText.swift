// SPDX-License-Identifier: MIT

internal import RoundelExpressions
internal import KioskFile
internal import RoundelSession
internal import RoundelSuites

struct ReferenceText: Sendable {
  private var lines: [String: [String: String]] = [:]
  private var summaries: [String: String] = [:]

  static let kiosks = ReferenceText(KioskReference.sections.map { ($0.name, $0.text) })
  static let suites = ReferenceText([("suite", SuiteReference.text)])
  static let recordings = ReferenceText([("recordings", RecordingReference.text)])

  private init(_ sections: [(name: String, text: String)]) {
    for section in sections {
      var table = section.name
      var isSummary = true
      for line in section.text.split(separator: "\n") {
        if line.hasPrefix("### ") {
          // Such as "### pinwheel: wedge".
          table = line.split(separator: " ").last.map(String.init) ?? table
          isSummary = true
        } else if line.hasPrefix("Events") {
          table = section.name
        } else if line.hasPrefix("- `"), let name = line.dropFirst(3).split(separator: "`").first {
          let word = name.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
          let key = String(word.isEmpty ? name : word)
          if lines[table]?[key] == nil {
            lines[table, default: [:]][key] = String(line.dropFirst(2))
          }
          isSummary = false
        } else if isSummary, !line.hasPrefix("#"), !line.hasPrefix("```") {
          if summaries[table] == nil { summaries[table] = String(line) }
          isSummary = false
        }
      }
    }
  }

  subscript(table: String, key: String) -> String? { lines[table]?[key] }

  func summary(_ table: String) -> String? { summaries[table] }
}
