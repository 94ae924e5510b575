// SPDX-License-Identifier: MIT

/// FIPS 180-4, for the WebSocket handshake. It doesn't protect secrets. Swift Crypto would bring Foundation.
enum SHA1 {
  static func hash(_ bytes: [UInt8]) -> [UInt8] {
    var padded = bytes + [0x80]
    padded += [UInt8](repeating: 0, count: (120 - padded.count % 64) % 64)
    let bits = UInt64(bytes.count) * 8
    padded += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64($0))) }
    var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0]
    func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word << count | word >> (32 - count) }
    for start in stride(from: 0, to: padded.count, by: 64) {
      var words = (0..<16).map { place in
        padded[(start + 4 * place)..<(start + 4 * place + 4)].reduce(0) { $0 << 8 | UInt32($1) }
      }
      for place in 16..<80 {
        words.append(
          rotated(words[place - 3] ^ words[place - 8] ^ words[place - 14] ^ words[place - 16], 1))
      }
      var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
      for place in 0..<80 {
        let (mixed, constant): (UInt32, UInt32) =
          switch place {
          case ..<20: (b & c | ~b & d, 0x5a82_7999)
          case ..<40: (b ^ c ^ d, 0x6ed9_eba1)
          case ..<60: (b & c | b & d | c & d, 0x8f1b_bcdc)
          default: (b ^ c ^ d, 0xca62_c1d6)
          }
        let next = rotated(a, 5) &+ mixed &+ e &+ constant &+ words[place]
        (e, d, c, b, a) = (d, c, rotated(b, 30), a, next)
      }
      state[0] &+= a
      state[1] &+= b
      state[2] &+= c
      state[3] &+= d
      state[4] &+= e
    }
    return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) }
    }
  }
}
