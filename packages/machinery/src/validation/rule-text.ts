/** The server's messages about broken rules. */

/** `must be no more than 63 characters`; rules for labels count bytes and say so. */
export function tooLongText(limit: number, unit: "bytes" | "characters" = "characters"): string {
  return `must be no more than ${limit} ${unit}`;
}

/** A rule with examples and its pattern: `… (e.g. 'my-name',  or '123-abc', regex used for validation is '…')`. */
export function patternText(rule: string, pattern: string, ...examples: readonly string[]): string {
  const shown = examples.length === 0 ? "" : `e.g. ${examples.map((example) => `'${example}', `).join(" or ")}`;
  return `${rule} (${shown}regex used for validation is '${pattern}')`;
}

/** `must be between 1 and 65535, inclusive`. */
export function rangeText(low: number, high: number): string {
  return `must be between ${low} and ${high}, inclusive`;
}

/** `must be non-empty`. */
export const emptyText = "must be non-empty";

/** A pattern in Go's syntax that must match the whole text; uses only constructs that mean the same in JavaScript. */
export function wholePattern(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`);
}
