// SPDX-License-Identifier: MIT

internal import CWayland

/// The description of an extension's interface, made by wayland-scanner; `protocolTables` lists all.
struct ProtocolTable: Sendable {
  typealias Message = (name: StaticString, signature: StaticString)

  let name: StaticString
  let version: Int32
  let requests: [Message]
  let events: [Message]

  init(_ name: StaticString, version: Int32, requests: [Message], events: [Message]) {
    self.name = name
    self.version = version
    self.requests = requests
    self.events = events
  }
}

/// The requests and events of a kind of objects. C: `struct wl_interface`.
///
/// Requests and events go by their names: the core's tables are those of the library that is there at
/// run time, which may know more than the one of the build.
// Safe: the table is constant, and stays where it is as long as the process.
@safe struct WaylandInterface: @unchecked Sendable {
  let table: UnsafePointer<wl_interface>

  static let buffer = unsafe WaylandInterface(roundel_wl_buffer())
  static let callback = unsafe WaylandInterface(roundel_wl_callback())
  static let compositor = unsafe WaylandInterface(roundel_wl_compositor())
  static let display = unsafe WaylandInterface(roundel_wl_display())
  static let keyboard = unsafe WaylandInterface(roundel_wl_keyboard())
  static let output = unsafe WaylandInterface(roundel_wl_output())
  static let pointer = unsafe WaylandInterface(roundel_wl_pointer())
  static let registry = unsafe WaylandInterface(roundel_wl_registry())
  static let seat = unsafe WaylandInterface(roundel_wl_seat())
  static let shm = unsafe WaylandInterface(roundel_wl_shm())
  static let shmPool = unsafe WaylandInterface(roundel_wl_shm_pool())
  static let surface = unsafe WaylandInterface(roundel_wl_surface())
  static let touch = unsafe WaylandInterface(roundel_wl_touch())

  static let fractionalScale = WaylandInterface("wp_fractional_scale_v1")
  static let fractionalScaleManager = WaylandInterface("wp_fractional_scale_manager_v1")
  static let presentation = WaylandInterface("wp_presentation")
  static let presentationFeedback = WaylandInterface("wp_presentation_feedback")
  static let toplevel = WaylandInterface("xdg_toplevel")
  static let viewport = WaylandInterface("wp_viewport")
  static let viewporter = WaylandInterface("wp_viewporter")
  static let wmBase = WaylandInterface("xdg_wm_base")
  static let xdgOutput = WaylandInterface("zxdg_output_v1")
  static let xdgOutputManager = WaylandInterface("zxdg_output_manager_v1")
  static let xdgSurface = WaylandInterface("xdg_surface")

  private init(_ table: UnsafePointer<wl_interface>) {
    unsafe self.table = table
  }

  /// An extension's interface, which must be in `protocolTables`.
  private init(_ name: String) {
    guard let found = protocolTables.first(where: { "\($0.name)" == name }) else {
      preconditionFailure("no table of \(name)")
    }
    // Static strings end with a zero. Nothing of this is freed: a proxy may refer to it to the end.
    // Without types, the library does not check the interfaces of objects in these messages.
    let types = UnsafeMutablePointer<UnsafePointer<wl_interface>?>.allocate(
      capacity: Self.maximumArguments)
    unsafe types.initialize(repeating: nil, count: Self.maximumArguments)
    func cString(_ text: StaticString) -> UnsafePointer<CChar> {
      unsafe UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
    }
    func messages(_ list: [ProtocolTable.Message]) -> UnsafePointer<wl_message> {
      let first = UnsafeMutablePointer<wl_message>.allocate(capacity: max(list.count, 1))
      for (index, message) in list.enumerated() {
        unsafe (first + index).initialize(
          to: wl_message(
            name: cString(message.name), signature: cString(message.signature), types: types))
      }
      return unsafe UnsafePointer(first)
    }
    let table = UnsafeMutablePointer<wl_interface>.allocate(capacity: 1)
    unsafe table.initialize(
      to: wl_interface(
        name: cString(found.name), version: found.version,
        method_count: Int32(found.requests.count), methods: messages(found.requests),
        event_count: Int32(found.events.count), events: messages(found.events)))
    unsafe self.table = UnsafePointer(table)
  }

  /// C: WL_CLOSURE_MAX_ARGS.
  private static let maximumArguments = 20

  var name: String { unsafe String(cString: table.pointee.name) }

  /// The newest version that the table describes.
  var version: UInt32 { unsafe UInt32(max(table.pointee.version, 1)) }

  /// The number of a request on the wire; the table must have it.
  func opcode(of request: String) -> UInt32 {
    for index in 0..<Int(unsafe table.pointee.method_count) {
      // The table says how many there are.
      if unsafe String(cString: table.pointee.methods[index].name) == request {
        return UInt32(index)
      }
    }
    preconditionFailure("\(name) has no request \(request)")
  }
}
