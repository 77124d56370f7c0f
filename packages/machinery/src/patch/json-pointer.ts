/**
 * JSON Pointers (RFC 6901): a path into a JSON document as text, `/metadata/labels/app.kubernetes.io~1name`.
 *
 * Parsing here is strict. json-patch-draft.ts parses paths within a JSON patch as leniently as the server.
 */

/** Returns the unescaped reference tokens of a pointer; the empty text points at the whole document and has none. */
export function parseJsonPointer(text: string): string[] {
  if (text === "") return [];
  if (!text.startsWith("/")) throw new SyntaxError(`JSON pointer ${JSON.stringify(text)} must be empty or start with "/"`);
  const bad = /~(?![01])/.exec(text);
  if (bad !== null)
    throw new SyntaxError(
      `JSON pointer ${JSON.stringify(text)} has a "~" at position ${bad.index} that is not "~0" or "~1": write "~0" for "~"`,
    );
  return text.slice(1).split("/").map(unescapePointerToken);
}

/** Returns the pointer with these reference tokens. */
export function printJsonPointer(tokens: readonly (string | number)[]): string {
  return tokens.map((token) => `/${escapePointerToken(String(token))}`).join("");
}

/** Escapes one reference token. */
export function escapePointerToken(token: string): string {
  return token.includes("~") || token.includes("/") ? token.replaceAll("~", "~0").replaceAll("/", "~1") : token;
}

/** Reverses {@link escapePointerToken}; a `~` that escapes nothing stays. */
export function unescapePointerToken(token: string): string {
  return token.includes("~") ? token.replaceAll("~1", "/").replaceAll("~0", "~") : token;
}
