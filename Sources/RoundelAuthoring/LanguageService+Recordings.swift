// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import Kiosk
internal import KioskFile

private struct RecordingPlace {
  private(set) var keys: [String] = []
  /// The previous keys of the line and of each enclosing map.
  private(set) var present: [[String]] = [[]]
  /// The key of the value, or nil while a key is being typed.
  private(set) var key: String?
  /// The word's beginning, after the quote.
  private(set) var start = 0
  private(set) var isQuoted = false

  /// Returns nil if the line isn't a map or contains a list.
  init?(_ head: [UInt8]) {
    var depth = 0
    var last = ""
    isQuoted = false
    var index = 0
    while index < head.count {
      let byte = head[index]
      index += 1
      if isQuoted {
        switch byte {
        case UInt8(ascii: "\\"): index += 1
        case UInt8(ascii: "\""):
          isQuoted = false
          last = String(decoding: head[start..<(index - 1)], as: UTF8.self)
          if key == nil { present[depth - 1].append(last) }
          start = index
        default: break
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "{"):
        if depth > 0 {
          keys.append(key ?? "")
          present.append([])
        }
        depth += 1
        key = nil
      case UInt8(ascii: "}"):
        guard depth > 1 else { return nil }
        depth -= 1
        key = keys.removeLast()
        present.removeLast()
      case UInt8(ascii: "\""):
        guard depth > 0 else { return nil }
        isQuoted = true
      case UInt8(ascii: ":"): key = last
      case UInt8(ascii: ","): key = nil
      case UInt8(ascii: "["): return nil
      default: if NameScanner.isLetter(byte) { continue }
      }
      start = index
    }
    guard depth > 0 else { return nil }
  }
}

extension LanguageService {
  private static let touches = ["down", "move", "up", "cancel"]
  private static let steps =
    touches + ["shot", "get", "size", "clock"] + CommandKind.remote.map(\.name) + ["end"]

  func recordingCompletions(_ document: Document, _ offset: Int) -> Completions {
    let bytes = document.source.bytes
    let start = document.source.startOfLine(at: offset)
    guard let place = RecordingPlace(Array(bytes[start..<offset])) else {
      return Completions(range: offset..<offset)
    }
    let begin = start + place.start
    let end = bytes[offset...].firstIndex {
      !NameScanner.isPartOfWord($0) && !"./-".utf8.contains($0)
    }
    var found = Completions(range: begin..<(end ?? bytes.count))
    let head = document.source[begin..<offset]
    found.items =
      if let key = place.key {
        values(of: key, in: place, document, head)
      } else {
        keys(at: place, document, head)
      }
    if !place.isQuoted {
      found.items = found.items.map { item in
        var item = item
        if place.key == nil {
          item.text = "\"\(item.text)\": "
        } else if item.kind != .word {
          item.text = "\"\(item.text)\""
        }
        return item
      }
    }
    return found
  }

  private func keys(
    at place: RecordingPlace, _ document: Document, _ head: String
  ) -> [Completion] {
    let present = Set(place.present.last ?? [])
    let names: [String]
    switch place.keys {
    case []:
      // A line has one step.
      names = ["t"] + (present.isDisjoint(with: Self.steps) ? Self.steps : [])
    case ["down"], ["move"]: names = ["finger", "x", "y"]
    case ["up"], ["cancel"]: names = ["finger"]
    case ["set"]: return draft(document).map { settable($0, behind: head) } ?? []
    case ["emit"]: names = ["name"]
    default: return []
    }
    let reference = ReferenceText.recordings
    return names.filter { !present.contains($0) }.map {
      Completion(
        label: $0, kind: .key,
        documentation: place.keys.isEmpty ? reference["recordings", $0] : nil, text: $0)
    }
  }

  private func values(
    of key: String, in place: RecordingPlace, _ document: Document, _ head: String
  ) -> [Completion] {
    guard place.keys.isEmpty else { return [] }
    if key == "end" { return [Completion(label: "true", kind: .word, text: "true")] }
    if key == "key" {
      return Keystroke.allCases.map {
        Completion(label: $0.rawValue, kind: .name("key"), text: $0.rawValue)
      }
    }
    guard let draft = draft(document) else { return [] }
    if key == "get" { return settable(draft, behind: head) }
    return CommandKind.named(key).map { arguments(of: $0, draft) } ?? []
  }
}
