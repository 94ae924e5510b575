// SPDX-License-Identifier: MIT

internal import RoundelExpressions

struct Features: Sendable {
  /// In order of precedence. If several could handle a finger or a key, the first does.
  static let all: [any Feature.Type] = [
    StillThere.self,
    Debounce.self,
    SpeechGuide.self,
    Dwell.self,
    Swipe.self,
    Calendar.self,
  ]

  private(set) var list: [any Feature]

  init(_ description: Description) { list = Self.all.map { $0.init(description) } }

  var revision: UInt64 { list.reduce(0) { $0 &+ $1.revision } }

  subscript<Kind: Feature>(type: Kind.Type) -> Kind? {
    for feature in list { if let feature = feature as? Kind { return feature } }
    return nil
  }

  /// Returns features that continue the state of another process, and its values without expired ones.
  static func restored(
    _ persistentValues: [String: Value], _ description: Description, at clock: CivilTime
  ) -> (features: Features, persistentValues: [String: Value]) {
    var (features, persistentValues) = (Features(description), persistentValues)
    for index in features.list.indices {
      features.list[index].restore(&persistentValues, description, at: clock)
    }
    return (features, persistentValues)
  }

  mutating func restart(_ description: Description) {
    for index in list.indices { list[index].restart(description) }
  }

  fileprivate mutating func exchange(_ feature: inout any Feature, at index: Int) {
    swap(&feature, &list[index])
  }
}

extension Engine {
  /// Calls `body` with each feature in order of precedence, and returns true if a call does.
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

  mutating func forEachFeature(_ body: (inout any Feature, inout Engine) -> Void) {
    askFeatures {
      body(&$0, &$1)
      return false
    }
  }
}

private struct NoFeature: Feature {
  init(_ description: Description) {}
  init() {}
}
