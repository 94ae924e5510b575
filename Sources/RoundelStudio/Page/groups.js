// The groups of properties, and their plain names.

const groups = [
  ["Name", /^(name|id|kiosk|page|suite|spoken)$/],
  ["Place", /^(at|cell|size|radius|align|valign|row_height|grid|position|screen|mirror)$/],
  ["Content", /^(text|label|labels|value|values|min|max|step|items|wedges|buttons|wheels|bands|ticks|file|photo|image|icon|unit|lines|columns|rows|code|data|every|texts|languages)$/],
  ["Appearance", /(color|font|bold|weight|style|shape|theme|image|border|opacity|thickness|hole|gap|fit|shadow|blink|background|transition)/],
  ["Behaviour", /^(on|enabled|visible|hold|interactive|wrap|inertia|swipe|selected|opened|reactions|home_after|.*_after|dwell|debounce|haptics|busy)$/],
];

/** The group of a key: the type's own key, which is the id, belongs to the name. */
export function groupOf(name, isFirst) {
  if (isFirst) return "Name";
  return groups.find(([, pattern]) => pattern.test(name))?.[0] ?? "More";
}

export const groupNames = [...groups.map(([name]) => name), "More"];

const plain = {
  at: "Position", cell: "Grid cell", on: "Actions", min: "Minimum", max: "Maximum", valign: "Vertical alignment",
  align: "Alignment", spoken: "Spoken name", enabled: "Reacts to touches", home_after: "Home after (s)", hold: "Hold time (s)",
};

/** The name of a key in words. */
export function plainName(name, isFirst) {
  if (isFirst) return name === "kiosk" ? "Kiosk" : "Id";
  const words = name.replaceAll("_", " ").replace("color", "colour");
  return plain[name] ?? words[0].toUpperCase() + words.slice(1);
}
