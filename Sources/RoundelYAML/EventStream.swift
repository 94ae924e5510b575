// SPDX-License-Identifier: MIT

internal import CRoundelYAML
internal import RoundelDeclarations

/// The events that libyaml finds in its input. No other file uses libyaml.
///
/// This type is safe because it owns the parser and its bytes, and exposes neither.
@safe struct EventStream: ~Copyable {
  enum Event {
    case documentStart
    case scalar(String, isPlain: Bool, tag: String?, anchor: String?)
    case listStart(tag: String?, anchor: String?)
    case listEnd
    case mapStart(tag: String?, anchor: String?)
    case mapEnd
    case alias(String)
    case end
  }

  struct SyntaxError: Error {
    var what: String
    var mark: Mark
  }

  /// libyaml stores the address of its parser inside it, so the parser must not move.
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  /// libyaml reads from here until the parser is deleted.
  private let text: UnsafeMutableBufferPointer<UInt8>
  private let file: Int
  private let source: SourceText
  private var open: [SyntaxDiagnosis.Opening] = []
  /// The last ended node with its own mark.
  private var last: SyntaxDiagnosis.Ending?
  /// The ends of the last two events.
  private var ends = (last: Mark.start, previous: Mark.start)

  /// Returns nil if the parser can't be allocated. Skips a byte order mark.
  init?(_ bytes: [UInt8], file: Int) {
    self.file = file
    let content = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes[3...] : bytes[...]
    source = SourceText(content)
    unsafe text = .allocate(capacity: max(content.count, 1))
    _ = unsafe text.update(fromContentsOf: content)
    unsafe parser = .allocate(capacity: 1)
    unsafe parser.initialize(to: yaml_parser_t())
    guard unsafe yaml_parser_initialize(parser) == 1 else {
      unsafe parser.deallocate()
      unsafe text.deallocate()
      return nil
    }
    unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    unsafe yaml_parser_set_input_string(parser, text.baseAddress, content.count)
  }

  deinit {
    unsafe yaml_parser_delete(parser)
    unsafe parser.deallocate()
    unsafe text.deallocate()
  }

  mutating func next() throws(SyntaxError) -> (event: Event, mark: Mark) {
    while true {
      var event = unsafe yaml_event_t()
      guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw syntaxError }
      // Copied before the event is deleted.
      defer { unsafe yaml_event_delete(&event) }
      let mark = unsafe Mark(event.start_mark).inFile(file)
      unsafe follow(event)
      switch unsafe event.type {
      case YAML_DOCUMENT_START_EVENT:
        return (.documentStart, mark)
      case YAML_SCALAR_EVENT:
        let scalar = unsafe event.data.scalar
        let value = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
        return (
          .scalar(
            unsafe String(decoding: value, as: UTF8.self),
            isPlain: unsafe scalar.style == YAML_PLAIN_SCALAR_STYLE,
            tag: unsafe Self.text(scalar.tag), anchor: unsafe Self.text(scalar.anchor)),
          mark
        )
      case YAML_SEQUENCE_START_EVENT:
        let start = unsafe event.data.sequence_start
        return (
          .listStart(tag: unsafe Self.text(start.tag), anchor: unsafe Self.text(start.anchor)), mark
        )
      case YAML_SEQUENCE_END_EVENT:
        return (.listEnd, mark)
      case YAML_MAPPING_START_EVENT:
        let start = unsafe event.data.mapping_start
        return (
          .mapStart(tag: unsafe Self.text(start.tag), anchor: unsafe Self.text(start.anchor)), mark
        )
      case YAML_MAPPING_END_EVENT:
        return (.mapEnd, mark)
      case YAML_ALIAS_EVENT:
        return (.alias(unsafe Self.text(event.data.alias.anchor) ?? ""), mark)
      case YAML_STREAM_END_EVENT, YAML_NO_EVENT:
        return (.end, mark)
      default:
        continue  // The stream's start and a document's end say nothing.
      }
    }
  }

  private static func text(_ chars: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    // Terminated by libyaml with a zero byte.
    unsafe chars.map { unsafe String(cString: $0) }
  }

  /// Records positions for diagnosis.
  private mutating func follow(_ event: yaml_event_t) {
    let begin = unsafe Mark(event.start_mark)
    let end = unsafe Mark(event.end_mark)
    ends = (end, ends.last)
    switch unsafe event.type {
    case YAML_SCALAR_EVENT:
      let style = unsafe event.data.scalar.style
      let isQuoted =
        style == YAML_SINGLE_QUOTED_SCALAR_STYLE || style == YAML_DOUBLE_QUOTED_SCALAR_STYLE
      last = .init(begin: begin, end: end, kind: isQuoted ? .quoted : .plain)
    case YAML_SEQUENCE_START_EVENT, YAML_MAPPING_START_EVENT:
      // Block collections have no opening character, so their start event is empty.
      open.append(.init(mark: begin, isFlow: begin != end))
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT:
      if let opening = open.popLast(), opening.isFlow {
        last = .init(begin: opening.mark, end: end, kind: .flow)
      }
    default: break
    }
  }

  /// An error if an unquoted colour, which is a comment, follows a key's missing value.
  var commentedColor: SyntaxError? {
    source.commentedColor(behindKey: ends.previous).map {
      SyntaxError(uncoloured: $0.text, at: $0.mark.inFile(file))
    }
  }

  private var syntaxError: SyntaxError {
    let problem = unsafe parser.pointee.problem.map { unsafe String(cString: $0) } ?? ""
    switch unsafe parser.pointee.error {
    case YAML_READER_ERROR:
      // The reader fails ahead of the scanner, so only the offset gives the location.
      let offset = unsafe Int(clamping: parser.pointee.problem_offset)
      let value = unsafe parser.pointee.problem_value
      let code = value >= 0 ? " (0x\(String(value, radix: 16)))" : ""
      let what = problem.hasPrefix("control") ? "a control character" : "an invalid byte"
      return SyntaxError(
        what: "the file is not valid UTF-8 text: it contains \(what)\(code)",
        mark: unsafe Mark(after: text.prefix(offset)))
    case YAML_MEMORY_ERROR:
      return SyntaxError(what: "not enough memory to read the file", mark: .start)
    default:
      return SyntaxDiagnosis(
        problem: problem, mark: unsafe Mark(parser.pointee.problem_mark),
        context: unsafe parser.pointee.context.map { unsafe String(cString: $0) } ?? "",
        contextMark: unsafe Mark(parser.pointee.context_mark), open: open, last: last,
        source: source
      ).finding
    }
  }
}

extension Mark {
  fileprivate init(_ mark: yaml_mark_t) {
    self.init(line: Int(clamping: mark.line) + 1, column: Int(clamping: mark.column) + 1)
  }
}
