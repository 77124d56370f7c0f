/**
 * Removes escape sequences from the output of a program that is shown on the user's terminal while it runs, such as the
 * prompt of a credential plugin. Terminals obey them: they move the cursor, write to the clipboard and answer as if the
 * user had typed.
 *
 *     bytes → TerminalFilter.write → text without control characters, except line breaks and tabs
 */
import { StringDecoder } from "node:string_decoder";

/** Where the last chunk has ended: in text, after ESC, inside a sequence, inside a string such as a title, after ESC in a string. */
type State = "text" | "escape" | "sequence" | "string" | "string-escape";

/** Sequences and characters may be split between chunks. */
export class TerminalFilter {
  readonly #decoder = new StringDecoder("utf8");
  #state: State = "text";

  /** Returns the text to show. */
  write(chunk: Buffer): string {
    let shown = "";
    for (const character of this.#decoder.write(chunk)) {
      const isShown = this.#state === "text" && isPlain(character);
      if (isShown) shown += character;
      else this.#state = next(this.#state, character);
    }
    return shown;
  }
}

const isPlain = (character: string): boolean => !/[^\P{Cc}\n\r\t]|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(character);

function next(state: State, character: string): State {
  const begun = { "\u001b": "escape", "\u009b": "sequence", "\u0090": "string", "\u0098": "string", "\u009d": "string" } as const;
  switch (state) {
    case "text":
      return Object.hasOwn(begun, character) ? begun[character as keyof typeof begun] : "text";
    case "escape":
      if (character === "[") return "sequence";
      if ("]PX^_".includes(character)) return "string";
      // ESC ( B: intermediate characters come before the last one.
      return character === "\u001b" || /[ -/]/.test(character) ? "escape" : "text";
    case "sequence":
      return character === "\u001b" ? "escape" : /[ -?]/.test(character) ? "sequence" : "text";
    case "string":
      return character === "\u0007" || character === "\u009c" ? "text" : character === "\u001b" ? "string-escape" : "string";
    case "string-escape":
    default:
      return character === "\\" ? "text" : next("escape", character);
  }
}
