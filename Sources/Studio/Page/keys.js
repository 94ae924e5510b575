// The keys of what is chosen, as the program reports them.

import { ask } from "./connection.js";
import { element } from "./elements.js";
import * as gesture from "./gesture.js";
import { chosenItem, changed as chosenChanged, isControl, isKiosk, owner } from "./selection.js";
import { signal } from "./signal.js";
import { isSettled, taken } from "./source.js";

let keys = [];
/** The keys of the chosen control, by their names, also while one of its items is chosen. */
let controlKeys = new Map();
let selecting;

/** Reports keys, and whether a user has just chosen their owner. */
export const received = signal();

/** A key of the chosen control, or undefined. */
export const controlKey = (name) => controlKeys.get(name);
/** A key of what is chosen, or undefined. */
export const key = (name) => keys.find((each) => each.name === name);

/** Asks for the keys. */
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

/** Asks for the keys again, once for all that changes in a moment, and not during a drag. */
export function selectAtRest() {
  selecting ??= setTimeout(() => {
    selecting = undefined;
    if (!gesture.current("drag") && isSettled()) select();
  }, 30);
}

chosenChanged.listen((isChosen) => {
  if (isChosen) select(true);
  else selectAtRest();
});
taken.listen(selectAtRest);

/** The number in a key, written or by default; null if the value is not a number. */
export function numberOf(own) {
  const text = own?.text ?? own?.default;
  return text === null || text === undefined || text === "" || !Number.isFinite(Number(text)) ? null : Number(text);
}
