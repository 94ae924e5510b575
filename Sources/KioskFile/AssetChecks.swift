// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
internal import RoundelDrawing

struct NamedAsset {
  enum Kind {
    case image, sound, program, icon

    /// Whether the name is a path relative to the file.
    var isFile: Bool { self == .image || self == .sound }

    var expected: String {
      switch self {
      case .image: "a PNG or JPEG file"
      case .sound: "a WAV file"
      case .icon: "a name of the icon font, or a PNG or JPEG file"
      case .program: "a program next to the kiosk file, or in PATH"
      }
    }
  }

  var kind: Kind
  /// A file's path, or a program's name.
  var name: String
  var written: String
  var mark: Mark
}

extension NamedAsset {
  func report(
    _ problem: AssetError, _ reader: Reader, _ severity: Diagnostic.Severity = .error
  ) {
    reader.report(
      "\(kind) \(written.quoted): \(problem)", at: mark,
      expected: problem.expected ?? kind.expected, severity: severity)
  }
}

/// The referenced files and programs. Each is checked once.
struct AssetChecks {
  private let pass: KioskPass
  private let loader: any AssetLoader
  private var checks: [NamedAsset.Kind: Checks<String>] = [:]
  private var fontChecks = Checks<FaceName>()
  private var reportedFonts: Set<String> = []
  private var isMissingIcons = false

  private struct Checks<Name: Hashable> {
    var names: [Name] = []
    private var problems: [Name: AssetError?] = [:]

    func has(_ name: Name) -> Bool { problems[name] != nil }

    /// Returns nil if the asset is usable.
    mutating func problem(of name: Name, _ load: () throws(AssetError) -> Void) -> AssetError? {
      if let known = problems[name] { return known }
      var problem: AssetError?
      do throws(AssetError) {
        try load()
      } catch {
        problem = error
      }
      problems[name] = .some(problem)
      names.append(name)
      return problem
    }
  }

  /// Checks all recorded assets, and reports the missing ones.
  init(_ pass: KioskPass, _ loader: some AssetLoader) {
    self.pass = pass
    self.loader = loader
    for asset in pass.deferred.assets.sorted(by: { $0.mark < $1.mark }) { check(asset) }
    // Fonts come last, because the list of the system's fonts is built in the meantime.
    for (font, mark) in pass.deferred.usedFonts { load(font, at: mark) }
    // Fonts of parts with errors are named but unused.
    let tried = Set(fonts.map(\.family))
    for (font, mark) in pass.deferred.namedFonts where tried.isDisjoint(with: font.families) {
      load(font, at: mark)
    }
  }

  var fonts: [FaceName] { fontChecks.names }

  /// In file order.
  func names(_ kind: NamedAsset.Kind) -> [String] { checks[kind]?.names ?? [] }

  private mutating func check(_ asset: NamedAsset) {
    let isNew = checks[asset.kind]?.has(asset.name) != true
    guard !isNew || pass.hasTime(at: asset.mark) else { return }
    let (file, loader) = (pass.file, loader)
    let problem = checks[asset.kind, default: Checks()].problem(of: asset.name) {
      () throws(AssetError) in
      switch asset.kind {
      case .image: try loader.loadImage(at: asset.name)
      case .sound: try loader.loadSound(at: asset.name)
      case .icon: try loader.findIcon(asset.name)
      case .program: try loader.findProgram(asset.name, for: file)
      }
    }
    if let problem {
      if asset.kind == .icon, problem == .noIcons {
        // The name is shown instead.
        if !isMissingIcons { asset.report(problem, pass, .warning) }
        isMissingIcons = true
        return
      }
      asset.report(problem, pass)
    } else if isNew, asset.kind == .image,
      let profile = loader.ignoredProfile(ofImageAt: asset.name)
    {
      pass.report(
        "image \(asset.written.quoted) has \(profile), which is ignored", at: asset.mark,
        expected: "an image in sRGB", severity: .warning)
    }
  }

  /// A missing family is an error if the font has no other family, otherwise a warning.
  private mutating func load(_ font: Font, at mark: Mark) {
    let problems = font.faces.map { ($0, problem(of: $0, at: mark)) }
    let hasAny = problems.contains { $0.1 == nil }
    for case (let face, let problem?) in problems where reportedFonts.insert(face.family).inserted {
      pass.report(
        "font \(face.family.quoted): \(problem)", at: mark,
        expected: "an installed font family, or a font file relative to this file",
        severity: hasAny ? .warning : .error)
    }
  }

  private mutating func problem(of face: FaceName, at mark: Mark) -> AssetError? {
    let isNew = !fontChecks.has(face)
    guard !isNew || pass.hasTime(at: mark) else { return nil }
    guard !isNew || fonts.count < Self.maximumFonts else {
      pass.stop("more than \(Self.maximumFonts) fonts", at: mark)
      return nil
    }
    let loader = loader
    return fontChecks.problem(of: face) { () throws(AssetError) in try loader.loadFont(face) }
  }

  /// The system takes milliseconds to find each.
  private static let maximumFonts = 64
}
