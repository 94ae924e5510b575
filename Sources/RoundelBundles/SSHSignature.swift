// SPDX-License-Identifier: MIT

internal import RoundelJSON
package import LinuxIO

/// Signatures with OpenSSH keys, by ssh-keygen.
///
/// Source: ssh-keygen(1), `-Y sign` and `-Y verify`; OpenSSH's PROTOCOL.sshsig.
package enum SSHSignature {
  private static let namespace = "roundel-bundle"
  /// The name of all signers, because keys are trusted, not people.
  private static let signer = "roundel"
  private static let (begin, end) = ("-----BEGIN SSH SIGNATURE-----", "-----END SSH SIGNATURE-----")
  private static let keyKind = Files.Kind("the key", maximumBytes: 1 << 16)

  /// Uses the private key in a file, or the agent's key for a public key file.
  package static func make(of bytes: [UInt8], key: String) throws(Failure) -> [UInt8] {
    // ssh-keygen would ask for the passphrase of a folder.
    _ = try Files.read(key, keyKind)
    let done = try SystemProgram(["ssh-keygen", "-q", "-Y", "sign", "-n", namespace, "-f", key])
      .run(
        input: bytes, maximumBytes: 1 << 16)
    let lines = done.output.split(separator: "\n").map(String.init)
    guard done.exit == .status(0), lines.first == begin, lines.last == end,
      let signature = Base64.decode(lines.dropFirst().dropLast().joined())
    else {
      throw Failure(.didNotHold, "ssh-keygen cannot sign with \(key): \(done.lastWords)")
    }
    return signature
  }

  /// Throws unless `signature` is valid for one of the public keys.
  package static func check(
    _ signature: ArraySlice<UInt8>, of bytes: ArraySlice<UInt8>, keys: [String]
  ) throws(Failure) {
    var trusted = ""
    for file in keys {
      // Options before a key, as in authorized_keys, are not supported.
      let text = String(decoding: try Files.read(file, keyKind), as: UTF8.self)
      let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
      for line in lines {
        let words = line.split(separator: " ")
        guard words.count >= 2, words[0].utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }),
          Base64.decode(words[1]) != nil
        else {
          throw Failure(
            .usage,
            "\(file) does not contain an OpenSSH public key (expected a line such as in a .pub file)"
          )
        }
        trusted += "\(signer) namespaces=\"\(namespace)\" \(words[0]) \(words[1])\n"
      }
      guard !lines.isEmpty else { throw Failure(.usage, "\(file) does not contain a public key") }
    }
    let folder = try ScratchFolder()
    let encoded = String(decoding: Base64.encode(Array(signature)), as: UTF8.self)
    let armoured = "\(begin)\n\(encoded)\n\(end)\n"
    try Files.write(Array(trusted.utf8), to: "\(folder.path)/trusted", isDurable: false)
    try Files.write(Array(armoured.utf8), to: "\(folder.path)/signature", isDurable: false)
    let done = try SystemProgram([
      "ssh-keygen", "-q", "-Y", "verify", "-n", namespace, "-I", signer, "-f",
      "\(folder.path)/trusted", "-s", "\(folder.path)/signature",
    ]).run(input: Array(bytes), maximumBytes: 1 << 16)
    guard done.exit == .status(0) else {
      throw Failure(
        .didNotHold, "it is not signed by a trusted key, or it was changed after it was signed")
    }
  }
}
