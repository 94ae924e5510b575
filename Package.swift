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
  "Authoring", "LanguageServer", "Review", "Suites", "Manual", "LiveSuites", "KioskClients",
  "Bundles",
]

func library(
  _ name: String, _ dependencies: [Target.Dependency] = [], plugins: [Target.PluginUsage] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies,
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

let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let systemPackage = Target.Dependency.product(name: "SystemPackage", package: "swift-system")

/// A target may depend only on targets above it. deploy/manual/architecture.md shows this list as a
/// table, and the build refuses undeclared imports.
let package = Package(
  name: "roundel",
  products: [
    .executable(name: "roundel", targets: ["roundel"]),
    .executable(name: "roundel-mqtt", targets: ["roundel-mqtt"]),
    .executable(name: "roundel-studio", targets: ["roundel-studio"]),
    .library(name: "RoundelKit", targets: ["RoundelKit"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-system", from: "1.4.0"),
  ],
  targets: [
    // The core uses no clock, file, thread or device.
    library("Geometry"),
    library("Motion"),
    library("Expressions"),
    library("Drawing", ["Geometry"]),
    library(
      "Text",
      ["Geometry", "Drawing", "CFreeType", "CFriBidi", "CHarfBuzz", "CThai", "CUnibreak"]),
    // The commit of the build, written after linking.
    .target(name: "CCommit"),
    // Inner loops in C, with variants for some processors.
    .target(name: "CPixels"),
    library("Raster", ["Geometry", "Drawing", "Text", "CPNG", "CJPEG", "CZlib", "CPixels"]),
    library("Audio"),
    library("JSON", ["Expressions"]),
    library("Declarations", ["Expressions", "JSON"]),
    library("Controls", ["Expressions", "Geometry", "Motion", "Drawing", "JSON", "Declarations"]),
    // A separate target, so that programs with controls don't need libqrencode.
    library(
      "QRCodes",
      ["Geometry", "Motion", "Drawing", "JSON", "Declarations", "Controls", "CQRencode"]),
    library(
      "Kiosk",
      ["Geometry", "Motion", "Drawing", "Expressions", "JSON", "Declarations", "Controls"]),

    // From here on, targets may use Linux.
    library("YAML", ["Expressions", "Declarations", "CYAML"]),
    library(
      "KioskFile",
      [
        "Geometry", "Motion", "Drawing", "Expressions", "Controls", "QRCodes", "Kiosk", "JSON",
        "Declarations",
        "YAML",
      ]),
    library(
      "Review",
      [
        "Geometry", "Motion", "Drawing", "Text", "Expressions", "Controls", "Kiosk", "Declarations",
        "KioskFile",
      ]),
    library(
      "Session", ["Geometry", "Motion", "Drawing", "Expressions", "Controls", "Kiosk", "JSON"]),
    library("LinuxIO", ["Motion", "CLinux", systemPackage]),
    library("SystemFonts", ["Expressions", "Drawing", "Text", "LinuxIO", "CFontconfig"]),
    library("Presentation", ["Geometry", "Motion", "Drawing", "Raster"]),
    library(
      "Runtime",
      [
        "Geometry", "Motion", "Drawing", "Text", "Raster", "Audio", "Controls", "Expressions",
        "Kiosk", "Session", "Presentation",
      ]),
    library(
      "Suites",
      [
        "Geometry", "Motion", "Drawing", "Raster", "Expressions", "Controls", "Kiosk", "JSON",
        "Declarations", "YAML", "KioskFile",
        "Session", "Runtime",
      ]),
    // Files as source text: positions, names, completion and edits.
    library(
      "Authoring",
      [
        "Geometry", "Drawing", "Expressions", "Controls", "Kiosk", "JSON", "Declarations",
        "KioskFile", "Session", "Suites",
      ]),
    library("Hotplug", ["LinuxIO", "CUdev"]),
    library(
      "DRMDisplay",
      [
        "Geometry", "Motion", "Drawing", "Raster", "Presentation", "LinuxIO", "Hotplug", "CDRM",
        systemPackage,
      ]),
    library(
      "FramebufferDisplay",
      [
        "Geometry", "Motion", "Drawing", "Raster", "Presentation", "LinuxIO", "CLinux",
        systemPackage,
      ]),
    library("Input", ["Geometry", "Motion", "Controls"]),
    library(
      "InputDevices",
      [
        "Geometry", "Motion", "Declarations", "Controls", "YAML", "Input", "LinuxIO", "Hotplug",
        "CEvdev", "CLibinput", "CUdev",
        systemPackage,
      ]),
    library("SoundOutput", ["Motion", "Audio", "LinuxIO", "CALSA", systemPackage]),
    library(
      "WaylandDisplay",
      [
        "Geometry", "Motion", "Drawing", "Raster", "Controls", "Presentation", "LinuxIO",
        "Input", "CWayland", "CXKBCommon", systemPackage,
      ], plugins: ["WaylandTables"]),
    library(
      "Terminal",
      [
        "Geometry", "Motion", "Drawing", "Raster", "Controls", "JSON", "LinuxIO",
        "Presentation", "CLinux", systemPackage,
      ]),
    library(
      "Backends",
      [
        "Geometry", "Motion", "Drawing", "Raster", "Kiosk", "LinuxIO", "Presentation", "Runtime",
        "Hotplug", "DRMDisplay", "FramebufferDisplay", "Input", "InputDevices", "WaylandDisplay",
        "Terminal", systemPackage,
      ]),
    // Kiosks in Swift, with one import.
    library(
      "RoundelKit",
      [
        "Geometry", "Motion", "Drawing", "Text", "Raster", "Expressions", "Controls", "QRCodes",
        "Kiosk", "SystemFonts", "LinuxIO", "Presentation", "Runtime", "Backends",
        systemPackage,
      ]),
    library("JSONRPC", ["Motion", "JSON", "LinuxIO", "CLinux", systemPackage]),
    library(
      "KioskProtocol",
      [
        "Geometry", "Motion", "Expressions", "Controls", "Kiosk", "JSON", "Session", "LinuxIO",
        "JSONRPC",
        "CCommit", systemPackage,
      ]),
    // The reference, generated from the declarations.
    library("Manual", ["KioskFile", "Session", "Suites", "KioskProtocol"]),
    library(
      "KioskService",
      [
        "Geometry", "Motion", "Drawing", "Raster", "Expressions", "Declarations", "Controls",
        "Kiosk", "JSON", "Session", "LinuxIO", "Input", "Presentation", "Runtime", "JSONRPC",
        "KioskProtocol",
        systemPackage,
      ]),
    library(
      "LiveSuites",
      [
        "Geometry", "Motion", "Raster", "Expressions", "Controls", "Kiosk", "JSON", "Declarations",

        "Session", "Suites", "LinuxIO", "CLinux", "Runtime", "JSONRPC", "KioskProtocol",
        systemPackage,
      ]),
    // A running kiosk: its file, fallbacks and persistent state. Tests can run it.
    library(
      "KioskHost",
      [
        "Geometry", "Motion", "Drawing", "Text", "Raster", "Audio", "Expressions", "Controls",
        "Kiosk", "JSON", "Declarations", "KioskFile", "Review", "Session", "SystemFonts",
        "LinuxIO",
        "Presentation", "Runtime", "Backends", "JSONRPC", "KioskProtocol", "KioskService", logging,
        systemPackage,
      ]),
    // Signed kiosks with all their files, and the versions installed on a machine.
    library("Bundles", ["JSON", "LinuxIO", "KioskHost", systemPackage]),
    // The Language Server Protocol.
    library(
      "LanguageServer",
      [
        "Geometry", "Drawing", "Kiosk", "JSON", "Declarations", "KioskFile", "Session", "Suites",
        "Authoring", "LinuxIO", "KioskHost",
      ]),
    // Clients of a running kiosk: its picture in a terminal, tools for language models, reports.
    library(
      "KioskClients",
      [
        "Geometry", "Motion", "Raster", "Controls", "Kiosk", "JSON", "Declarations",
        "Session", "LinuxIO",
        "JSONRPC", "KioskProtocol", "Terminal", systemPackage,
      ]),
    // The machine's capabilities, problems and painting speed.
    library(
      "Diagnosis",
      [
        "Geometry", "Motion", "Drawing", "Text", "Raster", "Expressions", "Controls", "Kiosk",
        "JSON",
        "KioskFile", "SystemFonts", "LinuxIO", "Presentation", "Runtime", "DRMDisplay",
        "FramebufferDisplay", "Input", "InputDevices", "SoundOutput", "WaylandDisplay", "KioskHost",
        systemPackage,
      ]),
    .executableTarget(
      name: "roundel",
      dependencies: [
        "Geometry", "Motion", "Drawing", "Text", "Raster", "Expressions", "Controls", "Kiosk",
        "JSON", "Declarations",
        "KioskFile", "Review", "Session", "Suites", "SystemFonts", "LinuxIO", "Presentation",
        "Runtime",
        "DRMDisplay", "FramebufferDisplay", "Input", "InputDevices", "WaylandDisplay", "Terminal",
        "Audio", "SoundOutput", "Backends", "JSONRPC",
        "KioskProtocol",
        "Manual", "KioskService", "LiveSuites", "KioskHost", "Bundles", "KioskClients",
        "Diagnosis", argumentParser, logging, systemPackage,
      ],
      swiftSettings: strict + small, linkerSettings: program),

    // The studio. A separate program, so that the kiosk's doesn't use the network.
    .target(
      name: "Studio",
      dependencies: [
        "Geometry", "Motion", "Drawing", "Text", "Raster", "Expressions", "Controls", "Kiosk",
        "JSON", "Declarations", "KioskFile", "Session", "Suites", "LinuxIO", "Runtime",
        "LiveSuites", "JSONRPC", "KioskProtocol", "KioskHost", "Authoring", "LanguageServer",
        systemPackage,
      ], resources: [.embedInCode("Page"), .embedInCode("Scripts")], swiftSettings: strict + small),
    .executableTarget(
      name: "roundel-studio",
      dependencies: [
        "Motion", "LinuxIO", "JSON", "KioskProtocol", "Authoring", "LanguageServer",
        "Studio", argumentParser, systemPackage,
      ],
      swiftSettings: strict + small, linkerSettings: program),

    // The MQTT bridge. A separate program, so that the kiosk's doesn't use the network.
    library(
      "HomeAssistant",
      [
        "Expressions", "Declarations", "Motion", "Controls", "Kiosk", "JSON", "Session", "JSONRPC",
        "KioskProtocol",
      ]),
    library("Broker", ["Motion", "LinuxIO", "CMosquitto", systemPackage]),
    // The bridge's sessions, without a clock, socket or file.
    library(
      "MQTTBridge",
      ["Motion", "Kiosk", "JSON", "LinuxIO", "JSONRPC", "KioskProtocol", "HomeAssistant"]),
    .executableTarget(
      name: "roundel-mqtt",
      dependencies: [
        "Motion", "JSON", "LinuxIO", "JSONRPC", "KioskProtocol", "HomeAssistant", "Broker",
        "MQTTBridge", argumentParser, systemPackage,
      ],
      swiftSettings: strict + small, linkerSettings: program),

    // An example kiosk in Swift.
    .executableTarget(
      name: "LunchExample",
      dependencies: ["RoundelKit"],
      swiftSettings: strict),

    // The C border: one folder for each library, with headers only.
    system("CFreeType", "freetype2", apt: "libfreetype-dev"),
    system("CFriBidi", "fribidi", apt: "libfribidi-dev"),
    system("CHarfBuzz", "harfbuzz", apt: "libharfbuzz-dev"),
    system("CQRencode", "libqrencode", apt: "libqrencode-dev"),
    system("CThai", "libthai", apt: "libthai-dev"),
    system("CUnibreak", "libunibreak", apt: "libunibreak-dev"),
    system("CPNG", "libpng", apt: "libpng-dev"),
    system("CJPEG", "libjpeg", apt: "libjpeg-dev"),
    system("CZlib", "zlib", apt: "zlib1g-dev"),
    system("CYAML", "yaml-0.1", apt: "libyaml-dev"),
    system("CFontconfig", "fontconfig", apt: "libfontconfig-dev"),
    system("CLinux", nil, apt: "libc6-dev"),
    system("CALSA", "alsa", apt: "libasound2-dev"),
    system("CDRM", "libdrm", apt: "libdrm-dev"),
    system("CMosquitto", "libmosquitto", apt: "libmosquitto-dev"),
    system("CEvdev", "libevdev", apt: "libevdev-dev"),
    system("CLibinput", "libinput", apt: "libinput-dev"),
    system("CUdev", "libudev", apt: "libudev-dev"),
    system("CWayland", "wayland-client", apt: "libwayland-dev"),
    system("CXKBCommon", "xkbcommon", apt: "libxkbcommon-dev"),
    // Runs wayland-scanner on the files of wayland-protocols.
    .plugin(name: "WaylandTables", capability: .buildTool()),

    tests("GeometryTests", ["Geometry"]),
    // Compares a running kiosk's frames with its replay's, on a simulated display.
    .target(
      name: "FrameLaw",
      dependencies: [
        "Geometry", "Motion", "Raster", "Kiosk", "Session", "Presentation", "Runtime",
        "TestSupport",
      ], path: "Tests/FrameLaw", swiftSettings: strict),
    .target(name: "AllocationCount", path: "Tests/AllocationCount"),
    // Answers DRM's ioctls instead of the kernel.
    .target(name: "CardCalls", path: "Tests/CardCalls"),
    .target(
      name: "TestSupport", dependencies: ["Geometry", "Drawing", "Text", "Raster"],
      path: "Tests/TestSupport", swiftSettings: strict),
    .target(
      name: "SchemaValidator", dependencies: ["JSON", "Declarations"],
      path: "Tests/SchemaValidator",
      swiftSettings: strict),
    tests("RoundelKitTests", ["RoundelKit", "LunchExample"]),
    tests("KioskTests", ["Geometry", "Motion", "Drawing", "Expressions", "Controls", "Kiosk"]),
    tests(
      "SessionTests",
      ["Geometry", "Motion", "Expressions", "Controls", "Kiosk", "JSON", "Session", "TestSupport"]),
    tests(
      "RasterTests",
      [
        "Geometry", "Drawing", "Text", "SystemFonts", "Raster", "CPixels", "TestSupport",
        "AllocationCount",
      ]),
    tests(
      "KioskFileTests",
      [
        "Geometry", "Motion", "Drawing", "Expressions", "Controls", "Kiosk", "JSON", "Declarations",
        "YAML",
        "KioskFile", "Session", "JSONRPC", "KioskProtocol",
        "SchemaValidator", "TestSupport", systemPackage,
      ]),
    tests(
      "LanguageTests",
      [
        "Geometry", "Motion", "Drawing", "Expressions", "Controls", "Kiosk", "JSON", "Declarations",
        "KioskFile",
        "TestSupport",
      ]),
    tests(
      "ReviewTests",
      [
        "Geometry", "Drawing", "Text", "Expressions", "Kiosk", "Declarations", "KioskFile",
        "Review", "SystemFonts",
        "TestSupport",
      ]),
    tests("AudioTests", ["Audio"]),
    tests("LinuxIOTests", ["Motion", "LinuxIO", systemPackage]),
    tests(
      "RuntimeTests",
      [
        "Geometry", "Motion", "Drawing", "Text", "Raster", "Controls", "Kiosk", "Session",
        "Presentation", "Runtime", "TestSupport",
      ]),
    tests(
      "PresentationTests",
      ["Geometry", "Motion", "Drawing", "Raster", "Presentation", "TestSupport"]),
    tests(
      "DRMDisplayTests",
      [
        "Geometry", "Motion", "Drawing", "Text", "Raster", "Controls", "Kiosk", "Presentation",
        "Runtime", "LinuxIO", "DRMDisplay", "CDRM", "CardCalls", "TestSupport", systemPackage,
      ]),
    tests(
      "FramebufferDisplayTests",
      [
        "Geometry", "Motion", "Drawing", "Raster", "Presentation", "LinuxIO", "FramebufferDisplay",
        "TestSupport", systemPackage,
      ]),
    tests("InputTests", ["Geometry", "Motion", "Controls", "Input", "TestSupport"]),
    tests(
      "InputDevicesTests",
      ["Geometry", "Motion", "Controls", "LinuxIO", "Input", "InputDevices", "TestSupport"]),
    tests(
      "TerminalTests",
      [
        "Geometry", "Motion", "Drawing", "Raster", "Controls", "JSON", "LinuxIO",
        "Presentation", "Terminal", "TestSupport", systemPackage,
      ]),
    tests(
      "LiveSuitesTests",
      [
        "Geometry", "Motion", "Drawing", "Text", "Raster", "Expressions", "Controls", "Kiosk",
        "JSON", "Declarations", "Session", "Suites", "LinuxIO", "Presentation", "Runtime",
        "JSONRPC",
        "KioskProtocol", "KioskService", "LiveSuites", systemPackage,
      ]),
    tests("MotionTests", ["Motion"]),
    tests("ExpressionsTests", ["Expressions", "JSON", "TestSupport"], besides: ["Oracle"]),
    tests(
      "ControlsTests",
      ["Geometry", "Motion", "Drawing", "Expressions", "Controls", "QRCodes", "TestSupport"]),
    tests(
      "TextTests", ["Geometry", "Drawing", "Text", "SystemFonts", "CFreeType", "TestSupport"],
      besides: ["Corpus"]),
    tests("PNGTests", ["Geometry", "Raster", "TestSupport"]),
    tests("JSONTests", ["Expressions", "JSON", "TestSupport"]),
    tests(
      "RemoteTests",
      [
        "Geometry", "Motion", "Drawing", "Text", "Raster", "Expressions", "Controls", "Kiosk",
        "JSON", "Declarations", "Session",
        "LinuxIO", "Input", "Presentation", "Runtime", "JSONRPC", "KioskProtocol", "KioskService",
        "TestSupport", systemPackage,
      ]),
    tests(
      "SuiteTests",
      [
        "Geometry", "Motion", "Drawing", "Text", "Raster", "Expressions", "Controls", "Kiosk",
        "Runtime", "JSON",
        "Declarations", "YAML", "KioskFile", "Session", "Suites", "SchemaValidator", "TestSupport",
      ]),
    tests(
      "BackendsTests",
      [
        "Geometry", "Drawing", "Raster", "Text", "Motion", "Controls", "Kiosk", "LinuxIO",
        "Presentation", "Runtime", "Terminal", "Backends",
      ]),
    tests(
      "DiagnosisTests",
      [
        "Geometry", "Drawing", "Text", "Controls", "Kiosk", "JSON", "Declarations", "SystemFonts",
        "LinuxIO", "Presentation", "Runtime", "DRMDisplay", "InputDevices", "SoundOutput",
        "Diagnosis", "TestSupport",
      ]),
    // A kiosk without a display, on a virtual clock and in a temporary folder.
    .target(
      name: "HostSupport",
      dependencies: [
        "Geometry", "Motion", "Audio", "Expressions", "Controls", "Kiosk", "JSON", "LinuxIO",
        "CLinux", "Presentation", "Runtime", "Backends", "KioskProtocol", "KioskHost", logging,
        systemPackage,
      ], path: "Tests/HostSupport", swiftSettings: strict),
    tests(
      "KioskHostTests",
      [
        "Geometry", "Motion", "Expressions", "Controls", "Kiosk", "JSON", "Declarations", "YAML",
        "KioskFile", "LinuxIO", "Presentation", "Runtime", "Backends", "JSONRPC", "KioskProtocol",
        "Audio", "KioskHost", "HostSupport", logging, systemPackage,
      ]),
    tests(
      "KioskClientsTests",
      [
        "Geometry", "Motion", "Kiosk", "JSON", "Declarations", "LinuxIO", "JSONRPC",
        "KioskProtocol", "KioskHost", "KioskClients", "HostSupport", systemPackage,
      ]),
    tests(
      "HomeAssistantTests",
      [
        "Expressions", "Geometry", "Motion", "Controls", "QRCodes", "Kiosk", "JSON", "JSONRPC",
        "KioskProtocol", "HomeAssistant",
      ]),
    tests(
      "MQTTBridgeTests",
      [
        "Motion", "JSON", "JSONRPC", "KioskProtocol", "HomeAssistant", "MQTTBridge",
        "TestSupport",
      ]),
    tests("SystemFontsTests", ["Drawing", "SystemFonts", "CFontconfig"]),
    tests("ManualTests", ["KioskFile", "Manual", "Session"]),
    tests(
      "AuthoringTests",
      [
        "Authoring", "Declarations", "Drawing", "JSON", "KioskFile", "Suites", "YAML",
        "TestSupport",
      ]),
    tests(
      "StudioTests",
      [
        "Controls", "Declarations", "Geometry", "JSON", "Kiosk", "JSONRPC", "KioskProtocol",
        "LinuxIO", "Motion", "Raster", "Studio",
      ]),
    // Benchmarks: Tests/Bench/compare runs the first, deploy/test the second.
    .executableTarget(
      name: "paint-bench",
      dependencies: [
        "Geometry", "Drawing", "Text", "Raster", "SystemFonts", "AllocationCount", "TestSupport",
      ],
      path: "Tests/Bench/Paint", swiftSettings: strict),
    .executableTarget(
      name: "scale-bench",
      dependencies: [
        "Geometry", "Motion", "Drawing", "Expressions", "JSON", "Text", "Raster", "Controls",
        "Kiosk",
        "KioskFile", "SystemFonts", "AllocationCount", "TestSupport",
      ],
      path: "Tests/Bench/Scale", swiftSettings: strict),
    // Fails if a moving frame allocates memory. deploy/test runs its release build.
    .executableTarget(
      name: "frame-memory",
      dependencies: [
        "Geometry", "Motion", "Drawing", "Expressions", "Text", "Raster", "Controls", "Kiosk",
        "KioskFile", "SystemFonts", "Presentation", "Runtime", "AllocationCount",
      ],
      path: "Tests/Bench/Frames", swiftSettings: strict),
    // Uses random kiosks in random ways.
    .executableTarget(
      name: "engine-fuzz",
      dependencies: [
        "Geometry", "Motion", "Drawing", "Text", "Raster", "Expressions", "Controls", "QRCodes",
        "Kiosk", "JSON", "Declarations", "KioskFile", "Session", "Runtime", "FrameLaw", "Painting",
        "TestSupport",
      ],
      path: "Tests/Fuzz/Engine", swiftSettings: strict),
    // Paints random kiosks on random panels. deploy/test --long uses AddressSanitizer.
    .target(
      name: "Painting",
      dependencies: [
        "Geometry", "Drawing", "Text", "Raster", "Audio", "Controls", "Kiosk", "JSON",
        "Declarations", "YAML",
        "KioskFile", "Session", "Suites", "SystemFonts", "Presentation", "Runtime", "TestSupport",
      ],
      path: "Tests/Fuzz/Painting", swiftSettings: strict),
    .executableTarget(
      name: "paint-fuzz", dependencies: ["SystemFonts", "Painting"],
      path: "Tests/Fuzz/Paint", swiftSettings: strict),
    tests(
      "GoldenTests",
      [
        "Geometry", "Motion", "Drawing", "Text", "Raster", "Expressions", "Controls", "Kiosk",
        "Declarations", "KioskFile", "Session", "Runtime", "SystemFonts", "Presentation",
        "Review", "FrameLaw", "Painting", "TestSupport",
      ], besides: ["Goldens"]),
  ]
)
