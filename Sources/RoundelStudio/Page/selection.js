// The selection: controls, an item of a control, the current page, or the kiosk itself.

import { element, fill } from "./elements.js";
import { changed as kioskChanged, goTo, kiosk } from "./kiosk.js";
import { signal } from "./signal.js";
import { renamed } from "./source.js";

// `control` is the last selected control, whose keys are shown, and `others` the ids of further ones. `page` is the last
// page with the selected control.
let chosen = { control: null, item: null, page: null, others: [] };
/** The id of the kiosk as a selection, which no control can have. */
const whole = "/";
// The controls that are selected as soon as the kiosk has them.
let expected = null;

/** Reports a new selection, and whether the user made it: false, true, or "source" for the cursor in the source. */
export const changed = signal();
/** Reports that the selected control is no longer shown. */
export const dropped = signal();

export const isControl = () => Boolean(chosen.control) && chosen.control !== whole;
export const isKiosk = () => chosen.control === whole;
const controlCalled = (id) => kiosk().controls.find((each) => each.id === id);
export const chosenControl = () => controlCalled(chosen.control);
export const chosenItem = () => chosen.item;
/** The ids of all selected controls. */
export const chosenIDs = () => isControl() ? [...chosen.others, chosen.control] : [];
/** The selected controls of the current page. */
export const chosenControls = () => chosenIDs().map(controlCalled).filter(Boolean);
export const isChosen = (id) => chosenIDs().includes(id);

/** The owner of the current keys. */
export function owner() {
  if (isKiosk()) return {};
  if (!chosen.control) return { page: kiosk().page };
  return { control: chosen.control, ...(chosen.item ? { item: chosen.item } : {}) };
}

export function choose(id, item = null, by = true) {
  expected = null;
  chosen = { control: id, item, page: kiosk().page, others: [] };
  element("control").value = id ?? "";
  changed(by);
}

/** Selects several controls. The last one's keys are shown. */
export function chooseAll(ids) {
  if (ids.length < 2) return choose(ids[0] ?? null);
  expected = null;
  chosen = { control: ids[ids.length - 1], item: null, page: kiosk().page, others: ids.slice(0, -1) };
  element("control").value = chosen.control;
  return changed(true);
}

/** Adds a control to the selection, or removes it. */
export function toggle(id) {
  const ids = chosenIDs();
  chooseAll(ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id]);
}

renamed.listen(({ control, item, page, controls }) => {
  chosen = { control: control ?? null, item: item ?? null, page: kiosk().page, others: (controls ?? []).slice(0, -1) };
  expected = page && control ? control : null;
  if (page) goTo(page);
});

kioskChanged.listen((state, old) => {
  const isHidden = isControl() && !chosenControl() && chosen.page !== state.page && chosen.control !== expected;
  if (isHidden) {
    chosen = { control: null, item: null, page: null, others: [] };
    dropped();
  } else if (chosenControl()) {
    chosen.page = state.page;
    expected = null;
    chosen.others = chosen.others.filter((id) => controlCalled(id) || !old.controls.some((each) => each.id === id));
  }
  const ids = state.controls.map((control) => control.id);
  fill(element("control"), [["none: the page", ""], ["none: the kiosk", whole], ...ids], chosen.control ?? "");
  const isOtherPage = old.page !== state.page;
  if (isControl() || isHidden || (isOtherPage && !chosen.control)) changed(false);
});

/** Selects a control or an item of a page, which may have to be shown first. */
export function reveal(page, control = null, item = null, by = true) {
  if (page === kiosk().page) return choose(control, item, by);
  chosen = { control, item, page, others: [] };
  expected = control;
  return goTo(page);
}

element("control").onchange = () => choose(element("control").value || null);
element("item").onchange = () => choose(chosen.control, element("item").value || null);
