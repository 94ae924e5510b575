// Validates values with the subset of JSON Schema in the declarations of messages.

const kinds = {
  string: (value) => typeof value === "string",
  number: (value) => Number.isFinite(value),
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === "boolean",
  array: (value) => Array.isArray(value),
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  null: (value) => value === null,
};

/** The first error in a value, or null if the value is valid. `path` is the value's name in errors. */
export function mismatch(value, schema, path) {
  if (schema.anyOf) {
    const found = schema.anyOf.map((each) => mismatch(value, each, path));
    return found.includes(null) ? null : found[0];
  }
  if (schema.type && !kinds[schema.type](value)) return `${path} must be of type ${schema.type}`;
  if (schema.enum && !schema.enum.includes(value)) return `${path} is not one of ${schema.enum.join(", ")}`;
  if (value < schema.minimum || value > schema.maximum) return `${path} is out of range`;
  if (Array.isArray(value)) {
    if (value.length < schema.minItems || value.length > schema.maxItems) return `${path} has ${value.length} items`;
    return schema.items ? first(value, (each, index) => mismatch(each, schema.items, `${path}[${index}]`)) : null;
  }
  if (!schema.properties) return null;
  const lacking = schema.required?.find((name) => value[name] === undefined);
  if (lacking) return `${path} has no ${lacking}`;
  return first(Object.entries(value), ([name, member]) => {
    const own = schema.properties[name];
    if (own) return member === undefined ? null : mismatch(member, own, `${path}.${name}`);
    return schema.additionalProperties === false ? `${path} has an unknown ${name}` : null;
  });
}

function first(values, check) {
  for (const [index, value] of values.entries()) {
    const found = check(value, index);
    if (found) return found;
  }
  return null;
}
