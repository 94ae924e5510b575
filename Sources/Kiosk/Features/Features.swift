// SPDX-License-Identifier: MIT

internal import Expressions

/// The features of a kiosk.
struct Features: Sendable {
  /// In the order of their precedence: of several that could handle a finger or a key, the first does.
  static let all: [any Feature.Type] = [
    StillThere.self,
    Debounce.self,
    SpeechGuide.self,
    Dwell.self,
    Swipe.self,
    Calendar.self,
  ]

  /// In the order of `all`.
  private(set) var list: [any Feature]

  init(_ description: Description) { list = Self.all.map { $0.init(description) } }

  /// Increases with each visible change.
  var revision: UInt64 { list.reduce(0) { $0 &+ $1.revision } }

  /// The feature of a type, if the kiosk has one.
  subscript<Kind: Feature>(type: Kind.Type) -> Kind? {
    for feature in list { if let feature = feature as? Kind { return feature } }
    return nil
  }

  /// The values of another process that last, and features that continue its state.
  static func restored(
    _ kept: [String: Value], _ description: Description, at clock: CivilTime
  ) -> (features: Features, kept: [String: Value]) {
    var (features, kept) = (Features(description), kept)
    for index in features.list.indices {
      features.list[index].restore(&kept, description, at: clock)
    }
    return (features, kept)
  }

  mutating func restart(_ description: Description) {
    for index in list.indices { list[index].restart(description) }
  }

  /// Takes a feature out of the list, or puts it back.
  fileprivate mutating func exchange(_ feature: inout any Feature, at index: Int) {
    swap(&feature, &list[index])
  }
}

extension Engine {
  /// Lets each feature change itself and the kiosk, in the order of their precedence, until one returns true. Returns
  /// whether one did.
  @discardableResult
  mutating func askFeatures(_ body: (inout any Feature, inout Engine) -> Bool) -> Bool {
    for index in features.list.indices {
      var feature: any Feature = NoFeature()
      features.exchange(&feature, at: index)
      defer { features.exchange(&feature, at: index) }
      if body(&feature, &self) { return true }
    }
    return false
  }

  /// Lets each feature change itself and the kiosk, in the order of their precedence.
  mutating func forEachFeature(_ body: (inout any Feature, inout Engine) -> Void) {
    askFeatures {
      body(&$0, &$1)
      return false
    }
  }
}

/// Stands in for a feature that is handling something.
private struct NoFeature: Feature {
  init(_ description: Description) {}
  init() {}
}
