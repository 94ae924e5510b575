// The properties of the selection: a form with its keys, and its values.

import { refused } from "./connection.js";
import { editor, goTo } from "./editor.js";
import { element, fill } from "./elements.js";
import { input, isInUse } from "./fields.js";
import { showFields } from "./kiosk.js";
import { received, select } from "./keys.js";
import { chosenControl, chosenItem, isControl, owner } from "./selection.js";

/** Replaces the fields of a form, unless they are unchanged or in use. */
export function showForm(form, content, makeFields) {
  if (isInUse(form)) return;
  const state = JSON.stringify([owner(), content]);
  if (form.dataset.state === state) return;
  form.dataset.state = state;
  const focused = document.activeElement?.id;
  form.replaceChildren(...makeFields());
  if (focused) document.getElementById(focused)?.focus();
}

received.listen((message, isChosen) => {
  const control = chosenControl();
  const item = chosenItem();
  element("items").hidden = !control?.items.length;
  element("additem").hidden = !message.mayHaveItems || Boolean(item);
  fill(element("item"), ["", ...(control?.items ?? []).map((each) => each.id)], item ?? "");
  element("hint").textContent = message.text ?? "";
  element("properties").hidden = !isControl();
  showFields(element("properties"), message.state);
  if (editor && message.from && isChosen) goTo(message.from);
  // The file's keys come first.
  const keys = [...message.keys].sort((a, b) => (b.written !== null) - (a.written !== null));
  showForm(element("keys"), message.keys, () => keys.flatMap((key) => {
    const label = document.createElement("label");
    label.textContent = key.name;
    label.title = key.about ?? "";
    label.htmlFor = `key-${key.name}`;
    if (key.written !== null) label.className = "own";
    return [label, input(key)];
  }));
});

// Reset the fields to the current values.
refused.listen(() => {
  for (const id of ["keys", "actions"]) {
    const form = element(id);
    form.dataset.state = JSON.stringify(JSON.parse(form.dataset.state ?? "[{}]").slice(0, 1));
  }
  select();
});
