// SPDX-License-Identifier: MIT

internal import RoundelJSON
internal import JSONRPC

enum PageMethods {
  // The text.
  static let edit = Method<EditParameters, EditAnswer>("edit", "Applies changes to the text.")
  static let save = Method<SaveParameters, SaveAnswer>("save", "Writes the text.")
  static let put = Method<PutParameters, Done>("put", "Writes a file to the kiosk's folder.")
  static let unput = Method<CopyParameters, Done>(
    "unput", "Removes a file that `put` has written, if it is unchanged.")
  static let resolve = Method<NoParameters, Done>(
    "resolve", "Accepts the version on the disk as the saved one.")
  static let saveCopy = Method<CopyParameters, Done>(
    "saveCopy", "Writes the text to a new file in the kiosk's folder.")
  static let complete = Method<PlaceParameters, CompletionsAnswer>(
    "complete", "Lists completions at a position.")
  static let hover = Method<PlaceParameters, HoverAnswer>("hover", "Explains a position.")

  // Edits of the text, which the page applies.
  static let select = Method<ChangeParameters, KeysAnswer>(
    "select", "Lists the keys and the actions of an owner.", members: [.owner])
  static let set = Method<ChangeParameters, ChangeAnswer>(
    "set", "Sets a key's value.",
    members: [
      .revision, .owner, .required("key", \.key, .text), .nullable("value", \.value, .any),
      .optional("isSource", \.isSource, .flag, "Whether the value is YAML text."),
      .optional("inPixels", \.inPixels, .flag, "Whether the value is a position in the picture."),
    ])
  static let add = Method<ChangeParameters, ChangeAnswer>(
    "add", "Adds a control to the current page.",
    members: [
      .revision, .required("kind", \.kind, .text), .optional("at", \.pixel, .pixel),
    ])
  static let begin = Method<ChangeParameters, ChangeAnswer>(
    "begin", "Creates a kiosk in an empty text.",
    members: [
      .revision, .required("name", \.name, .text), .required("width", \.width, .integer),
      .required("height", \.height, .integer),
    ])
  static let addPage = Method<ChangeParameters, ChangeAnswer>(
    "addPage", "Adds a page.", members: [.revision])
  static let remove = Method<ChangeParameters, ChangeAnswer>(
    "remove", "Removes an element of a list.", members: [.revision, .owner])
  static let move = Method<ChangeParameters, ChangeAnswer>(
    "move", "Swaps an element with its neighbour.",
    members: [.revision, .owner, .required("forward", \.isForward, .flag)])
  static let duplicate = Method<ChangeParameters, ChangeAnswer>(
    "duplicate", "Copies an element.", members: [.revision, .owner])
  static let addItem = Method<ChangeParameters, ChangeAnswer>(
    "addItem", "Adds an item to a control.", members: [.revision, .owner])
  static let addAction = Method<ChangeParameters, ChangeAnswer>(
    "addAction", "Adds an action to a list.", members: [.revision, .owner, .command])
  static let addReaction = Method<ChangeParameters, ChangeAnswer>(
    "addReaction", "Adds a condition with an action.", members: [.revision, .owner, .command])
  static let choose = Method<ChangeParameters, ChangeAnswer>(
    "choose", "Replaces an action with another.", members: [.revision, .owner, .command])

  static let setAll = Method<ChangeParameters, ChangeAnswer>(
    "setAll", "Sets keys of several owners.",
    members: [.revision, .required("changes", \.changes, .list(of: .nested))])
  static let removeAll = Method<ChangeParameters, ChangeAnswer>(
    "removeAll", "Removes several elements.", members: [.revision, .owners])
  static let duplicateAll = Method<ChangeParameters, ChangeAnswer>(
    "duplicateAll", "Copies several elements.", members: [.revision, .owners])
  static let paste = Method<ChangeParameters, ChangeAnswer>(
    "paste", "Adds controls to the current page.",
    members: [.revision, .required("text", \.name, .text)])
  static let place = Method<ChangeParameters, ChangeAnswer>(
    "place", "Moves an element before another, or to the end of a page.",
    members: [
      .revision, .owner, .optional("before", \.before, .nested),
      .optional("page", \.page, .text),
    ])
  static let copy = Method<ChangeParameters, CopyAnswer>(
    "copy", "Returns the source of several controls.", members: [.owners])
  static let outline = Method<NoParameters, OutlineAnswer>(
    "outline", "Lists pages, controls and items.")
  static let locate = Method<PlaceParameters, LocateAnswer>(
    "locate", "Returns the element at a position of the text.")
  static let completeKey = Method<ChangeParameters, WordsAnswer>(
    "completeKey", "Lists completions at the end of a value of a key.",
    members: [.owner, .required("key", \.key, .text), .required("text", \.name, .text)])

  // The kiosk.
  static let kiosk = Method<NoParameters, KioskAnswer>("kiosk", "Returns the state.")
  static let palette = Method<NoParameters, PaletteAnswer>("palette", "Lists control types.")
  static let pages = Method<NoParameters, PagesAnswer>("pages", "Shows all pages.")
  static let show = Method<ShowParameters, Done>("show", "Shows the panel or the text.")
  static let touch = Method<PageTouch, Done>("touch", "Moves a finger.")
  static let go = Method<TextParameters, Done>("go", "Shows a page.", members: [.text("page")])
  static let value = Method<ValueParameters, Done>("value", "Sets a value or a property.")
  static let restart = Method<NoParameters, Done>("restart", "Restarts the kiosk.")
  static let panel = Method<PanelParameters, Done>("panel", "Selects a panel.")
  static let theme = Method<TextParameters, Done>(
    "theme", "Selects a theme.", members: [.text("theme")])
  static let speed = Method<SpeedParameters, Done>("speed", "Sets the speed of the clock.")
  static let clock = Method<TextParameters, Done>(
    "clock", "Sets the clock, or uses this machine's if empty.", members: [.text("clock")])
  static let drawn = Method<NoParameters, Done>("drawn", "Reports a drawn frame.")

  // Tests.
  static let suites = Method<NoParameters, Done>("suites", "Sends the notice of suites.")
  static let run = Method<RunParameters, ResultsAnswer>("run", "Runs a suite.")
  static let record = Method<NoParameters, Done>("record", "Starts recording a test.")
  static let discard = Method<NoParameters, Done>("discard", "Ends the recording.")
  static let steps = Method<TextParameters, Done>(
    "steps", "Changes the recorded steps.", members: [.text("steps")])
  static let seen = Method<NoParameters, SeenAnswer>("seen", "Lists true expectations.")
  static let expect = Method<TextParameters, Done>(
    "expect", "Adds an expectation.", members: [.text("text")])
  static let keep = Method<KeepParameters, KeptAnswer>("keep", "Writes the recorded test.")
}

struct NoParameters: JSONRecord {
  static let members: [Member<Self>] = []
}

struct TextParameters: JSONRecord {
  var text = ""
  static let members: [Member<Self>] = []
}

extension Member<TextParameters> {
  fileprivate static func text(_ name: String) -> Self { .required(name, \.text, .text) }
}
