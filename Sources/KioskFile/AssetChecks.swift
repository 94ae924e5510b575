// SPDX-License-Identifier: MIT

/// The assets of one kind that a file names, and the problem of each.
struct AssetChecks<Name: Hashable & Sendable>: Sendable {
  /// In the order of the file.
  private(set) var names: [Name] = []
  private var problems: [Name: AssetError?] = [:]

  /// Whether it has been looked for.
  func has(_ name: Name) -> Bool { problems[name] != nil }

  /// Why an asset cannot be used, nil where it can. It is loaded once.
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
