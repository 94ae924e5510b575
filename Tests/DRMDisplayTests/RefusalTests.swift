// SPDX-License-Identifier: MIT

import CRoundelDRM
import RoundelControls
import RoundelGeometry
import Glibc
import Kiosk
import RoundelMotion
import RoundelPresentation
import RoundelRaster
import RoundelRuntime
import Testing

@testable import DRMDisplay

/// The set of kernel calls that shows a picture.
private enum CommitMethod: CaseIterable {
  case atomic, legacy, legacyWithoutFlips
}

private let errors: [CInt] = [
  EINVAL, ENOMEM, EBUSY, EACCES, ENODEV, EIO, ENOSYS, EOPNOTSUPP,
]

/// A touch on a wedge, which stays lit.
private let touch: CardBench.Script = [
  (0.5, Touch(finger: 0, phase: .down, position: Point(150, 30)))
]

/// A device that refuses its calls one by one.
@Suite(.enabled(if: SimulatedCard.isPossible)) struct RefusalTests {
  private func bench(_ method: CommitMethod) throws -> (CardBench, SimulatedCard) {
    let bench = try CardBench()
    // The panel shows an older picture on a rotated plane.
    let card = try bench.plug(0, SimulatedCard.Plug(orientation: 0))
    card.isAtomic = method == .atomic
    card.canFlip = method != .legacyWithoutFlips
    card.needsDirty = method == .legacyWithoutFlips
    return (bench, card)
  }

  /// Runs everything a display does: it starts, shows, sleeps, wakes, disconnects and returns.
  private func live(_ bench: CardBench) throws {
    try bench.run(3, touch)
    try bench.cycle?.apply(.blank(true))
    try bench.run(1)
    try bench.cycle?.apply(.blank(false))
    try bench.run(1)
    bench.display?.isInForeground = false
    try bench.run(1)
    bench.display?.isInForeground = true
    bench.rescan()
    try bench.run(1)
  }

  /// The final picture, and the calls used by a method.
  private func expected(_ method: CommitMethod = .atomic) throws -> (
    picture: [UInt8], calls: Set<CardCall>
  ) {
    let (bench, card) = try bench(method)
    try bench.start()
    try live(bench)
    #expect(card.unknown == [] && bench.errors == [])
    let picture = try #require(card.picture(0))
    bench.stop()
    return (picture, card.calls)
  }

  @Test func `every call is covered`() throws {
    var calls: Set<CardCall> = []
    for method in CommitMethod.allCases {
      let seen = try expected(method)
      #expect(try seen.picture == expected().picture)
      calls.formUnion(seen.calls)
      // The next process takes over the state of the previous one.
      let (bench, card) = try bench(method)
      try bench.start(inheriting: card)
      try bench.run(1)
      #expect(card.picture(0) != nil && card.unknown == [])
      bench.stop()
      calls.formUnion(card.calls)
    }
    #expect(Set(CardCall.allCases).subtracting(calls) == [])
  }

  @Test(arguments: CardCall.allCases)
  func `a call refused once doesn't lose a picture`(_ call: CardCall) throws {
    for method in CommitMethod.allCases {
      let (expected, calls) = try expected(method)
      guard calls.contains(call) else { continue }
      for error in errors {
        for skipped in [0, 3] {
          let (bench, card) = try bench(method)
          var left = skipped
          card.refuse = {
            guard $0 == call else { return nil }
            left -= 1
            return left == -1 ? error : nil
          }
          try bench.start()
          try live(bench)
          try bench.run(10)
          #expect(
            card.picture(0) == expected, "\(method) \(call) error \(error) after \(skipped) calls")
          bench.stop()
        }
      }
    }
  }

  @Test(arguments: CardCall.allCases)
  func `a call refused repeatedly is reported by name, and the picture returns afterwards`(
    _ call: CardCall
  ) throws {
    for method in CommitMethod.allCases {
      let (expected, calls) = try expected(method)
      guard calls.contains(call) else { continue }
      for error in errors {
        for isFromStart in [true, false] {
          let (bench, card) = try bench(method)
          if !isFromStart {
            try bench.start()
            try bench.run(1)
          }
          card.refuse = { $0 == call ? error : nil }
          if isFromStart { try bench.start() }
          try live(bench)
          try bench.run(5)
          let what = "\(method) \(call) error \(error) \(isFromStart ? "from the start" : "later")"
          // Drivers return these errors if they don't need the call.
          let isAnswer = call == .dirtyFramebuffer && [ENOSYS, EOPNOTSUPP].contains(error)
          if card.picture(0) != expected, !isAnswer {
            guard case .waiting(let obstacle)? = bench.display?.state else {
              Issue.record("\(what): nothing is told")
              continue
            }
            let isNamed =
              obstacle.description.contains(call.name)
              || [EACCES, EPERM].contains(error) && obstacle.description.contains("DRM master")
            #expect(isNamed, "\(what): \(obstacle)")
          }
          card.refuse = { _ in nil }
          if isAnswer { continue }
          try bench.run(140)
          #expect(card.picture(0) == expected, "\(what), then no more")
          #expect(bench.display?.state == .showing, "\(what), then no more")
          bench.stop()
        }
      }
    }
  }
}
