// Signals, which report events to unknown modules.

/** Returns a function that calls all its listeners in the order of `listen`. */
export function signal() {
  const listeners = [];
  const send = (...values) => listeners.forEach((listener) => listener(...values));
  send.listen = (listener) => listeners.push(listener);
  return send;
}
