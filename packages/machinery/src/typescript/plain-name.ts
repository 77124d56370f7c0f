/** Names in generated code: plain identifiers, and quoted names. */

/** Returns the text if it is a valid property name, else a quoted one that cannot set the prototype. */
export function propertyName(name: string): string {
  if (name === "__proto__") return `["__proto__"]`;
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) ? name : JSON.stringify(name);
}

/** "core/v1" → "coreV1"; "stable-example-com/v1beta1" → "stableExampleComV1beta1". */
export const camelCase = (path: string): string => path.replace(/[-/](.)/g, (_, letter: string) => letter.toUpperCase());

/** "spec" → "Spec". */
export const capitalized = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

/**
 * Any text as the name of a type, or as its suffix: its letters and digits, words capitalized. "x-y" → "XY"; may be empty, and
 * start with a digit.
 */
export const typeWord = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map(capitalized)
    .join("");

/** Order of generated code: by code unit, the same on every machine. */
export const byText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
