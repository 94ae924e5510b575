// SPDX-License-Identifier: MIT

package import KioskProtocol

extension LatencyAnswer {
  /// A table in milliseconds.
  package var table: String {
    func cell(_ text: String) -> String {
      String(repeating: " ", count: max(1, 10 - text.count)) + text
    }
    func row(_ name: String, _ cells: [String]) -> String {
      name + String(repeating: " ", count: max(1, 18 - name.count)) + cells.map(cell).joined()
        + "\n"
    }
    var text = row("", ["touches", "median", "95 %", "99 %", "worst"])
    for (stage, times) in stages {
      let cells = [times.median, times.p95, times.p99, times.worst].map { seconds in
        seconds.map { ($0 * 1e5).rounded() / 100 }.map { "\($0)" } ?? "-"
      }
      let name = String(stage.map { $0 == "_" ? " " : $0 })
      text += row(name, ["\(times.count)"] + cells)
    }
    return text
  }
}
