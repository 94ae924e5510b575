// The keys of the selection, as the program reports them.

import { ask } from "./connection.js";
import { element } from "./elements.js";
import * as gesture from "./gesture.js";
import { chosenItem, changed as chosenChanged, isControl, isKiosk, owner } from "./selection.js";
import { signal } from "./signal.js";
import { isSettled, taken } from "./source.js";

let keys = [];
/** The keys of the selected control by name, even while one of its items is selected. */
let controlKeys = new Map();
let selecting;

/** Reports keys, and whether the user has just selected their owner: false, true, or "source" for the cursor in the source. */
export const received = signal();

/** A key of the selected control, or undefined. */
export const controlKey = (name) => controlKeys.get(name);
/** A key of the selection, or undefined. */
export const key = (name) => keys.find((each) => each.name === name);

/** Requests the keys. */
export async function select(isChosen = false) {
  element("order").hidden = isKiosk();
  const own = owner();
  const answer = await ask("select", { owner: own });
  if (!answer || JSON.stringify(own) !== JSON.stringify(owner())) return;
  keys = answer.keys;
  if (!isControl()) controlKeys = new Map();
  else if (!chosenItem()) controlKeys = new Map(keys.map((each) => [each.name, each]));
  received(answer, isChosen);
}

/** Requests the keys again, once for several simultaneous changes, and not during a drag. */
export function selectAtRest() {
  selecting ??= setTimeout(() => {
    selecting = undefined;
    if (!gesture.current("drag") && isSettled()) select();
  }, 30);
}

chosenChanged.listen((isChosen) => {
  if (isChosen) select(isChosen);
  else selectAtRest();
});
taken.listen(selectAtRest);

/** A key's number, explicit or by default, or null if the value isn't a number. */
export function numberOf(own) {
  const text = own?.text ?? own?.default;
  return text === null || text === undefined || text === "" || !Number.isFinite(Number(text)) ? null : Number(text);
}
