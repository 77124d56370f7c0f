/**
 * A secret that tests search for in every possible output, to prove that credentials never leak.
 */

/** The secret. */
export const canary = "c4n4ry-in-the-c0al-m1ne";

/** A JSON Web Token that contains the secret everywhere, and expires a minute after a `ManualClock` starts. */
export const canaryJwt: string = ["{}", JSON.stringify({ exp: 1_767_225_660, jti: canary }), canary]
  .map((part) => btoa(part).replaceAll("=", ""))
  .join(".");

/**
 * The canary in plain text, and in base64 alone, after "me:" and at the other two offsets; without the ends, which depend on
 * what follows.
 */
const traces: readonly string[] = [
  canary,
  encodeURIComponent(btoa(canary)).slice(0, 24),
  ...["x", "xx", "me:"].map((before) => btoa(`${before}${canary}`).slice(4, 28)),
  ...canaryJwt
    .split(".")
    .map((part) => part.slice(0, 40))
    .filter((part) => part.length > 8),
];

/** Returns the text around a trace of the canary; undefined if there is none. */
export function canaryIn(text: string): string | undefined {
  const at = Math.max(...traces.map((trace) => text.indexOf(trace)));
  return at === -1 ? undefined : text.slice(Math.max(0, at - 200), at + 100);
}

/** Returns a value in every form in which it might be printed; `inspect` is that of node:util. */
export function everyForm(
  value: unknown,
  inspect: (value: unknown, options: { readonly depth: number; readonly showHidden: boolean }) => string,
): string {
  return [
    inspect(value, { depth: Infinity, showHidden: true }),
    textOf(() => String(value)),
    textOf(() => JSON.stringify(value)),
    ...errorTexts(value),
  ].join("\n");
}

function errorTexts(value: unknown): string[] {
  return value instanceof Error ? [value.message, value.stack ?? "", ...errorTexts(value.cause)] : [];
}

function textOf(print: () => string | undefined): string {
  try {
    return print() ?? "";
  } catch {
    // Not printable in this form.
    return "";
  }
}
