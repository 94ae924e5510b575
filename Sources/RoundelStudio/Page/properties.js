// The properties of the selection: a form with its keys, and its values.

import { refused } from "./connection.js";
import { editor, goTo } from "./editor.js";
import { element, fill } from "./elements.js";
import { input, isInUse } from "./fields.js";
import { groupNames, groupOf, plainName } from "./groups.js";
import { showFields } from "./kiosk.js";
import { received, select } from "./keys.js";
import { chosenControl, chosenIDs, chosenItem, isControl, owner } from "./selection.js";

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
  element("additem").hidden = !message.mayHaveItems;
  fill(element("item"), ["", ...(control?.items ?? []).map((each) => each.id)], item ?? "");
  element("hint").textContent = message.text ?? "";
  element("properties").hidden = !isControl();
  showFields(element("properties"), message.state);
  if (editor && message.from && isChosen === true) goTo(message.from);
  if (chosenIDs().length > 1) element("hint").textContent = `${chosenIDs().length} controls are selected; these are the last one's.`;
  const first = message.keys.find((key) => key.required)?.name;
  const isFirst = (key) => key.name === first && !chosenItem();
  showForm(element("keys"), message.keys, () => groupNames.flatMap((group) => {
    const own = message.keys.filter((key) => groupOf(key.name, isFirst(key)) === group);
    // The file's keys come first.
    own.sort((a, b) => (b.written !== null) - (a.written !== null));
    if (!own.length) return [];
    const title = document.createElement("h3");
    title.textContent = group;
    return [title, ...own.flatMap((key) => field(key, isFirst(key)))];
  }));
});

function field(key, isFirst) {
  const label = document.createElement("label");
  label.textContent = plainName(key.name, isFirst);
  label.title = `${key.name}: ${key.about ?? ""}`;
  label.htmlFor = `key-${key.name}`;
  if (key.written !== null) label.className = "own";
  return [label, input(key)];
}

// Reset checkboxes and lists to the current values. Refused texts stay.
refused.listen(() => {
  for (const id of ["keys", "actions"]) {
    const form = element(id);
    if (form.contains(document.activeElement) && document.activeElement.matches("[type=text], textarea")) continue;
    form.dataset.state = JSON.stringify(JSON.parse(form.dataset.state ?? "[{}]").slice(0, 1));
  }
  select();
});
