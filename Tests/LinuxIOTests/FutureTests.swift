// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import LinuxIO
import Synchronization
import Testing

@Suite struct FutureTests {
  private final class Calls: Sendable {
    let threads = Mutex<[pthread_t]>([])
  }

  @Test func `a future computes its value once on another thread, and readers wait for it`() {
    let calls = Calls()
    let gate = DispatchSemaphore(value: 0)
    let future = Future {
      gate.wait()
      return calls.threads.withLock {
        $0.append(pthread_self())
        return $0.count
      }
    }
    gate.signal()
    #expect(future.value == 1)
    #expect(future.value == 1)
    let threads = calls.threads.withLock { $0 }
    #expect(threads.count == 1 && pthread_equal(threads[0], pthread_self()) == 0)
  }

  @Test func `an unread value is computed without blocking its owner`() {
    let gate = DispatchSemaphore(value: 0)
    let end = DispatchSemaphore(value: 0)
    var future: Future<Void>? = Future {
      gate.wait()
      end.signal()
    }
    #expect(future != nil)
    future = nil
    gate.signal()
    end.wait()
  }
}
