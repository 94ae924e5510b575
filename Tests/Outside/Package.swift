// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT

import PackageDescription

// A separate package, like a user's of RoundelKit. `deploy/test` builds and runs it.
let package = Package(
  name: "door",
  dependencies: [.package(name: "roundel", path: "../..")],
  targets: [
    .executableTarget(
      name: "Door",
      dependencies: [
        .product(name: "RoundelKit", package: "roundel"),
        .product(name: "RoundelControls", package: "roundel"),
      ])
  ])
