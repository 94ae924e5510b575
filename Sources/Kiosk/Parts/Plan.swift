// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelDeclarations
internal import RoundelDrawing
internal import RoundelGeometry

/// An immutable version of a kiosk with the results of its analysis.
final class Plan: Sendable {
  let description: Description
  /// Initial states and positions, in the language's direction. The last may be the built-in page for messages.
  let pages: [Page]
  /// The index of the page for messages: the kiosk's, or the built-in one.
  let messagePage: Int
  let isReflected: Bool
  let locations: [String: Engine.ControlLocation]
  /// The positions of all controls, page by page, back to front.
  let allLocations: [Engine.ControlLocation]
  let bindings: Bindings
  let privacy: Privacy

  init(_ description: Description, in language: String) {
    precondition(!description.pages.isEmpty, "a kiosk needs a page")
    self.description = description
    isReflected = description.screen.isReflected(in: language)
    let all = description.pagesWithMessage
    messagePage = all.firstIndex { $0.isForMessages } ?? all.count - 1
    pages = all.arranged(on: description.screen.size, isReflected: isReflected)
    allLocations = all.enumerated().flatMap { page, entry in
      entry.controls.indices.map { Engine.ControlLocation(page: page, control: $0) }
    }
    let ids = all.flatMap { $0.controls.map(\.id) }
    locations = Dictionary(zip(ids, allLocations)) { $1 }
    bindings = Bindings(description, pages: all, locations: locations)
    privacy = Privacy(description, pages: all, bindings)
  }

  /// Returns nil if the layout is equal in the other language. O(n) in the controls' declarations.
  func reflected(for language: String) -> Plan? {
    description.screen.isReflected(in: language) == isReflected ? nil : Plan(reflecting: self)
  }

  private init(reflecting plan: Plan) {
    description = plan.description
    isReflected = !plan.isReflected
    messagePage = plan.messagePage
    pages = description.pagesWithMessage.arranged(
      on: description.screen.size, isReflected: isReflected)
    (locations, allLocations, bindings) = (plan.locations, plan.allLocations, plan.bindings)
    privacy = plan.privacy
  }

  subscript(location: Engine.ControlLocation) -> PlacedControl { pages[location] }

  /// Whether a path is `screen.brightness`, and no control is called `screen`.
  func isBrightness(_ path: PropertyPath) -> Bool {
    path.control == "screen" && path.property == "brightness" && locations[path.control] == nil
  }
}

extension Description {
  /// The pages, with a built-in page for messages unless the kiosk has its own.
  fileprivate var pagesWithMessage: [Page] {
    guard !pages.contains(where: \.isForMessages) else { return pages }
    let isTaken = pages.contains { $0.name == Message.name }
    return pages + [.message(named: (isTaken ? "@" : "") + Message.name, on: screen)]
  }
}

extension Page {
  fileprivate var isForMessages: Bool {
    isOver && name == Message.name
      && controls.contains { entry in
        entry.bindings.values.contains { template in
          template.names.contains { $0.parts.first == Message.name }
        }
      }
  }
}

extension Screen {
  fileprivate func isReflected(in language: String) -> Bool {
    isMirrored && LanguageTag(language).isRightToLeft
  }
}

extension [Page] {
  fileprivate func arranged(on screen: Size, isReflected: Bool) -> [Page] {
    var pages = self
    for page in pages.indices {
      for index in pages[page].controls.indices where isReflected {
        let entry = pages[page].controls[index]
        guard entry.source != nil, let control = entry.control as? any KeyedControl else {
          continue
        }
        pages[page].controls[index].control = control.moved(
          to: Point(screen.width - control.center.x, control.center.y))
      }
      pages[page].arrange(on: screen, isReflected: isReflected)
    }
    return pages
  }
}
