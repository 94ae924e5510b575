// SPDX-License-Identifier: MIT

internal import CRoundelDRM
internal import RoundelGeometry
internal import Glibc
internal import LinuxIO
internal import RoundelPresentation
package import RoundelRaster
internal import SystemPackage

/// An open DRM device. The first process to open it becomes its master.
final class Card {
  let path: String
  let descriptor: OwnedDescriptor
  let driver: String
  let isAtomic: Bool
  private let hasDumbBuffers: Bool
  private let preferredDepth: Int
  /// Whether the kernel also lists primary planes.
  private let listsPlanes: Bool
  /// The calls that failed when the device was opened.
  private let refusals: [Refusal]
  private let video = VideoParameters.ofThisMachine
  /// The framebuffers of an earlier process. One of them may be on the panel.
  private var leftovers: [UInt32] = []

  /// Valid for the card's lifetime.
  var fd: CInt { descriptor.rawValue }

  /// Ends before the descriptor is closed.
  private var events: EventLoop.Token?

  /// Opens the device, or adopts an earlier process's descriptor with its picture and, if it was
  /// master, as master.
  init(opening path: String, from store: DescriptorStore? = nil) throws(DisplayError) {
    self.path = path
    let isInherited: Bool
    do throws(Errno) {
      if let inherited = store?.take(path), Self.isSame(inherited, as: path) {
        descriptor = inherited
        isInherited = true
      } else {
        // Non-blocking, so that reading a missing event can't block the event loop.
        descriptor = try OwnedDescriptor(opening: path, O_RDWR | O_NONBLOCK)
        isInherited = false
      }
    } catch .permissionDenied, .notPermitted {
      throw DisplayError(
        .permission, "no permission to open \(path): \(DeviceAccess.advice(for: path))")
    } catch {
      throw DisplayError(.unavailable, "cannot open \(path): \(error)")
    }
    guard let version = unsafe drmGetVersion(descriptor.rawValue) else {
      let refusal = Refusal(call: "VERSION", errno: .current)
      guard refusal.errno != .inappropriateIOCTLForDevice else {
        throw DisplayError(.unavailable, "\(path) is not a DRM device")
      }
      throw DisplayError(.failed, "cannot identify \(path): \(refusal)")
    }
    // The name has `name_len` bytes, and is copied before the structure is freed.
    driver = unsafe String(
      decoding: UnsafeRawBufferPointer(
        start: version.pointee.name, count: Int(version.pointee.name_len)), as: UTF8.self)
    unsafe drmFreeVersion(version)

    var refusals: [Refusal] = []
    func isDone(_ call: String, _ body: () -> CInt) -> Bool {
      do throws(Refusal) {
        try Refusal.check(call, body)
        return true
      } catch {
        refusals.append(error)
        return false
      }
    }
    let fd = descriptor.rawValue
    // Safe: both calls of `drmGetCap` write only into these locals.
    var (dumb, depth): (UInt64, UInt64) = (0, 0)
    _ = isDone("GET_CAP of dumb buffers") {
      unsafe drmGetCap(fd, UInt64(DRM_CAP_DUMB_BUFFER), &dumb)
    }
    hasDumbBuffers = dumb != 0
    unsafe drmGetCap(fd, UInt64(DRM_CAP_DUMB_PREFERRED_DEPTH), &depth)
    preferredDepth = Int(clamping: depth)
    listsPlanes = isDone("SET_CLIENT_CAP of planes") {
      drmSetClientCap(fd, UInt64(DRM_CLIENT_CAP_UNIVERSAL_PLANES), 1)
    }
    isAtomic =
      listsPlanes && drmSetClientCap(fd, UInt64(DRM_CLIENT_CAP_ATOMIC), 1) == 0
    self.refusals = refusals
    if isInherited { takeOver() }
  }

  /// Whether a descriptor refers to the device file at `path`, which may belong to another device
  /// by now.
  private static func isSame(_ descriptor: borrowing OwnedDescriptor, as path: String) -> Bool {
    var (open, present) = (stat(), stat())
    // Writes into locals.
    guard unsafe fstat(descriptor.rawValue, &open) == 0, unsafe stat(path, &present) == 0 else {
      return false
    }
    return open.st_rdev == present.st_rdev
  }

  /// Releases the earlier process's resources, except framebuffers, which hold their memory, so
  /// that the picture stays.
  private func takeOver() {
    if let list = unsafe drmModeGetResources(fd) {
      // The kernel lists the framebuffers of this descriptor. The array has the counted length.
      leftovers = unsafe Array(
        UnsafeBufferPointer(start: list.pointee.fbs, count: Int(list.pointee.count_fbs)))
      unsafe drmModeFreeResources(list)
    }
    // Handles can't be listed. The kernel assigns the lowest free number, starting at 1
    // (drm_gem_handle_create), and a process has one per buffer.
    for handle in 1...Self.maximumHandles { drmCloseBufferHandle(fd, handle) }
  }

  /// More than any of our processes has used.
  private static let maximumHandles: UInt32 = 64

  /// Call this after a new one is displayed: removing a displayed one turns the panel off.
  func removeLeftovers() {
    for framebuffer in leftovers { drmModeRmFB(fd, framebuffer) }
    leftovers = []
  }

  var isMaster: Bool { drmIsMaster(fd) != 0 }

  /// Becomes master again. Returns false if another program is master.
  func becomeMaster() -> Bool { isMaster || drmSetMaster(fd) == 0 }

  func dropMaster() { drmDropMaster(fd) }

  func properties(of object: UInt32, _ type: UInt32) -> [String: (id: UInt32, value: UInt64)] {
    var refusals: [Refusal] = []
    return properties(of: object, type, &refusals)
  }

  private func properties(
    of object: UInt32, _ type: UInt32, _ refusals: inout [Refusal]
  ) -> [String: (id: UInt32, value: UInt64)] {
    guard let list = unsafe drmModeObjectGetProperties(fd, object, type) else {
      record("MODE_OBJ_GETPROPERTIES", in: &refusals)
      return [:]
    }
    // libdrm fills both arrays with `count_props` values. Everything is copied before it is freed.
    defer { unsafe drmModeFreeObjectProperties(list) }
    var result: [String: (UInt32, UInt64)] = [:]
    for index in unsafe 0..<Int(list.pointee.count_props) {
      let id = unsafe list.pointee.props[index]
      guard let property = unsafe drmModeGetProperty(fd, id) else {
        record("MODE_GETPROPERTY", in: &refusals)
        continue
      }
      let name = unsafe withUnsafeBytes(of: property.pointee.name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      unsafe result[name] = (id, list.pointee.prop_values[index])
      unsafe drmModeFreeProperty(property)
    }
    return result
  }

  /// - Parameter probing: Whether to probe connectors, some tens of milliseconds each, or return
  ///   their last state.
  func resources(probing: Bool = true) throws(DisplayError) -> CardResources {
    guard let list = unsafe drmModeGetResources(fd) else {
      let refusal = Refusal(call: "MODE_GETRESOURCES", errno: .current)
      // The kernel's responses for a device without displays.
      let isUsual = [Errno.notSupportedOnSocket, .invalidArgument].contains(refusal.errno)
      guard hasDumbBuffers || !isUsual else {
        throw DisplayError(.unavailable, "\(path) (\(driver)): cannot drive displays: \(refusal)")
      }
      throw DisplayError(.failed, "\(path) (\(driver)): cannot list its outputs: \(refusal)")
    }
    // The arrays have the counted lengths, and live until they are freed at the end.
    defer { unsafe drmModeFreeResources(list) }
    let connectors = unsafe UnsafeBufferPointer(
      start: list.pointee.connectors, count: Int(list.pointee.count_connectors))
    let crtcs = unsafe UnsafeBufferPointer(
      start: list.pointee.crtcs, count: Int(list.pointee.count_crtcs))
    var refusals = refusals
    return CardResources(
      path: path, driver: driver, hasDumbBuffers: hasDumbBuffers, isAtomic: isAtomic,
      preferredDepth: preferredDepth,
      connectors: unsafe connectors.compactMap { connector($0, probing: probing, &refusals) },
      crtcs: unsafe crtcs.map { CRTC(id: $0) },
      planes: listsPlanes ? planes(&refusals) : [], refusals: refusals.map(\.description))
  }

  /// Records a failed call, unless its object no longer exists.
  private func record(_ call: String, in refusals: inout [Refusal]) {
    let refusal = Refusal(call: call, errno: .current)
    if refusal.errno != .noSuchFileOrDirectory, !refusals.contains(refusal) {
      refusals.append(refusal)
    }
  }

  private func connector(
    _ id: UInt32, probing: Bool, _ refusals: inout [Refusal]
  ) -> Connector? {
    let answer = unsafe probing ? drmModeGetConnector(fd, id) : drmModeGetConnectorCurrent(fd, id)
    guard let found = unsafe answer else {
      record("MODE_GETCONNECTOR", in: &refusals)
      return nil
    }
    defer { unsafe drmModeFreeConnector(found) }
    let connector = unsafe found.pointee
    let type = unsafe drmModeGetConnectorTypeName(connector.connector_type)
    var current: UInt32 = 0
    if unsafe connector.encoder_id != 0 {
      if let encoder = unsafe drmModeGetEncoder(fd, connector.encoder_id) {
        unsafe current = encoder.pointee.crtc_id
        unsafe drmModeFreeEncoder(encoder)
      } else {
        record("MODE_GETENCODER", in: &refusals)
      }
    }
    let status: Connector.Status =
      switch unsafe connector.connection {
      case DRM_MODE_CONNECTED: .connected
      case DRM_MODE_DISCONNECTED: .disconnected
      default: .unknown
      }
    let modes = unsafe UnsafeBufferPointer(
      start: connector.modes, count: Int(connector.count_modes))
    // A connector is usable without its properties.
    let properties = properties(of: id, DRM_MODE_OBJECT_CONNECTOR)
    let kind = unsafe type.map { unsafe String(cString: $0) } ?? "Unknown"
    let name = unsafe "\(kind)-\(connector.connector_type_id)"
    return unsafe Connector(
      id: id, name: name, status: status, modes: modes.map { Mode($0) },
      possibleCRTCs: drmModeConnectorGetPossibleCrtcs(fd, found),
      currentCRTC: current,
      millimetres: PixelSize(Int(connector.mmWidth), Int(connector.mmHeight)),
      orientation: properties["panel orientation"].map { Rotation(panelOrientation: $0.value) },
      consoleRotation: video.rotation(of: name),
      // 1 is DRM_MODE_LINK_STATUS_BAD.
      hasBadLink: properties["link-status"]?.value == 1)
  }

  private func planes(_ refusals: inout [Refusal]) -> [Plane] {
    guard let list = unsafe drmModeGetPlaneResources(fd) else {
      record("MODE_GETPLANERESOURCES", in: &refusals)
      return []
    }
    defer { unsafe drmModeFreePlaneResources(list) }
    let ids = unsafe UnsafeBufferPointer(
      start: list.pointee.planes, count: Int(list.pointee.count_planes))
    return unsafe ids.compactMap { plane($0, &refusals) }
  }

  private func plane(_ id: UInt32, _ refusals: inout [Refusal]) -> Plane? {
    guard let plane = unsafe drmModeGetPlane(fd, id) else {
      record("MODE_GETPLANE", in: &refusals)
      return nil
    }
    defer { unsafe drmModeFreePlane(plane) }
    let properties = properties(of: id, DRM_MODE_OBJECT_PLANE, &refusals)
    let kind: Plane.Kind
    switch properties["type"]?.value {
    case UInt64(DRM_PLANE_TYPE_PRIMARY): kind = .primary
    case UInt64(DRM_PLANE_TYPE_CURSOR): kind = .cursor
    default: kind = .overlay
    }
    let formats = unsafe UnsafeBufferPointer(
      start: plane.pointee.formats, count: Int(plane.pointee.count_formats))
    return unsafe Plane(
      id: id, kind: kind, possibleCRTCs: plane.pointee.possible_crtcs,
      currentCRTC: plane.pointee.crtc_id,
      formats: formats.compactMap { PixelFormat(fourcc: $0) })
  }
}

extension Card {
  /// Calls `flipped` with each reported flip, and `vanished` after the device was removed.
  func listen(
    on loop: EventLoop, flipped: @escaping (drm_event_vblank) -> Void,
    vanished: @escaping () -> Void
  ) throws(DisplayError) {
    guard events == nil else { return }
    do throws(Errno) {
      events = try loop.watch(fd, isDeferrable: true) { [unowned self] _ in
        if !readEvents(flipped) {
          // Without reading its events, the loop would spin.
          events = nil
          vanished()
        }
      }
    } catch {
      throw DisplayError(.failed, "cannot wait for events of \(path): \(error)")
    }
  }

  func ignore() { events = nil }

  /// Returns false if the device was unplugged. libdrm's own reader finds its receiver through the
  /// event's pointer, which may be invalid by then. Source: `struct drm_event` in drm.h.
  private func readEvents(_ flipped: (drm_event_vblank) -> Void) -> Bool {
    unsafe withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 8) { buffer in
      var count = 0
      do throws(Errno) {
        count = try unsafe descriptor.read(into: buffer)
      } catch {
        return error == .wouldBlock
      }
      // The kernel writes whole records, each beginning with its type and length.
      var offset = 0
      while offset + MemoryLayout<drm_event>.size <= count {
        let header = unsafe buffer.loadUnaligned(fromByteOffset: offset, as: drm_event.self)
        if header.type == UInt32(DRM_EVENT_FLIP_COMPLETE),
          offset + MemoryLayout<drm_event_vblank>.size <= count
        {
          flipped(unsafe buffer.loadUnaligned(fromByteOffset: offset, as: drm_event_vblank.self))
        }
        offset += max(Int(header.length), MemoryLayout<drm_event>.size)
      }
      return count > 0
    }
  }
}

extension Card {
  /// Returns the DRM devices in `directory`, sorted by number.
  static func paths(in directory: String) -> [String] {
    let numbers = Folder.names(in: directory).compactMap { name in
      name.hasPrefix("card") ? Int(name.dropFirst(4)) : nil
    }
    return numbers.sorted().map { "\(directory)/card\($0)" }
  }

  /// The master as `name (pid)`, or nil if there isn't one, or only root may know.
  static func master(of path: String) -> String? {
    var information = stat()
    // Writes into a local.
    guard unsafe stat(path, &information) == 0 else { return nil }
    let clients = "/sys/kernel/debug/dri/\(gnu_dev_minor(information.st_rdev))/clients"
    guard let file = try? OwnedDescriptor(opening: clients, O_RDONLY) else { return nil }
    var text: [UInt8] = []
    unsafe withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
      while let count = try? unsafe file.read(into: buffer), count > 0 {
        unsafe text.append(contentsOf: buffer.prefix(count))
      }
    }
    return master(inClients: String(decoding: text, as: UTF8.self))
  }

  /// Parses the kernel's table of a device's clients: `command tgid dev master a uid magic`. Only
  /// the command may contain spaces. Source: `drm_clients_info` in drm_debugfs.c.
  static func master(inClients table: String) -> String? {
    for line in table.split(separator: "\n").dropFirst() {
      let fields = line.split(separator: " ")
      guard fields.count >= 7, fields[fields.count - 4] == "y" else { continue }
      let command = fields.dropLast(6).joined(separator: " ")
      return "\(command) (\(fields[fields.count - 6]))"
    }
    return nil
  }
}

extension Rotation {
  /// The rotation that makes a picture upright on a panel with a known mounting: 1 upside down, 2
  /// left side up, 3 right side up. Source: `drm_panel_orientation_enum_list` in drm_connector.c.
  init(panelOrientation value: UInt64) {
    switch value {
    case 1: self = .half
    case 2: self = .threeQuarters
    case 3: self = .quarter
    default: self = .none
    }
  }
}

extension PixelFormat {
  /// The DRM code: four characters, the first in the lowest byte. Nil if DRM doesn't define one.
  /// Source: `fourcc_code` in drm_fourcc.h.
  package var fourcc: UInt32? {
    code.isEmpty ? nil : code.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Returns nil if the format isn't supported.
  package init?(fourcc: UInt32) {
    guard let format = Self.named.first(where: { $0.fourcc == fourcc }) else { return nil }
    self = format
  }
}
