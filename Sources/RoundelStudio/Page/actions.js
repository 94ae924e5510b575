// The actions of the selection, by event and by condition.

import { button, element, fill } from "./elements.js";
import { input, ownerOf, setKey } from "./fields.js";
import { received } from "./keys.js";
import { showForm } from "./properties.js";
import { change } from "./source.js";

/** Edits part of the form's owner. */
const arrange = (method, path, more) => change(method, { owner: { ...ownerOf("actions"), path }, ...more });

received.listen(({ actions, commands, mayReact }) => {
  element("happens").hidden = !actions.length;
  element("reacting").hidden = !mayReact;
  fill(element("reaction"), [["add an action …", ""], ...commands], "");
  // Events with actions come first.
  const lists = [...actions].sort((a, b) => Boolean(b.actions.length) - Boolean(a.actions.length));
  showForm(element("actions"), actions, () => lists.map((all) => actionList(all, commands)));
});

function actionList({ cause, path, actions, condition }, commands) {
  const name = path.join("-");
  const add = document.createElement("select");
  add.id = `add-${name}`;
  add.setAttribute("aria-label", `Add an action to ${cause}`);
  fill(add, [["add an action …", ""], ...commands], "");
  add.onchange = () => { if (add.value) arrange("addAction", path, { command: add.value }); };
  const group = document.createElement(actions.length ? "fieldset" : "div");
  if (!actions.length) {
    const label = document.createElement("label");
    label.textContent = cause;
    label.htmlFor = add.id;
    group.append(label, add);
    return group;
  }
  const legend = document.createElement("legend");
  legend.textContent = condition ? "a condition" : cause;
  const judged = document.createElement("div");
  judged.className = "action";
  if (condition) judged.append(...labelled(condition, path.slice(0, -1), name, cause));
  group.append(legend, ...(condition ? [judged] : []), ...actions.map((action, index) =>
    actionRow(action, [...path, index], `${name}-${index}`, commands, actions.length, cause)), add);
  return group;
}

function actionRow(action, path, prefix, commands, count, cause) {
  const row = document.createElement("div");
  row.className = "action";
  const number = path[path.length - 1];
  const called = `action ${number + 1} of ${cause}`;
  const tools = document.createElement("div");
  tools.className = "tools";
  const command = document.createElement("select");
  command.id = `command-${prefix}`;
  command.setAttribute("aria-label", called);
  fill(command, action.command ? commands : ["", ...commands], action.command);
  command.onchange = () => arrange("choose", path, { command: command.value });
  const tool = (sign, words, type, more) => {
    const node = button(sign, () => arrange(type, path, more));
    node.setAttribute("aria-label", `${words} ${called}`);
    node.title = words;
    return node;
  };
  tools.append(command);
  if (number > 0) tools.append(tool("↑", "Earlier:", "move", { forward: false }));
  if (number + 1 < count) tools.append(tool("↓", "Later:", "move", { forward: true }));
  tools.append(tool("✕", "Remove:", "remove", {}));
  row.append(tools);
  for (const key of action.keys) {
    if (key.name === action.command && action.fields) {
      const inner = [...path, action.command];
      for (const field of action.fields) row.append(...labelled(field, inner, `${prefix}-${action.command}`, called));
      if (action.more.length) row.append(another(action, inner, `${prefix}-more`, called));
    } else {
      row.append(...labelled(key, path, prefix, called));
    }
  }
  return row;
}

function labelled(key, path, prefix, called) {
  const label = document.createElement("label");
  label.textContent = key.name;
  label.title = key.about ?? "";
  label.htmlFor = `${prefix}-${key.name}`;
  if (key.written !== null) label.className = "own";
  const field = input(key, path, prefix);
  field.querySelector?.("input[type=range]")?.setAttribute("aria-label", `${key.name}, ${called}, slider`);
  (field.matches("input, select") ? field : field.querySelector("input[type=text]"))
    ?.setAttribute("aria-label", `${key.name}, ${called}`);
  return [label, field];
}

/** A menu that adds a value to an action. The value stays unchanged until the user edits it. */
function another(action, path, id, called) {
  const field = document.createElement("select");
  field.id = id;
  field.className = "another";
  field.setAttribute("aria-label", `Set another value in ${called}`);
  const known = action.fields.map((each) => each.name);
  fill(field, [["set another …", ""], ...action.more.filter((name) => !known.includes(name))], "");
  field.onchange = () => { if (field.value) setKey(field.value, `{${field.value}}`, { path }); };
  return field;
}
