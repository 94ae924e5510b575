// SPDX-License-Identifier: MIT

import Foundation
import PackagePlugin

/// Generates Swift tables for the Wayland extension protocols, because the package build accepts no generated C. The
/// tables of the core protocol are in libwayland-client.
@main struct WaylandTables: BuildToolPlugin {
  /// The paths in Debian's wayland-protocols.
  private static let protocols = [
    "stable/presentation-time/presentation-time.xml",
    "stable/viewporter/viewporter.xml",
    "stable/xdg-shell/xdg-shell.xml",
    "staging/fractional-scale/fractional-scale-v1.xml",
    "unstable/xdg-output/xdg-output-unstable-v1.xml",
  ]

  func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
    let folder = URL(filePath: "/usr/share/wayland-protocols")
    let files = Self.protocols.map { folder.appending(path: $0) }
    let script = context.package.directoryURL.appending(path: "Plugins/WaylandTables/make-tables")
    let tables = context.pluginWorkDirectoryURL.appending(path: "ProtocolTables.swift")
    return [
      .buildCommand(
        displayName: "Making the tables of the Wayland protocols",
        executable: URL(filePath: "/bin/sh"),
        arguments: [script.path, tables.path] + files.map(\.path),
        inputFiles: [script] + files, outputFiles: [tables])
    ]
  }
}
