// SPDX-License-Identifier: MIT

package import Presentation

/// What a compositor offers, for people to read.
package struct CompositorReport: Hashable, Sendable {
  /// The compositor's socket.
  package var place: String
  /// The interfaces that are used here, with the versions that are offered.
  package var interfaces: [Interface]
  /// Interfaces that are not offered, and what follows from that.
  package var missing: [Missing]
  /// The outputs, a line each.
  package var outputs: [String]
  /// The seats, a line each.
  package var seats: [String]

  /// An interface that is offered.
  package struct Interface: Hashable, Sendable {
    package var name: String
    package var version: Int
  }

  /// An interface that is not offered.
  package struct Missing: Hashable, Sendable {
    package var name: String
    /// Whether nothing can be shown without it.
    package var isRequired: Bool
    /// What cannot be done, or is done instead.
    package var consequence: String
  }

  /// Whether the environment names a compositor.
  package static var isExpected: Bool { WaylandConnection.isNamed }

  /// Asks the compositor that the environment names.
  package init() throws(DisplayError) {
    let connection = try WaylandConnection()
    let registry = try WaylandRegistry(connection)
    place = connection.place
    func version(_ interface: WaylandInterface) -> Int? {
      registry.globals.first { $0.interface == interface.name }.map { Int($0.version) }
    }
    interfaces = []
    missing = []
    for (interface, purpose) in WaylandGlobals.required {
      if let version = version(interface) {
        interfaces.append(Interface(name: interface.name, version: version))
      } else {
        missing.append(Missing(name: interface.name, isRequired: true, consequence: purpose))
      }
    }
    for (interface, without) in WaylandGlobals.optional {
      if let version = version(interface) {
        interfaces.append(Interface(name: interface.name, version: version))
      } else {
        missing.append(Missing(name: interface.name, isRequired: false, consequence: without))
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
