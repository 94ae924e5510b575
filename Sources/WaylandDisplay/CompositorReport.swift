// SPDX-License-Identifier: MIT

package import RoundelPresentation

/// The interfaces, outputs and seats of a compositor, human-readable.
package struct CompositorReport: Hashable, Sendable {
  package var place: String
  /// The interfaces used by the kiosk, with the offered versions.
  package var interfaces: [Interface]
  package var missing: [Missing]
  /// One line each.
  package var outputs: [String]
  /// One line each.
  package var seats: [String]

  package struct Interface: Hashable, Sendable {
    package var name: String
    package var version: Int
  }

  package struct Missing: Hashable, Sendable {
    package var name: String
    /// Whether the kiosk can't run without it.
    package var isRequired: Bool
    /// The lost feature, or its substitute.
    package var consequence: String
  }

  package static var isExpected: Bool { WaylandConnection.isNamed }

  /// Queries the compositor named by the environment.
  package init() throws(DisplayError) {
    let connection = try WaylandConnection()
    let registry = try WaylandRegistry(connection)
    place = connection.place
    interfaces = []
    missing = []
    let all =
      WaylandGlobals.required.map { ($0.interface.name, true, $0.purpose) }
      + WaylandGlobals.optional.map { ($0.interface.name, false, $0.without) }
    for (name, isRequired, consequence) in all {
      if let global = registry.globals.first(where: { $0.interface == name }) {
        interfaces.append(Interface(name: name, version: Int(global.version)))
      } else {
        missing.append(Missing(name: name, isRequired: isRequired, consequence: consequence))
      }
    }
    let details = registry.bind(.xdgOutputManager, 3)
    var outputs: [WaylandOutput] = []
    var seats: [WaylandSeat] = []
    for global in registry.globals {
      if global.interface == WaylandInterface.output.name {
        let output = WaylandOutput(global.number, registry.bind(global, .output, 4))
        details.map { output.ask($0) }
        outputs.append(output)
      } else if global.interface == WaylandInterface.seat.name {
        seats.append(WaylandSeat(global.number, registry.bind(global, .seat, 5)))
      }
    }
    try registry.synchronize()
    self.outputs = outputs.map(\.description)
    self.seats = seats.map(\.description)
  }
}
