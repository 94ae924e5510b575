// SPDX-License-Identifier: MIT

import Testing
import RoundelDeclarations

@testable import KioskFile

/// Files that aren't valid YAML, each with the only error that is reported.
@Suite struct SyntaxTests {
  private static let cases: [(text: String, diagnostic: String)] = [
    ("kiosk: k\n screen: x\n", "2:2: wrong indentation: 1 space (expected 0, as above)"),
    (
      "screen:\n    size: [1, 2]\n  background: x\n",
      "3:3: wrong indentation: 2 spaces (expected 0 or 4, as above)"
    ),
    ("c:\n  - label: l\n     at: 1\n", "3:6: wrong indentation: 5 spaces (expected 4, as above)"),
    (
      "c:\n  - label: l\n   at: 1\n", "3:4: wrong indentation: 3 spaces (expected 2 or 4, as above)"
    ),
    (
      "c:\n  - page: a\n - page: b\n", "3:2: wrong indentation: 1 space (expected 0 or 2, as above)"
    ),
    (
      "pages:\n  - page: a\n  controls: []\n",
      "3:3: \"controls\" is not an item of the list (expected \"- \" before it, or more indentation)"
    ),
    (
      "pages:\n  page: a\n  - x\n",
      "3:3: a list item in a map (expected a key, or the list below a key)"
    ),
    (
      "key: - a\n",
      "1:6: a list begins on the same line as its key (expected its \"-\" on the next line, or quotes around a string)"
    ),
    ("pages: [\n", "1:8: \"[\" is not closed (expected \"]\")"),
    ("size: [800, 480\nbackground: x\n", "1:7: \"[\" is not closed (expected \"]\")"),
    ("a: {b: 1\nc: 2\n", "1:4: \"{\" is not closed (expected \"}\")"),
    (
      "w: [{id: a, color: #c16e2d},\n    {id: b}]\n",
      "1:20: \"#c16e2d\" needs quotes: without them \"#\" begins a comment"
    ),
    (
      "w:\n  - {id: a, color: #c16e2d}\n  - {id: b}\n",
      "2:20: \"#c16e2d\" needs quotes: without them \"#\" begins a comment"
    ),
    (
      "w:\n  - {id: a, color: #c16e2d, label: x}\n",
      "2:20: \"#c16e2d\" needs quotes: without them \"#\" begins a comment"
    ),
    ("a: \"abc\nb: c\n", "1:4: the \" is not closed (expected a closing quote)"),
    (
      "a: \"abc\nb: \"d\"\n",
      "1:4: the \" is not closed until line 2 (expected the closing quote on the same line)"
    ),
    ("t: {now:%H:%M} o'clock\n", "1:4: a string that begins with \"{\" needs quotes"),
    ("t: [1] of 3\n", "1:4: a string that begins with \"[\" needs quotes"),
    (
      "t: 'it's'\n",
      "1:8: unexpected text after the closing quote (expected quotes around all of it, and '' for an apostrophe)"
    ),
    (
      "t: \"a\" b\n",
      "1:8: unexpected text after the closing quote (expected quotes around all of it)"
    ),
    ("l: {t: {cups} cups}\n", "1:8: a string that begins with \"{\" needs quotes"),
    ("t: {%H}\n", "1:4: a string that begins with \"{\" needs quotes"),
    ("t: @x\n", "1:4: a string that begins with \"@\" needs quotes"),
    ("t: %x\n", "1:4: a string that begins with \"%\" needs quotes"),
    (
      "%x: 1\n",
      "1:1: \"%\" begins a YAML directive (expected no directive; a string that begins with % needs quotes)"
    ),
    ("t: `x`\n", "1:4: a string that begins with \"`\" needs quotes"),
    ("a: b: c\n", "1:4: a string that contains a colon needs quotes"),
    ("kiosk: k\npages\nscreen: x\n", "2:6: a colon is missing after \"pages\""),
    ("kiosk:k\npages: x\n", "1:6: a space is missing after the colon"),
    ("pages\n  - a: b\n", "1:6: a colon is missing after \"pages\""),
    ("t: > 5\n", "1:4: a string that begins with \">\" needs quotes"),
    ("t: ]\n", "1:4: a string that begins with \"]\" needs quotes"),
    ("t: , a\n", "1:4: a string that begins with \",\" needs quotes"),
    ("t: *important*\n", "1:4: a string that begins with \"*\" needs quotes"),
    (
      "t: \"a\\d\"\n",
      "1:6: \"\\d\" is not an escape sequence (expected \\\\ for a backslash, or '…' around the string)"
    ),
    ("  kiosk: k\npages: []\n", "2:1: wrong indentation: 0 spaces (expected 2, as above)"),
    ("{a: b} c\n", "1:1: a string that begins with \"{\" needs quotes"),
    ("[a\n", "1:1: \"[\" is not closed (expected \"]\")"),
    ("a: [1, 2\n\nb: [3]\n", "1:4: \"[\" is not closed (expected \"]\")"),
    ("a: {b: \"x\" c: 1}\n", "1:12: a comma or \"}\" is missing before \"c\""),
    ("a: [1 2, {x y: }\n", "1:4: \"[\" is not closed (expected \"]\")"),
    ("a: !x{ b\n", "1:4: a string that begins with \"!\" needs quotes"),
    ("a:\n\t- b\n", "2:1: a tab in the indentation (expected spaces)"),
    ("a:\n  b: 1\n\tc: 2\n", "3:1: a tab in the indentation (expected spaces)"),
    ("a: |\n\tb\n", "2:1: a tab in the indentation (expected spaces)"),
    (
      "- a\nb: c\n",
      "2:1: \"b\" is not an item of the list (expected \"- \" before it, or more indentation)"
    ),
    (
      "a: 'x\n\nb: 'y'\n",
      "1:4: the ' is not closed until line 3 (expected the closing quote on the same line)"
    ),
    ("t: {a: 'x}\nb: 1\n", "1:8: the ' is not closed (expected a closing quote)"),
    (
      "a: -\n  b\n",
      "1:4: a list begins on the same line as its key (expected its \"-\" on the next line, or quotes around a string)"
    ),
    ("a: ? b\n", "1:4: a string that begins with \"?\" needs quotes"),
    (
      "a: 1\n- b\n",
      "2:1: a list item in a map (expected a key, or the list below a key)"
    ),
    ("a:\n- b\nc\n", "3:2: a colon is missing after \"c\""),
    ("x: }\n", "1:4: a string that begins with \"}\" needs quotes"),
    ("w: {a: 1}}\n", "1:10: unmatched \"}\""),
    ("w: [1]]\n", "1:7: unmatched \"]\""),
    ("a: !<x\n", "1:4: a string that begins with \"!\" needs quotes"),
    (
      "w:\n  - {id: a, color: #c16e2d, label: x}\n  - {id: b, color: #fff}\nx: 1\n",
      "2:20: \"#c16e2d\" needs quotes: without them \"#\" begins a comment"
    ),
    ("p: [\n  {a: 1},\n  {b: 2}\nx: 1\n", "1:4: \"[\" is not closed (expected \"]\")"),
    (
      "a: 'x' \"y\"\n",
      "1:8: unexpected text after the closing quote (expected quotes around all of it, and '' for an apostrophe)"
    ),
    ("{\n  a: 1\n  b: 2\n}\n", "3:3: a comma or \"}\" is missing before this line"),
    ("p:\n  - {label: l, text: Soup: hot}\n", "2:22: a string that contains a colon needs quotes"),
  ]

  @Test(arguments: cases)
  func `a syntax error is reported at its location, with the remedy`(
    _ text: String, _ diagnostic: String
  ) {
    let (line, column, message) = split(diagnostic)
    #expect(diagnostics(text) == ["\(line):\(column): error: \(message)"])
  }

  private func split(_ diagnostic: String) -> (Substring, Substring, Substring) {
    let parts = diagnostic.split(separator: ":", maxSplits: 2)
    return (parts[0], parts[1], parts[2].dropFirst())
  }

  @Test(arguments: [
    ("a: &x *x", "1:4: error: the anchor \"&x\" has no value"),
    ("kiosk: &copy\npages: []", "1:8: error: the anchor \"&copy\" has no value"),
    ("kiosk: *copy\npages: []", "1:8: error: there is no anchor \"&copy\" before this alias"),
    ("kiosk: !now\npages: []", "1:8: error: unknown tag \"!now\" (expected no tag; a string that"),
    (
      "kiosk: k\nscreen: {background: #fff}\npages: []",
      "2:22: error: \"#fff\" needs quotes: without them \"#\" begins a comment"
    ),
    (
      "kiosk: k\nscreen:\n  background: #c16e2d\npages: []",
      "3:15: error: \"#c16e2d\" needs quotes: without them \"#\" begins a comment"
    ),
    (
      "kiosk: k\nscreen: {background: #c16e2d  \n  }\npages: []",
      "2:22: error: \"#c16e2d\" needs quotes: without them \"#\" begins a comment"
    ),
    (
      "kiosk: {now:%H}\npages: []",
      "1:8: error: \"kiosk\" has the wrong type: a map (expected a name)"
    ),
    (
      "<<: {a: b}\nkiosk: k\npages: []",
      "1:1: error: \"<<\" is not supported (expected the keys, or \"include\" and the file"
    ),
  ])
  func `text that YAML reads differently is reported, with the remedy`(
    _ text: String, _ diagnostic: String
  ) throws {
    let found = diagnostics(text)
    #expect(try #require(found.first).hasPrefix(diagnostic), "\(found)")
  }

  @Test func `an unquoted colour is one error, and doesn't hide others`() {
    let text = """
      kiosk: k
      pages:
        - page: home
          controls:
            - label: l
              at: [1, 2]
              text: {now:%H:%M}
              color: #c16e2d
            - {label: m, at: [1, 2], text: t, color: rde}
      """
    #expect(
      diagnostics(text) == [
        "7:15: error: \"text\" has the wrong type: a map (expected a string; a string that begins with { "
          + "needs quotes)",
        "8:16: error: \"#c16e2d\" needs quotes: without them \"#\" begins a comment",
        "9:48: error: \"color\" is not a colour: \"rde\" (expected a colour: #rgb, #rrggbb, #rrggbbaa "
          + "or a CSS name, or one of accent, background, muted, surface or text; did you mean \"red\"?)",
      ])
  }

  @Test func `messages use none of the parser's jargon`() throws {
    let words = [
      "while ", "did not find", "found ", "token", "scalar", "flow", "node", "in this context",
    ]
    for (text, _) in Self.cases {
      for diagnostic in diagnostics(text) {
        #expect(!words.contains { diagnostic.contains($0) }, "\(diagnostic)")
      }
    }
    #expect(
      diagnostics("a: \u{7}") == [
        "1:4: error: the file is not valid UTF-8 text: it contains a control character (0x7)"
      ])
  }
}
