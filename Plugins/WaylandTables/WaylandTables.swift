// SPDX-License-Identifier: MIT

import Foundation
import PackagePlugin

/// Makes the tables of the Wayland protocols that are extensions; those of the core are in
/// libwayland-client. The compiler of packages takes no generated C, so they become Swift.
@main struct WaylandTables: BuildToolPlugin {
  /// Where Debian's wayland-protocols has them, below its folder.
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
