// SPDX-License-Identifier: MIT

internal import CRoundelLinux
internal import Glibc
package import SystemPackage

package struct Spawn {
  package enum Target {
    case descriptor(CInt)
    /// /dev/null.
    case nothing
  }

  /// The descriptors in order, in addition to the standard ones. A later entry may replace a
  /// descriptor that an earlier one refers to.
  package var descriptors: [(number: CInt, target: Target)]
  /// Whether the program survives Ctrl+C. The signal is blocked, because ssh's shared connection
  /// handles even an ignored one.
  package var blocksInterrupt = false
  /// Whether the program has its own session, independent of any terminal, and inherits no blocked or ignored
  /// signals.
  package var isApart: Bool

  package init(descriptors: [(number: CInt, target: Target)], isApart: Bool) {
    self.descriptors = descriptors
    self.isApart = isApart
  }

  /// Searches PATH, and throws `invalidArgument`, like `ChildProcesses.start`.
  package func callAsFunction(_ arguments: [String]) throws(Errno) -> Int32 {
    guard let program = arguments.first, !program.isEmpty,
      arguments.allSatisfy({ !$0.utf8.contains(0) })
    else { throw .invalidArgument }
    var actions = unsafe posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    // Initialised here, and destroyed on every exit.
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawnattr_init(&attributes)
    defer {
      unsafe posix_spawn_file_actions_destroy(&actions)
      unsafe posix_spawnattr_destroy(&attributes)
    }
    for (number, target) in descriptors {
      switch target {
      case .descriptor(let own):
        unsafe posix_spawn_file_actions_adddup2(&actions, own, number)
      case .nothing:
        unsafe posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
      }
    }
    if isApart {
      var none = sigset_t()
      var all = sigset_t()
      unsafe sigemptyset(&none)
      unsafe sigfillset(&all)
      unsafe posix_spawnattr_setsigmask(&attributes, &none)
      unsafe posix_spawnattr_setsigdefault(&attributes, &all)
      // 0x80 is POSIX_SPAWN_SETSID, which <spawn.h> declares only for GNU programs.
      let flags = 0x80 | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
      unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
    } else if blocksInterrupt {
      var mask = sigset_t()
      // Both calls write into the local, and the attributes copy it.
      unsafe pthread_sigmask(SIG_SETMASK, nil, &mask)
      unsafe sigaddset(&mask, SIGINT)
      unsafe posix_spawnattr_setsigmask(&attributes, &mask)
      unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    }
    // The copies live until the program is loaded.
    var copies = unsafe arguments.map { unsafe strdup($0) } + [nil]
    defer { unsafe copies.forEach { unsafe free($0) } }
    var process: pid_t = 0
    let failure = unsafe posix_spawnp(&process, program, &actions, &attributes, &copies, environ)
    guard failure == 0 else { throw Errno(rawValue: failure) }
    return process
  }
}
