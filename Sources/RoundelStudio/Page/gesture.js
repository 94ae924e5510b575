// Gestures that edit the text repeatedly until they end: drags, sliders and arrow keys.

import { closed } from "./connection.js";
import { dropped } from "./selection.js";
import { signal } from "./signal.js";
import { change } from "./source.js";

const active = new Map();
let count = 0;

/** Reports the end of all gestures. */
export const ended = signal();

/** Begins a gesture of a kind: "drag", "nudge" or "slide". Its edits are undone together. */
export function begin(kind, gesture) {
  count += 1;
  active.set(kind, { ...gesture, name: `${kind}${count}` });
}

export const current = (kind) => active.get(kind);
export const end = (kind) => active.delete(kind);

function endAll() {
  active.clear();
  ended();
}
closed.listen(endAll);
dropped.listen(endAll);

/** Sets a key, or the keys of several owners as `changes`. Sends an edit after the previous one is applied, and only the last of the waiting edits. */
export async function follow(gesture, parameters) {
  gesture.next = parameters;
  if (gesture.isBusy) return;
  gesture.isBusy = true;
  while (gesture.next) {
    const sending = gesture.next;
    const { path, changes, ...next } = sending;
    gesture.next = null;
    const owner = path ? { ...gesture.owner, path } : gesture.owner;
    const isDone = changes
      ? await change("setAll", { changes }, gesture.name)
      : await change("set", { owner, ...next }, gesture.name);
    if (isDone === undefined) gesture.next = null;
    else if (!isDone) gesture.next ??= sending;
  }
  gesture.isBusy = false;
}
