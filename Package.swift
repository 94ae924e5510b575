// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT

import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .strictMemorySafety(),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// Optimizes code outside of frames and turns for size. Library products can't use unsafe flags.
let small: [SwiftSetting] = [.unsafeFlags(["-Osize"], .when(configuration: .release))]
let smallLibraries: Set = [
  "RoundelAuthoring", "LanguageServer", "RoundelReview", "RoundelSuites", "RoundelManual",
  "LiveSuites", "KioskClients",
  "RoundelBundles", "RoundelBeginnings",
]

func library(
  _ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource]? = nil,
  plugins: [Target.PluginUsage] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, resources: resources,
    swiftSettings: strict + (smallLibraries.contains(name) ? small : []), plugins: plugins)
}

func tests(
  _ name: String, _ dependencies: [Target.Dependency], besides files: [String] = []
) -> Target {
  .testTarget(name: name, dependencies: dependencies, exclude: files, swiftSettings: strict)
}

func system(_ name: String, _ pkgConfig: String?, apt package: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([package])])
}

/// Options of release builds that make the programs smaller:
/// - Relative relocations save 1 MB. The linker that Swift chooses for a static runtime lacks them.
/// - Programs export no names, because nothing links to them.
/// - Functions with equal code are merged, which saves 1 MB if each has a separate section, as in
///   deploy/build. No code here compares addresses of functions, or key paths, which contain some.
/// - Unwind tables would take 2.4 MB. No code here throws C++ exceptions, and little of C++'s library,
///   which is linked statically, is used.
let program: [LinkerSetting] = [
  .unsafeFlags(
    [
      "-L\(Context.packageDirectory)/deploy/tools/libraries",
      "-Xclang-linker", "-fuse-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs",
      "-Xlinker", "--no-export-dynamic", "-Xlinker", "--icf=all", "-Xlinker",
      "--no-eh-frame-hdr", "-Xlinker", "-T", "-Xlinker",
      "\(Context.packageDirectory)/deploy/tools/no-unwind-tables.ld",
    ], .when(configuration: .release))
]

/// BoringSSL may compare addresses of functions.
let unfolded: [LinkerSetting] = [
  .unsafeFlags(["-Xlinker", "--icf=none"], .when(configuration: .release))
]

let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let nio = ["NIOCore", "NIOPosix", "NIOHTTP1", "NIOWebSocket"].map {
  Target.Dependency.product(name: $0, package: "swift-nio")
}
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let systemPackage = Target.Dependency.product(name: "SystemPackage", package: "swift-system")

/// A target may depend only on targets above it. deploy/manual/architecture.md shows this list as a
/// table, and the build refuses undeclared imports.
let package = Package(
  name: "roundel",
  products: [
    .executable(name: "roundel", targets: ["roundel"]),
    .executable(name: "roundel-mqtt", targets: ["roundel-mqtt"]),
    .executable(name: "roundel-home", targets: ["roundel-home"]),
    .executable(name: "roundel-studio", targets: ["roundel-studio"]),
    .library(name: "RoundelKit", targets: ["RoundelKit"]),
    .library(name: "RoundelControls", targets: ["RoundelControls"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-system", from: "1.4.0"),
    // Only for roundel-home.
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
  ],
  targets: [
    // The core uses no clock, file, thread or device.
    library("RoundelGeometry"),
    library("RoundelMotion"),
    library("RoundelExpressions"),
    library("RoundelDrawing", ["RoundelGeometry"]),
    library(
      "RoundelText",
      [
        "RoundelGeometry", "RoundelDrawing", "RoundelExpressions", "CRoundelFreeType",
        "CRoundelFriBidi", "CRoundelHarfBuzz", "CRoundelThai", "CRoundelUnibreak",
      ]),
    // The commit of the build, written after linking.
    .target(name: "CRoundelCommit"),
    // Inner loops in C, with variants for some processors.
    .target(name: "CRoundelPixels"),
    library(
      "RoundelRaster",
      [
        "RoundelGeometry", "RoundelDrawing", "RoundelText", "CRoundelPNG", "CRoundelJPEG",
        "CRoundelZlib", "CRoundelPixels",
      ]),
    library("RoundelAudio"),
    library("RoundelJSON", ["RoundelExpressions"]),
    library("RoundelDeclarations", ["RoundelExpressions", "RoundelJSON"]),
    library(
      "RoundelControls",
      [
        "RoundelExpressions", "RoundelGeometry", "RoundelMotion", "RoundelDrawing", "RoundelJSON",
        "RoundelDeclarations",
      ]),
    // A separate target, so that programs with controls don't need libqrencode.
    library(
      "QRCodes",
      [
        "RoundelGeometry", "RoundelMotion", "RoundelDrawing", "RoundelJSON", "RoundelDeclarations",
        "RoundelControls", "CRoundelQRencode",
      ]),
    library(
      "Kiosk",
      [
        "RoundelGeometry", "RoundelMotion", "RoundelDrawing", "RoundelExpressions", "RoundelJSON",
        "RoundelDeclarations", "RoundelControls",
      ]),

    // From here on, targets may use Linux.
    library("RoundelYAML", ["RoundelExpressions", "RoundelDeclarations", "CRoundelYAML"]),
    library(
      "KioskFile",
      [
        "RoundelGeometry", "RoundelMotion", "RoundelDrawing", "RoundelExpressions",
        "RoundelControls", "QRCodes", "Kiosk", "RoundelJSON",
        "RoundelDeclarations",
        "RoundelYAML",
      ]),
    library(
      "RoundelReview",
      [
        "RoundelGeometry", "RoundelMotion", "RoundelDrawing", "RoundelText", "RoundelExpressions",
        "RoundelControls", "Kiosk", "RoundelDeclarations",
        "KioskFile",
      ]),
    library(
      "RoundelSession",
      [
        "RoundelGeometry", "RoundelMotion", "RoundelDrawing", "RoundelExpressions",
        "RoundelControls", "Kiosk", "RoundelJSON",
      ]),
    library("LinuxIO", ["RoundelMotion", "CRoundelLinux", systemPackage]),
    library(
      "SystemFonts",
      ["RoundelDeclarations", "RoundelDrawing", "RoundelText", "LinuxIO", "CRoundelFontconfig"]),
    library(
      "RoundelPresentation",
      ["RoundelGeometry", "RoundelMotion", "RoundelDrawing", "RoundelRaster"]),
    library(
      "RoundelRuntime",
      [
        "RoundelGeometry", "RoundelMotion", "RoundelDrawing", "RoundelText", "RoundelRaster",
        "RoundelAudio", "RoundelControls", "RoundelExpressions",
        "Kiosk", "RoundelSession", "RoundelPresentation",
      ]),
    library(
      "RoundelSuites",
      [
        "RoundelGeometry", "RoundelMotion", "RoundelDrawing", "RoundelRaster", "RoundelExpressions",
        "RoundelControls", "Kiosk", "RoundelJSON",
        "RoundelDeclarations", "RoundelYAML", "KioskFile",
        "RoundelSession", "RoundelRuntime",
      ]),
    // Files as source text: positions, names, completion and edits.
    library(
      "RoundelAuthoring",
      [
        "RoundelGeometry", "RoundelDrawing", "RoundelExpressions", "RoundelControls", "Kiosk",
        "RoundelJSON", "RoundelDeclarations",
        "KioskFile", "RoundelSession", "RoundelSuites",
      ]),
    library("RoundelHotplug", ["LinuxIO", "CRoundelUdev"]),
    library(
      "DRMDisplay",
      [
        "RoundelGeometry", "RoundelMotion", "RoundelDrawing", "RoundelRaster",
        "RoundelPresentation", "LinuxIO", "RoundelHotplug", "CRoundelDRM",
        systemPackage,
      ]),
    library(
      "FramebufferDisplay",
      [
        "RoundelGeometry", "RoundelMotion", "RoundelDrawing", "RoundelRaster",
        "RoundelPresentation", "LinuxIO", "CRoundelLinux",
        systemPackage,
      ]),
    library(
      "RoundelInput",
      ["RoundelGeometry", "RoundelMotion", "RoundelControls", "CRoundelXKBCommon"]),
    library(
      "InputDevices",
      [
        "RoundelGeometry", "RoundelMotion", "RoundelDeclarations", "RoundelControls", "RoundelYAML",
        "RoundelInput", "LinuxIO", "RoundelHotplug",
        "CRoundelEvdev", "CRoundelLibinput", "CRoundelUdev",
        systemPackage,
      ]),
    library(
      "SoundOutput", ["RoundelMotion", "RoundelAudio", "LinuxIO", "CRoundelALSA", systemPackage]),
    library(
      "WaylandDisplay",
      [
        "RoundelGeometry", "RoundelMotion", "RoundelDrawing", "RoundelRaster", "RoundelControls",
        "RoundelPresentation", "LinuxIO",
        "RoundelInput", "CRoundelWayland", systemPackage,
      ], plugins: ["WaylandTables"]),
    library(
      "RoundelTerminal",
      [
        "RoundelGeometry", "RoundelMotion", "RoundelDrawing", "RoundelRaster", "RoundelControls",
        "RoundelJSON", "LinuxIO",
        "RoundelPresentation", "CRoundelLinux", systemPackage,
      ]),
    library(
      "RoundelBackends",
      [
        "RoundelGeometry", "RoundelMotion", "RoundelDrawing", "RoundelRaster", "RoundelControls",
        "Kiosk", "LinuxIO",
        "RoundelPresentation", "RoundelRuntime",
        "RoundelHotplug", "DRMDisplay", "FramebufferDisplay", "RoundelInput", "InputDevices",
        "WaylandDisplay",
        "RoundelTerminal", systemPackage,
      ]),
    library(
      "JSONRPC", ["RoundelMotion", "RoundelJSON", "LinuxIO", "CRoundelLinux", systemPackage]),
    library(
      "KioskProtocol",
      [
        "RoundelGeometry", "RoundelMotion", "RoundelExpressions", "RoundelControls", "Kiosk",
        "RoundelJSON", "RoundelSession", "LinuxIO",
        "JSONRPC",
        "CRoundelCommit", systemPackage,
      ]),
    // The kiosks that `roundel new` begins from.
    library(
      "RoundelBeginnings", ["RoundelJSON", "KioskFile"], resources: [.embedInCode("Kiosks")]),
    // The reference, generated from the declarations.
    library("RoundelManual", ["KioskFile", "RoundelSession", "RoundelSuites", "KioskProtocol"]),
    library(
      "KioskService",
      [
        "RoundelGeometry", "RoundelMotion", "RoundelDrawing", "RoundelRaster", "RoundelExpressions",
        "RoundelDeclarations", "RoundelControls",
        "Kiosk", "RoundelJSON", "RoundelSession", "LinuxIO", "RoundelInput", "RoundelPresentation",
        "RoundelRuntime", "JSONRPC",
        "KioskProtocol",
        systemPackage,
      ]),
    library(
      "LiveSuites",
      [
        "RoundelGeometry", "RoundelMotion", "RoundelRaster", "RoundelExpressions",
        "RoundelControls", "Kiosk", "RoundelJSON", "RoundelDeclarations",

        "RoundelSession", "RoundelSuites", "LinuxIO", "CRoundelLinux", "RoundelRuntime", "JSONRPC",
        "KioskProtocol",
        systemPackage,
      ]),
    // A running kiosk: its file, fallbacks and persistent state. Tests can run it.
    library(
      "KioskHost",
      [
        "RoundelGeometry", "RoundelMotion", "RoundelDrawing", "RoundelText", "RoundelRaster",
        "RoundelAudio", "RoundelExpressions", "RoundelControls", "QRCodes",
        "Kiosk", "RoundelJSON", "RoundelDeclarations", "KioskFile", "RoundelReview",
        "RoundelSession", "SystemFonts",
        "LinuxIO",
        "RoundelPresentation", "RoundelRuntime", "RoundelBackends", "JSONRPC", "KioskProtocol",
        "KioskService", "SoundOutput", logging,
        systemPackage,
      ]),
    // Kiosks in Swift, with one import.
    library(
      "RoundelKit",
      [
        "RoundelGeometry", "RoundelMotion", "RoundelRaster", "RoundelExpressions",
        "RoundelControls", "Kiosk", "RoundelJSON", "RoundelDeclarations", "KioskFile",
        "RoundelSession", "RoundelSuites", "LinuxIO", "CRoundelLinux", "RoundelRuntime",
        "RoundelBackends", "KioskProtocol", "KioskHost", systemPackage,
      ]),
    // Signed kiosks with all their files, and the versions installed on a machine.
    library(
      "RoundelBundles", ["RoundelJSON", "KioskFile", "LinuxIO", "KioskHost", systemPackage]),
    // The Language Server Protocol.
    library(
      "LanguageServer",
      [
        "RoundelGeometry", "RoundelDrawing", "Kiosk", "RoundelJSON", "RoundelDeclarations",
        "KioskFile", "RoundelSession", "RoundelSuites",
        "RoundelAuthoring", "LinuxIO", "KioskHost",
      ]),
    // Clients of a running kiosk: its picture in a terminal, tools for language models, reports.
    library(
      "KioskClients",
      [
        "RoundelGeometry", "RoundelMotion", "RoundelRaster", "RoundelControls", "Kiosk",
        "RoundelJSON", "RoundelDeclarations",
        "RoundelSession", "LinuxIO",
        "JSONRPC", "KioskProtocol", "RoundelTerminal", systemPackage,
      ]),
    // The machine's capabilities, problems and painting speed.
    library(
      "RoundelDiagnosis",
      [
        "RoundelGeometry", "RoundelMotion", "RoundelDrawing", "RoundelText", "RoundelRaster",
        "RoundelExpressions", "RoundelControls", "Kiosk",
        "RoundelJSON",
        "KioskFile", "SystemFonts", "LinuxIO", "RoundelPresentation", "RoundelRuntime",
        "DRMDisplay",
        "FramebufferDisplay", "RoundelInput", "InputDevices", "SoundOutput", "WaylandDisplay",
        "KioskHost",
        systemPackage,
      ]),
    .executableTarget(
      name: "roundel",
      dependencies: [
        "RoundelGeometry", "RoundelMotion", "RoundelDrawing", "RoundelText", "RoundelRaster",
        "RoundelExpressions", "RoundelControls", "Kiosk",
        "RoundelJSON", "RoundelDeclarations",
        "KioskFile", "RoundelReview", "RoundelSession", "RoundelSuites", "SystemFonts", "LinuxIO",
        "RoundelPresentation",
        "RoundelRuntime",
        "DRMDisplay", "FramebufferDisplay", "RoundelInput", "InputDevices", "WaylandDisplay",
        "RoundelTerminal",
        "RoundelAudio", "SoundOutput", "RoundelBackends", "JSONRPC",
        "KioskProtocol",
        "RoundelManual", "RoundelBeginnings", "KioskService", "LiveSuites", "KioskHost",
        "RoundelBundles",
        "KioskClients",
        "RoundelDiagnosis", argumentParser, logging, systemPackage,
      ],
      swiftSettings: strict + small, linkerSettings: program),

    // The studio. A separate program, so that the kiosk's doesn't use the network.
    .target(
      name: "RoundelStudio",
      dependencies: [
        "RoundelGeometry", "RoundelMotion", "RoundelDrawing", "RoundelText", "RoundelRaster",
        "RoundelExpressions", "RoundelControls", "Kiosk",
        "RoundelJSON", "RoundelDeclarations", "KioskFile", "RoundelSession", "RoundelSuites",
        "LinuxIO", "RoundelRuntime",
        "LiveSuites", "JSONRPC", "KioskProtocol", "KioskHost", "RoundelAuthoring", "LanguageServer",
        systemPackage,
      ], resources: [.embedInCode("Page"), .embedInCode("Scripts")], swiftSettings: strict + small),
    .executableTarget(
      name: "roundel-studio",
      dependencies: [
        "RoundelMotion", "LinuxIO", "RoundelJSON", "KioskProtocol", "RoundelAuthoring",
        "LanguageServer",
        "RoundelStudio", argumentParser, systemPackage,
      ],
      swiftSettings: strict + small, linkerSettings: program),

    // The values that services provide and receive, for all bridges.
    library(
      "Exchange",
      [
        "RoundelExpressions", "RoundelDeclarations", "RoundelMotion", "Kiosk", "RoundelJSON",
        "RoundelSession", "LinuxIO", "JSONRPC", "KioskProtocol", systemPackage,
      ]),
    // The MQTT bridge. A separate program, so that the kiosk's doesn't use the network.
    library(
      "HomeAssistant",
      [
        "RoundelExpressions", "RoundelDeclarations", "RoundelMotion", "RoundelControls", "Kiosk",
        "RoundelJSON", "RoundelSession", "JSONRPC",
        "KioskProtocol", "Exchange",
      ]),
    library("RoundelBroker", ["RoundelMotion", "LinuxIO", "CRoundelMosquitto", systemPackage]),
    // The bridge's sessions, without a clock, socket or file.
    library(
      "MQTTBridge",
      [
        "RoundelMotion", "Kiosk", "RoundelJSON", "LinuxIO", "JSONRPC", "KioskProtocol",
        "Exchange", "HomeAssistant",
      ]),
    .executableTarget(
      name: "roundel-mqtt",
      dependencies: [
        "RoundelMotion", "RoundelJSON", "LinuxIO", "JSONRPC", "KioskProtocol", "Exchange",
        "HomeAssistant", "RoundelBroker",
        "MQTTBridge", argumentParser, systemPackage,
      ],
      swiftSettings: strict + small, linkerSettings: program),

    // The bridge to Home Assistant without a broker. The only program with SwiftNIO.
    library("RoundelWebSocket", ["LinuxIO", systemPackage] + nio + [nioSSL]),
    library(
      "HomeBridge",
      [
        "RoundelMotion", "RoundelDeclarations", "Kiosk", "RoundelJSON", "KioskProtocol", "Exchange",
      ]),
    .executableTarget(
      name: "roundel-home",
      dependencies: [
        "RoundelMotion", "RoundelDeclarations", "RoundelJSON", "LinuxIO", "KioskProtocol",
        "Exchange", "HomeBridge", "RoundelWebSocket", argumentParser, systemPackage,
      ],
      swiftSettings: strict + small, linkerSettings: program + unfolded),

    // An example kiosk in Swift.
    .executableTarget(
      name: "LunchExample",
      dependencies: ["RoundelKit"],
      swiftSettings: strict),

    // The C border: one folder for each library, with headers only.
    system("CRoundelFreeType", "freetype2", apt: "libfreetype-dev"),
    system("CRoundelFriBidi", "fribidi", apt: "libfribidi-dev"),
    system("CRoundelHarfBuzz", "harfbuzz", apt: "libharfbuzz-dev"),
    system("CRoundelQRencode", "libqrencode", apt: "libqrencode-dev"),
    system("CRoundelThai", "libthai", apt: "libthai-dev"),
    system("CRoundelUnibreak", "libunibreak", apt: "libunibreak-dev"),
    system("CRoundelPNG", "libpng", apt: "libpng-dev"),
    system("CRoundelJPEG", "libjpeg", apt: "libjpeg-dev"),
    system("CRoundelZlib", "zlib", apt: "zlib1g-dev"),
    system("CRoundelYAML", "yaml-0.1", apt: "libyaml-dev"),
    system("CRoundelFontconfig", "fontconfig", apt: "libfontconfig-dev"),
    system("CRoundelLinux", nil, apt: "libc6-dev"),
    system("CRoundelALSA", "alsa", apt: "libasound2-dev"),
    system("CRoundelDRM", "libdrm", apt: "libdrm-dev"),
    system("CRoundelMosquitto", "libmosquitto", apt: "libmosquitto-dev"),
    system("CRoundelEvdev", "libevdev", apt: "libevdev-dev"),
    system("CRoundelLibinput", "libinput", apt: "libinput-dev"),
    system("CRoundelUdev", "libudev", apt: "libudev-dev"),
    system("CRoundelWayland", "wayland-client", apt: "libwayland-dev"),
    system("CRoundelXKBCommon", "xkbcommon", apt: "libxkbcommon-dev"),
    // Runs wayland-scanner on the files of wayland-protocols.
    .plugin(name: "WaylandTables", capability: .buildTool()),

    tests("GeometryTests", ["RoundelGeometry"]),
    // Compares a running kiosk's frames with its replay's, on a simulated display.
    .target(
      name: "FrameLaw",
      dependencies: [
        "RoundelGeometry", "RoundelMotion", "RoundelRaster", "Kiosk", "RoundelSession",
        "RoundelPresentation", "RoundelRuntime",
        "TestSupport",
      ], path: "Tests/FrameLaw", swiftSettings: strict),
    .target(name: "AllocationCount", path: "Tests/AllocationCount"),
    // Answers DRM's ioctls instead of the kernel.
    .target(name: "CardCalls", path: "Tests/CardCalls"),
    .target(
      name: "TestSupport",
      dependencies: ["RoundelGeometry", "RoundelDrawing", "RoundelText", "RoundelRaster"],
      path: "Tests/TestSupport", swiftSettings: strict),
    .target(
      name: "SchemaValidator", dependencies: ["RoundelJSON", "RoundelDeclarations"],
      path: "Tests/SchemaValidator",
      swiftSettings: strict),
    tests(
      "RoundelKitTests",
      [
        "RoundelKit", "RoundelGeometry", "RoundelControls", "RoundelDrawing", "RoundelExpressions",
        "RoundelMotion", "RoundelJSON", "RoundelDeclarations", "KioskFile", "LunchExample",
      ]),
    tests(
      "KioskTests",
      [
        "RoundelGeometry", "RoundelMotion", "RoundelDrawing", "RoundelExpressions",
        "RoundelControls", "Kiosk",
      ]),
    tests(
      "SessionTests",
      [
        "RoundelGeometry", "RoundelMotion", "RoundelExpressions", "RoundelControls", "Kiosk",
        "RoundelJSON", "RoundelSession", "TestSupport",
      ]),
    tests(
      "RasterTests",
      [
        "RoundelGeometry", "RoundelDrawing", "RoundelText", "SystemFonts", "RoundelRaster",
        "CRoundelPixels", "TestSupport",
        "AllocationCount",
      ]),
    tests(
      "KioskFileTests",
      [
        "RoundelGeometry", "RoundelMotion", "RoundelDrawing", "RoundelExpressions",
        "RoundelControls", "Kiosk", "RoundelJSON", "RoundelDeclarations",
        "RoundelYAML",
        "KioskFile", "RoundelSession", "JSONRPC", "KioskProtocol",
        "SchemaValidator", "TestSupport", systemPackage,
      ]),
    tests(
      "LanguageTests",
      [
        "RoundelGeometry", "RoundelMotion", "RoundelDrawing", "RoundelExpressions",
        "RoundelControls", "Kiosk", "RoundelJSON", "RoundelDeclarations",
        "KioskFile",
        "TestSupport",
      ]),
    tests(
      "ReviewTests",
      [
        "RoundelGeometry", "RoundelDrawing", "RoundelText", "RoundelExpressions", "Kiosk",
        "RoundelDeclarations", "KioskFile",
        "RoundelReview", "SystemFonts",
        "TestSupport",
      ]),
    tests("AudioTests", ["RoundelAudio"]),
    tests("LinuxIOTests", ["RoundelMotion", "LinuxIO", systemPackage]),
    tests(
      "RuntimeTests",
      [
        "RoundelGeometry", "RoundelMotion", "RoundelDrawing", "RoundelText", "RoundelRaster",
        "RoundelControls", "Kiosk", "RoundelSession",
        "RoundelPresentation", "RoundelRuntime", "TestSupport",
      ]),
    tests(
      "PresentationTests",
      [
        "RoundelGeometry", "RoundelMotion", "RoundelDrawing", "RoundelRaster",
        "RoundelPresentation", "TestSupport",
      ]),
    tests(
      "DRMDisplayTests",
      [
        "RoundelGeometry", "RoundelMotion", "RoundelDrawing", "RoundelText", "RoundelRaster",
        "RoundelControls", "Kiosk", "RoundelPresentation",
        "RoundelRuntime", "LinuxIO", "DRMDisplay", "CRoundelDRM", "CardCalls", "TestSupport",
        systemPackage,
      ]),
    tests(
      "FramebufferDisplayTests",
      [
        "RoundelGeometry", "RoundelMotion", "RoundelDrawing", "RoundelRaster",
        "RoundelPresentation", "LinuxIO", "FramebufferDisplay",
        "TestSupport", systemPackage,
      ]),
    tests(
      "InputTests",
      ["RoundelGeometry", "RoundelMotion", "RoundelControls", "RoundelInput", "TestSupport"]),
    tests(
      "InputDevicesTests",
      [
        "RoundelGeometry", "RoundelMotion", "RoundelControls", "LinuxIO", "RoundelInput",
        "InputDevices", "TestSupport",
      ]),
    tests(
      "TerminalTests",
      [
        "RoundelGeometry", "RoundelMotion", "RoundelDrawing", "RoundelRaster", "RoundelControls",
        "RoundelJSON", "LinuxIO",
        "RoundelPresentation", "RoundelTerminal", "TestSupport", systemPackage,
      ]),
    tests(
      "LiveSuitesTests",
      [
        "RoundelGeometry", "RoundelMotion", "RoundelDrawing", "RoundelText", "RoundelRaster",
        "RoundelExpressions", "RoundelControls", "Kiosk",
        "RoundelJSON", "RoundelDeclarations", "RoundelSession", "RoundelSuites", "LinuxIO",
        "RoundelPresentation", "RoundelRuntime",
        "JSONRPC",
        "KioskProtocol", "KioskService", "LiveSuites", systemPackage,
      ]),
    tests("MotionTests", ["RoundelMotion"]),
    tests(
      "ExpressionsTests", ["RoundelExpressions", "RoundelJSON", "TestSupport"], besides: ["Oracle"]),
    tests(
      "ControlsTests",
      [
        "RoundelGeometry", "RoundelMotion", "RoundelDrawing", "RoundelExpressions",
        "RoundelControls", "QRCodes", "TestSupport",
      ]),
    tests(
      "TextTests",
      [
        "RoundelGeometry", "RoundelDrawing", "RoundelExpressions", "RoundelText", "SystemFonts",
        "CRoundelFreeType", "TestSupport",
      ],
      besides: ["Corpus"]),
    tests("PNGTests", ["RoundelGeometry", "RoundelRaster", "TestSupport"]),
    tests("JSONTests", ["RoundelExpressions", "RoundelJSON", "TestSupport"]),
    tests(
      "RemoteTests",
      [
        "RoundelGeometry", "RoundelMotion", "RoundelDrawing", "RoundelText", "RoundelRaster",
        "RoundelExpressions", "RoundelControls", "Kiosk",
        "RoundelJSON", "RoundelDeclarations", "RoundelSession",
        "LinuxIO", "RoundelInput", "RoundelPresentation", "RoundelRuntime", "JSONRPC",
        "KioskProtocol", "KioskService",
        "TestSupport", systemPackage,
      ]),
    tests(
      "SuiteTests",
      [
        "RoundelGeometry", "RoundelMotion", "RoundelDrawing", "RoundelText", "RoundelRaster",
        "RoundelExpressions", "RoundelControls", "Kiosk",
        "RoundelRuntime", "RoundelJSON",
        "RoundelDeclarations", "RoundelYAML", "KioskFile", "RoundelSession", "RoundelSuites",
        "SchemaValidator", "TestSupport",
      ]),
    tests(
      "BackendsTests",
      [
        "RoundelGeometry", "RoundelDrawing", "RoundelRaster", "RoundelText", "RoundelMotion",
        "RoundelControls", "Kiosk", "LinuxIO",
        "RoundelPresentation", "RoundelRuntime", "RoundelTerminal", "RoundelBackends",
      ]),
    tests(
      "DiagnosisTests",
      [
        "RoundelGeometry", "RoundelDrawing", "RoundelText", "RoundelControls", "Kiosk",
        "RoundelJSON", "RoundelDeclarations", "SystemFonts",
        "LinuxIO", "RoundelPresentation", "RoundelRuntime", "DRMDisplay", "InputDevices",
        "SoundOutput",
        "RoundelDiagnosis", "TestSupport",
      ]),
    // A kiosk without a display, on a virtual clock and in a temporary folder.
    .target(
      name: "HostSupport",
      dependencies: [
        "RoundelGeometry", "RoundelMotion", "RoundelAudio", "RoundelExpressions", "RoundelControls",
        "Kiosk", "RoundelJSON", "LinuxIO",
        "CRoundelLinux", "RoundelPresentation", "RoundelRuntime", "RoundelBackends",
        "KioskProtocol", "KioskHost", logging,
        systemPackage,
      ], path: "Tests/HostSupport", swiftSettings: strict),
    tests(
      "KioskHostTests",
      [
        "RoundelGeometry", "RoundelMotion", "RoundelExpressions", "RoundelControls", "Kiosk",
        "RoundelJSON", "RoundelDeclarations", "RoundelYAML",
        "KioskFile", "LinuxIO", "RoundelPresentation", "RoundelRuntime", "RoundelBackends",
        "JSONRPC", "KioskProtocol",
        "RoundelAudio", "KioskHost", "HostSupport", logging, systemPackage,
      ]),
    tests(
      "KioskClientsTests",
      [
        "RoundelGeometry", "RoundelMotion", "Kiosk", "RoundelJSON", "RoundelDeclarations",
        "LinuxIO", "JSONRPC",
        "KioskProtocol", "KioskHost", "KioskClients", "HostSupport", systemPackage,
      ]),
    tests(
      "HomeAssistantTests",
      [
        "RoundelExpressions", "RoundelGeometry", "RoundelMotion", "RoundelControls", "QRCodes",
        "Kiosk", "RoundelJSON", "JSONRPC",
        "KioskProtocol", "Exchange", "HomeAssistant",
      ]),
    tests(
      "HomeBridgeTests",
      [
        "RoundelMotion", "RoundelDeclarations", "RoundelJSON", "JSONRPC", "KioskProtocol",
        "Exchange", "HomeBridge",
      ]),
    tests(
      "ExchangeTests",
      [
        "RoundelMotion", "RoundelExpressions", "RoundelGeometry", "RoundelDrawing",
        "RoundelDeclarations", "RoundelControls", "Kiosk", "KioskFile", "RoundelJSON", "JSONRPC",
        "KioskProtocol", "Exchange", "TestSupport",
      ]),
    tests(
      "MQTTBridgeTests",
      [
        "RoundelMotion", "RoundelJSON", "JSONRPC", "Kiosk", "KioskProtocol", "Exchange",
        "HomeAssistant", "MQTTBridge", "TestSupport",
      ]),
    tests("SystemFontsTests", ["RoundelDrawing", "SystemFonts", "CRoundelFontconfig"]),
    tests(
      "ManualTests", ["KioskFile", "RoundelBeginnings", "RoundelManual", "RoundelSession"]),
    tests(
      "AuthoringTests",
      [
        "RoundelAuthoring", "RoundelDeclarations", "RoundelDrawing", "RoundelJSON", "KioskFile",
        "RoundelSuites", "RoundelYAML",
        "TestSupport",
      ]),
    tests(
      "StudioTests",
      [
        "RoundelControls", "RoundelDeclarations", "RoundelGeometry", "RoundelJSON", "Kiosk",
        "JSONRPC", "KioskProtocol",
        "LinuxIO", "RoundelMotion", "RoundelRaster", "RoundelStudio",
      ]),
    // Benchmarks: Tests/Bench/compare runs the first, deploy/test the second.
    .executableTarget(
      name: "paint-bench",
      dependencies: [
        "RoundelGeometry", "RoundelDrawing", "RoundelText", "RoundelRaster", "SystemFonts",
        "AllocationCount", "TestSupport",
      ],
      path: "Tests/Bench/Paint", swiftSettings: strict),
    .executableTarget(
      name: "scale-bench",
      dependencies: [
        "RoundelGeometry", "RoundelMotion", "RoundelDrawing", "RoundelExpressions", "RoundelJSON",
        "RoundelText", "RoundelRaster", "RoundelControls",
        "Kiosk",
        "KioskFile", "SystemFonts", "AllocationCount", "TestSupport",
      ],
      path: "Tests/Bench/Scale", swiftSettings: strict),
    // Fails if a moving frame allocates memory. deploy/test runs its release build.
    .executableTarget(
      name: "frame-memory",
      dependencies: [
        "RoundelGeometry", "RoundelMotion", "RoundelDrawing", "RoundelExpressions", "RoundelText",
        "RoundelRaster", "RoundelControls", "Kiosk",
        "KioskFile", "SystemFonts", "RoundelPresentation", "RoundelRuntime", "AllocationCount",
      ],
      path: "Tests/Bench/Frames", swiftSettings: strict),
    // Uses random kiosks in random ways.
    .executableTarget(
      name: "engine-fuzz",
      dependencies: [
        "RoundelGeometry", "RoundelMotion", "RoundelDrawing", "RoundelText", "RoundelRaster",
        "RoundelExpressions", "RoundelControls", "QRCodes",
        "Kiosk", "RoundelJSON", "RoundelDeclarations", "KioskFile", "RoundelSession",
        "RoundelRuntime", "FrameLaw", "Painting",
        "TestSupport",
      ],
      path: "Tests/Fuzz/Engine", swiftSettings: strict),
    // Paints random kiosks on random panels. deploy/test --long uses AddressSanitizer.
    .target(
      name: "Painting",
      dependencies: [
        "RoundelGeometry", "RoundelDrawing", "RoundelText", "RoundelRaster", "RoundelAudio",
        "RoundelControls", "Kiosk", "RoundelJSON",
        "RoundelDeclarations", "RoundelYAML",
        "KioskFile", "RoundelSession", "RoundelSuites", "SystemFonts", "RoundelPresentation",
        "RoundelRuntime", "TestSupport",
      ],
      path: "Tests/Fuzz/Painting", swiftSettings: strict),
    .executableTarget(
      name: "paint-fuzz", dependencies: ["SystemFonts", "Painting"],
      path: "Tests/Fuzz/Paint", swiftSettings: strict),
    tests(
      "GoldenTests",
      [
        "RoundelGeometry", "RoundelMotion", "RoundelDrawing", "RoundelText", "RoundelRaster",
        "RoundelExpressions", "RoundelControls", "Kiosk",
        "RoundelDeclarations", "KioskFile", "RoundelSession", "RoundelRuntime", "SystemFonts",
        "RoundelPresentation",
        "RoundelReview", "FrameLaw", "Painting", "TestSupport",
      ], besides: ["Goldens"]),
  ]
)
