// SPDX-License-Identifier: MIT

import LinuxIO
import Testing

@Suite struct NodeNameTests {
  private func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// The examples of FIPS 180-4, and messages that end near a block boundary.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      String(repeating: "a", count: 1_000),
      "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"
    ),
  ])
  func `hashes match the standard`(_ message: String, _ hash: String) {
    #expect(hexadecimal(SHA256.hash(Array(message.utf8))) == hash)
  }

  @Test func `authentication codes match RFC 4231`() {
    #expect(
      hexadecimal(
        SHA256.code(of: Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8)))
        == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
  }

  @Test func `machines with the same name get different node names that hide their identity`() {
    let id = "0123456789abcdef0123456789abcdef"
    let first = NodeName(host: "lobby", machineID: id + "\n")
    let second = NodeName(host: "lobby", machineID: "1123456789abcdef0123456789abcdef\n")
    // The result of `systemd-id128 machine-id --app-specific`.
    #expect(first.text == "lobby-b95a90")
    #expect(second.text != first.text)
    #expect(second.text.hasPrefix("lobby-"))
    #expect(!id.contains(first.digits ?? id))
  }

  @Test(arguments: ["", "uninitialized\n", "0123", "zz23456789abcdef0123456789abcdef\n"])
  func `a machine without an id uses its host name alone`(_ machineID: String) {
    #expect(NodeName(host: "lobby", machineID: machineID).text == "lobby")
    #expect(NodeName(host: "", machineID: machineID).text == "localhost")
  }
}
