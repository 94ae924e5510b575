// Reports from a module to modules that it does not know.

/** A function that calls all its listeners, in order of their `listen`. */
export function signal() {
  const listeners = [];
  const send = (...values) => listeners.forEach((listener) => listener(...values));
  send.listen = (listener) => listeners.push(listener);
  return send;
}
