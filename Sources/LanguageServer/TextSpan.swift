// SPDX-License-Identifier: MIT

internal import RoundelAuthoring
internal import RoundelDeclarations
internal import RoundelJSON

struct TextSpan: Hashable {
  var start: TextPosition
  var end: TextPosition

  init(start: TextPosition, end: TextPosition) {
    self.start = start
    self.end = end
  }

  init(_ range: Range<Int>, in source: SourceFile) {
    start = source.position(at: range.lowerBound)
    end = source.position(at: range.upperBound)
  }

  init?(_ json: JSONValue) {
    guard let start = json["start"].flatMap({ TextPosition($0) }),
      let end = json["end"].flatMap({ TextPosition($0) })
    else { return nil }
    self.init(start: start, end: end)
  }

  func offsets(in source: SourceFile) -> Range<Int> {
    let start = source.offset(of: start)
    return start..<max(source.offset(of: end), start)
  }

  var json: JSONValue { ["start": start.json, "end": end.json] }
}

extension TextPosition {
  init?(_ json: JSONValue) {
    guard let line = json["line"]?.integer, let column = json["character"]?.integer else {
      return nil
    }
    self.init(line: line, column: column)
  }

  var json: JSONValue {
    ["line": .number(Double(max(line, 0))), "character": .number(Double(max(column, 0)))]
  }
}
