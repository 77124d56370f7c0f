/**
 * Finds values in a desired object that JSON cannot express, and so no server can store: dates, maps, functions, circles.
 *
 *     { data: { at: new Date() } } → notJson → field "data.at", "a Date", what to write instead
 */

/** Where such a value is, what it is, and what to write instead. */
export interface NotJson {
  readonly field: string;
  readonly what: string;
  readonly fix: string;
}

/** The deepest object that is searched; a circle is deeper. */
const depthMax = 100;

/** Returns the first such value; undefined if there is none. `undefined` itself counts as absent. */
export function notJson(value: unknown, field = "", depth = 0): NotJson | undefined {
  if (typeof value !== "object" || value === null) return ofScalar(value, field);
  if (depth > depthMax) return { field, what: "nested too deeply, or contains itself", fix: "a plain object without circles" };
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const found = notJson(item, `${field}[${index}]`, depth + 1);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  const odd = ofObject(value, field);
  if (odd !== undefined) return odd;
  for (const [name, item] of Object.entries(value)) {
    if (typeof item === "string") continue;
    const found = notJson(item, field === "" ? name : `${field}.${name}`, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function ofScalar(value: unknown, field: string): NotJson | undefined {
  if (typeof value === "number" && !Number.isFinite(value))
    return { field, what: `${value}`, fix: "a finite number, or leave out the field" };
  if (typeof value === "function") return { field, what: "a function", fix: "call it: what it returns must be the same on every call" };
  return typeof value === "symbol" ? { field, what: "a symbol", fix: "a text" } : undefined;
}

function ofObject(value: object, field: string): NotJson | undefined {
  if (Object.prototype.toString.call(value) === "[object Date]")
    return {
      field,
      what: "a Date",
      fix: `a text that is the same on every call, such as object.metadata.creationTimestamp or date.toISOString() of a stored date`,
    };
  if (value instanceof Map) return { field, what: "a Map", fix: "Object.fromEntries(map)" };
  if (value instanceof Set) return { field, what: "a Set", fix: "[...set].toSorted()" };
  if (value instanceof RegExp) return { field, what: "a regular expression", fix: "regexp.source" };
  if (ArrayBuffer.isView(value))
    return { field, what: "bytes", fix: 'Buffer.from(bytes).toString("base64") for data of a Secret, or binaryData of a ConfigMap' };
  if (typeof (value as { readonly then?: unknown }).then === "function")
    return {
      field,
      what: "a promise",
      fix: "the value itself: desired cannot wait; read objects with get and list, and call other systems in reconcile",
    };
  if (typeof (value as { readonly toJSON?: unknown }).toJSON === "function")
    return { field, what: "an object with a method toJSON", fix: "a plain object: value.toJSON()" };
  return undefined;
}
