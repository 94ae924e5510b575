// The connection to the program: requests, answers and notices. Both sides validate them with the same declarations.

import { methods, notices } from "./messages.js";
import { mismatch } from "./schema.js";
import { signal } from "./signal.js";

let socket;
// Whether the program is connected, or null until the first attempt has ended.
let state = null;
let tries = 0;
let questions = 0;
const answers = new Map();
const receivers = new Map();

export const isConnected = () => state;
export const opened = signal();
export const closed = signal();
/** Reports the message of a refused request. */
export const refused = signal();
let refusal = "";
export const lastRefusal = () => refusal;
/** Reports the bytes of an update of the picture. */
export const painted = signal();

/** Calls `receiver` for each notice with this name. */
export function receive(name, receiver) {
  if (!notices[name]) throw new Error(`unknown notice ${name}`);
  receivers.set(name, receiver);
}

/** Sends a request. The answer is undefined if the program refuses it or isn't connected. */
export async function ask(method, parameters = {}) {
  const fault = methods[method] ? mismatch(parameters, methods[method].parameters, method) : `unknown method ${method}`;
  if (fault) throw new Error(fault);
  if (socket?.readyState !== WebSocket.OPEN) return undefined;
  questions += 1;
  const id = questions;
  socket.send(JSON.stringify({ jsonrpc: "2.0", method, params: parameters, id }));
  return new Promise((resolve) => answers.set(id, { method, resolve }));
}

function take(message) {
  if (message.method) {
    const schema = notices[message.method];
    const fault = schema ? mismatch(message.params, schema, message.method) : `unknown notice ${message.method}`;
    if (fault) throw new Error(fault);
    return receivers.get(message.method)?.(message.params);
  }
  const { method, resolve } = answers.get(message.id) ?? {};
  answers.delete(message.id);
  if (message.error) {
    refusal = message.error.message;
    refused(refusal);
    return resolve?.(undefined);
  }
  const fault = method && mismatch(message.result, methods[method].answer, `the answer to ${method}`);
  if (fault) throw new Error(fault);
  return resolve?.(message.result);
}

export function connect() {
  socket = new WebSocket(new URL("socket", location.href.replace(/^http/, "ws")));
  socket.binaryType = "arraybuffer";
  socket.onopen = () => {
    tries = 0;
    state = true;
    opened();
  };
  socket.onclose = () => {
    state = false;
    for (const { resolve } of answers.values()) resolve(undefined);
    answers.clear();
    closed();
    // Retry after 1 s, then after twice as long each time, up to 8 s.
    setTimeout(connect, Math.min(2 ** tries, 8) * 1000);
    tries += 1;
  };
  socket.onmessage = ({ data }) => {
    if (typeof data === "string") take(JSON.parse(data));
    else painted(data);
  };
}
