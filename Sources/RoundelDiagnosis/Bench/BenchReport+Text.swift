// SPDX-License-Identifier: MIT

internal import RoundelGeometry
package import RoundelJSON
internal import Kiosk

extension BenchReport {
  package var json: JSONValue {
    func members(_ name: String, _ times: FrameTimes?) -> [JSONValue.Member] {
      func rounded(_ value: Double) -> JSONValue { .number((value * 100).rounded() / 100) }
      guard let times else {
        return [.init("\(name)_us", .null), .init("\(name)_p95_us", .null)]
      }
      return [
        .init("\(name)_us", rounded(times.median)),
        .init("\(name)_p95_us", rounded(times.high)),
        .init("\(name)_range_us", .array([rounded(times.low), rounded(times.high)])),
      ] + (times.bytes.map { [.init("\(name)_bytes", .number(Double($0)))] } ?? [])
    }
    let own = controls.map {
      JSONValue.Member(
        $0.id,
        .object(
          members("motion", $0.motion) + members("frame", $0.frame)
            + members("highlight", $0.highlight)))
    }
    let changes = changes.flatMap { change in
      members(change.name, change.rest)
        + members("\(change.name)_first", change.first)
    }
    return .object(
      [
        .init("size", .array([.number(Double(panel.width)), .number(Double(panel.height))])),
        .init("frames", .number(Double(frames))), .init("threads", .number(Double(threads))),
      ] + members("memset", memset) + members("full", full) + members("copy", copy)
        + members("frame", full) + changes
        + [.init("controls", .object(own))])
  }

  package var table: String {
    func right(_ text: String, _ width: Int) -> String {
      String(repeating: " ", count: max(0, width - text.count)) + text
    }
    func number(_ value: Double, _ digits: Int) -> String {
      let unit = digits == 1 ? 10.0 : 100
      let whole = Int((value * unit).rounded())
      let rest = String(whole % Int(unit))
      return "\(whole / Int(unit))." + String(repeating: "0", count: digits - rest.count) + rest
    }
    var lines: [(String, FrameTimes?)] = [
      ("memset", memset), ("full repaint", full), ("copy of the panel", copy),
    ]
    for control in controls {
      lines.append(("\(control.id): motion", control.motion))
      lines.append(("\(control.id): motion, two buffers", control.frame))
      lines.append(("\(control.id): highlight", control.highlight))
    }
    for change in changes {
      lines.append(("\(change.name) to the second page", change.rest))
      lines.append(("\(change.name): its first frame", change.first))
    }
    let width = lines.map(\.0.count).max() ?? 0
    var text = "\(panel), median of \(frames) frames"
    text += threads > 1 ? ", painted by \(threads) threads\n\n" : "\n\n"
    text +=
      String(repeating: " ", count: width) + right("µs", 10) + right("5 % … 95 %", 20)
      + right("× memset", 10) + right("bytes", 10) + "\n"
    for (name, times) in lines {
      text += name + String(repeating: " ", count: width - name.count)
      if let times {
        text += right(number(times.median, 1), 10)
        text += right("\(number(times.low, 1)) … \(number(times.high, 1))", 20)
        text += right(number(times.median / memset.median, 2), 10)
        text += right(times.bytes.map { "\($0)" } ?? "–", 10) + "\n"
      } else {
        text += right("–", 10) + "\n"
      }
    }
    return text
  }
}
