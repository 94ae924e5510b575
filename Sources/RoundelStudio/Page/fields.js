// Fields for the kinds of keys.

import { isConnected, lastRefusal } from "./connection.js";
import { button, element, fill } from "./elements.js";
import { completeField, isExpression, mayBeExpression, setExpression } from "./expression.js";
import * as gesture from "./gesture.js";
import { controlKey, key as ownKey, numberOf, selectAtRest } from "./keys.js";
import { kiosk } from "./kiosk.js";
import { owner } from "./selection.js";
import { change } from "./source.js";

/** The owner of a form's fields. While a form is in use, its owner stays the same. */
export const ownerOf = (id) => JSON.parse(element(id).dataset.state ?? "[{}]")[0];

/** Whether the user is editing one of a form's fields, which must not be replaced until then. */
export function isInUse(form) {
  const active = document.activeElement;
  const isSame = JSON.stringify(ownerOf(form.id)) === JSON.stringify(owner());
  // A refused text stays until it is corrected.
  if (isSame && form.querySelector("[aria-invalid=true]")) return true;
  const slide = gesture.current("slide");
  if (slide && form.contains(slide.field) && JSON.stringify(slide.owner) === JSON.stringify(owner())) return true;
  return form.contains(active) && active.matches("input[type=text], textarea") && active.value !== active.defaultValue;
}

/**
 * Sets a key, or removes it without a value. `path` leads to part of the selection. A refused value stays in a text
 * field, which is marked.
 */
export async function setKey(name, value, { isSource = false, path, field } = {}) {
  // The fields belong to the form's owner, even if the selection has changed.
  const whose = path ? { ...ownerOf("actions"), path } : ownerOf("keys");
  const isDone = await change("set", { owner: whose, key: name, value, isSource });
  if (field && isDone) field.defaultValue = field.value;
  if (field) mark(field, isDone === undefined && isConnected() ? lastRefusal() : null);
}

/** Marks a refused field with the reason, or removes the mark for null. */
function mark(field, reason) {
  const known = document.getElementById(`${field.id}-refusal`);
  known?.remove();
  if (reason === null) {
    if (!known) return;
    field.removeAttribute("aria-invalid");
    field.removeAttribute("aria-errormessage");
    selectAtRest();
    return;
  }
  const note = document.createElement("small");
  note.id = `${field.id}-refusal`;
  note.className = "refusal";
  note.textContent = reason;
  field.setAttribute("aria-invalid", "true");
  field.setAttribute("aria-errormessage", note.id);
  field.after(note);
}

/** A field for a key, with a switch for expressions. `prefix` makes its id unique among parts with the same key. */
export function input(key, path, prefix = "key") {
  const field = plain(key, path, prefix);
  if (!mayBeExpression(key)) return field;
  const isOn = isExpression(key, prefix);
  const box = document.createElement("div");
  box.className = "keyed";
  const toggle = button("ƒx", () => {
    if (isOn && key.text?.includes("{")) setKey(key.name, null, { path });
    setExpression(key, prefix, !isOn);
    const form = box.closest("form");
    box.replaceWith(input({ ...key, present: null, text: isOn ? null : key.text }, path, prefix));
    if (!isOn) form.querySelector(`#${CSS.escape(`${prefix}-${key.name}`)}`)?.focus();
  });
  toggle.className = "fx";
  toggle.id = `${prefix}-${key.name}-fx`;
  toggle.title = "Use an expression";
  toggle.setAttribute("aria-label", `${key.name} as an expression`);
  toggle.setAttribute("aria-pressed", isOn);
  box.append(field, toggle);
  return box;
}

function plain(key, path, prefix) {
  const isBound = key.text?.includes("{") || isExpression(key, prefix);
  if (key.input === "number" && !isBound) return slider(key, path, prefix);
  if (key.present !== null) return bound(key, path, prefix);
  if (isBound && key.input !== "structure") return words(key, false, path, prefix);
  const isSource = key.input === "structure" || (key.written !== null && key.text === null);
  let field;
  if ((isSource ? key.written : key.text)?.includes("\n")) {
    field = lines(key, isSource, path, prefix);
  } else if (key.input === "flag" && !isBound) {
    field = document.createElement("input");
    field.type = "checkbox";
    field.checked = (key.text ?? key.default ?? "") !== "false" && (key.text ?? key.default) !== null;
    field.onchange = () => setKey(key.name, field.checked, { path });
  } else if (key.input === "choice" && !isBound) {
    field = document.createElement("select");
    fill(field, ["", ...key.words], key.text ?? "");
    field.options[0].text = key.default ?? "";
    field.onchange = () => setKey(key.name, field.value || null, { path });
  } else if (key.input === "color" && !isBound) {
    return swatch(key, isSource, path, prefix);
  } else {
    return words(key, isSource, path, prefix);
  }
  field.id = `${prefix}-${key.name}`;
  return field;
}

/** A colour picker, with a text field for the name or digits. */
function swatch(key, isSource, path, prefix) {
  const field = document.createElement("div");
  field.className = "pair";
  const color = document.createElement("input");
  color.type = "color";
  color.id = `${prefix}-${key.name}-swatch`;
  color.setAttribute("aria-label", `${key.name} as a colour`);
  color.value = key.hex ?? "#808080";
  color.classList.toggle("unset", !key.hex);
  color.onchange = () => setKey(key.name, color.value, { path });
  field.append(color, words(key, isSource, path, prefix));
  return field;
}

/** An expression, and its current value. */
function bound(key, path, prefix) {
  const field = document.createElement("div");
  const present = document.createElement("small");
  present.className = "present";
  present.id = `${prefix}-${key.name}-now`;
  present.textContent = `= ${key.present}`;
  present.title = present.textContent;
  const text = words(key, false, path, prefix);
  text.setAttribute("aria-describedby", present.id);
  field.append(text, present);
  return field;
}

/** A number, with a slider for its range. */
function slider(key, path, prefix) {
  const field = document.createElement("div");
  field.className = "slid";
  const text = words(key, key.written !== null && key.text === null, path, prefix);
  const range = document.createElement("input");
  range.type = "range";
  range.id = `${prefix}-${key.name}-slider`;
  range.setAttribute("aria-label", `${key.name}, slider`);
  const whose = owner();
  const { low, high, step } = rangeOf(key);
  Object.assign(range, { min: low, max: high, step });
  range.value = numberOf(key) ?? low;
  const isSliding = () => gesture.current("slide")?.field === range;
  const begin = () => gesture.begin("slide", { field: range, owner: whose });
  const end = () => {
    if (!isSliding()) return;
    gesture.end("slide");
    selectAtRest();
  };
  range.onpointerdown = begin;
  range.onpointerup = end;
  range.onblur = end;
  range.oninput = () => {
    if (!isSliding()) begin();
    text.value = range.value;
    text.defaultValue = range.value;
    const value = Number(range.value);
    key.text = range.value;
    const own = path ? undefined : controlKey(key.name);
    if (own) own.text = range.value;
    gesture.follow(gesture.current("slide"), { key: key.name, value, path });
  };
  field.append(text, range);
  return field;
}

/** The keys with lengths in design pixels. */
const lengths = /(^|_)(radius|size|gap|hole|thickness|height|distance|margin|offset|zone)$/;

/** The sensible range of a number within its limits. */
function rangeOf(key) {
  // A control's `value` is between its own `min` and `max`.
  const bounds = key.name === "value" ? [numberOf(ownKey("min")), numberOf(ownKey("max"))] : [null, null];
  const value = numberOf(key) ?? 0;
  let low = bounds[0] ?? key.minimum ?? null;
  let high = bounds[1] ?? key.maximum ?? null;
  const [x0, y0, x1, y1] = kiosk().screen ?? [0, 0, 800, 800];
  const side = Math.max(x1 - x0, y1 - y0) / (kiosk().scale || 1);
  const isLength = lengths.test(key.name);
  const sensible = isLength ? side / 2 : Math.max(10, 2 * Math.abs(value), 2 * Math.abs(Number(key.default) || 0));
  if (high === null || high > Math.max(1000, sensible)) high = Math.max(sensible, value);
  if (low === null || low < -1000) low = value < 0 || low < 0 ? -sensible : 0;
  if (high <= low) high = low + 10;
  const fine = 10 ** Math.floor(Math.log10((high - low) / 50));
  const stepOfKey = key.name === "value" ? numberOf(ownKey("step")) : null;
  return { low, high, step: stepOfKey || (key.isWhole || isLength ? 1 : Math.min(fine, 1)) };
}

/** A text of several lines, such as a list or a map. */
function lines(key, isSource, path, prefix) {
  const field = document.createElement("textarea");
  const known = isSource ? key.written : key.text;
  field.defaultValue = known;
  field.rows = Math.min(known.split("\n").length, 12);
  field.spellcheck = false;
  field.className = "lines";
  field.onchange = () => {
    const isEmpty = field.value.trim() === "";
    setKey(key.name, isEmpty && !key.required ? null : field.value, { isSource: isSource && !isEmpty, path, field });
  };
  leavable(field);
  return field;
}

/** Lets Escape restore a field, whose text may have been refused. */
function leavable(field) {
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    field.value = field.defaultValue;
    mark(field, null);
    event.stopPropagation();
  });
}

function words(key, isSource, path, prefix) {
  const field = document.createElement("input");
  field.id = `${prefix}-${key.name}`;
  field.type = "text";
  const isNew = isExpression(key, prefix) && !key.text?.includes("{");
  field.defaultValue = isNew ? `{${key.text ?? key.default ?? ""}}` : key.text ?? key.written ?? "";
  field.placeholder = key.default ?? "";
  if (isSource) field.title = field.value;
  if (key.likely) field.setAttribute("list", list(key.likely));
  field.onchange = () => {
    const text = isSource ? field.value.trim() : field.value;
    if (text === "" && !key.required) setKey(key.name, null, { path, field });
    else setKey(key.name, meaning(text, key.input), { isSource, path, field });
  };
  leavable(field);
  if (!isSource) completeField(field, key.name, () => path ? { ...ownerOf("actions"), path } : ownerOf("keys"));
  return field;
}

/** Converts text to the value of a field for numbers or any kind. */
function meaning(text, kind) {
  const takesNumbers = kind === "number" || kind === "any";
  if (takesNumbers && text.trim() !== "" && Number.isFinite(Number(text))) return Number(text);
  if (kind === "any" && ["true", "false"].includes(text)) return text === "true";
  return text;
}

/** The id of a list of likely strings. */
function list(texts) {
  const known = [...document.querySelectorAll("datalist")];
  const own = texts.join("\n");
  let node = known.find((each) => each.dataset.texts === own);
  if (!node) {
    node = document.createElement("datalist");
    node.id = `likely${known.length}`;
    node.dataset.texts = own;
    node.append(...texts.map((text) => new Option(text)));
    document.body.append(node);
  }
  return node.id;
}
