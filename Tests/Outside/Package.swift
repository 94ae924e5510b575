// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT

import PackageDescription

// A package of its own, as a user of RoundelKit has one. `deploy/test` builds and runs it.
let package = Package(
  name: "door",
  dependencies: [.package(name: "roundel", path: "../..")],
  targets: [
    .executableTarget(
      name: "Door", dependencies: [.product(name: "RoundelKit", package: "roundel")])
  ])
