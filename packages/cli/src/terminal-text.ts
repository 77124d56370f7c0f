/**
 * Text of others for a terminal: output of programs, names and messages from a cluster, words of files. Terminals obey
 * control characters: they move the cursor, rename the window, write to the clipboard and answer as if the user had
 * typed.
 *
 *     oneLine("a\u001b[2Jb")  →  "a\\x1b[2Jb"          escaped, also line breaks
 *     lines(…)                →  the same, but line breaks and tabs stay
 *     guestLine("\u001b[2Jb") →  "b"                   sequences removed, colours kept on request
 */

/** Control characters, line separators, and characters that reorder the text around them. */
const controls = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
const controlsButLines = /[^\P{Cc}\n\t]|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** Whole sequences, also cut ones at the end: CSI; OSC, DCS and other strings; two-character ones. ESC [ is also U+009B, and so on. */
const sequences =
  // oxlint-disable-next-line no-control-regex -- this is what they are
  /(?:\u001b\[|\u009b)([0-?]*)([ -/]*)([@-~]|$)|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c|$)|\u001b[ -/]*[0-~]/g;
const colour = /^[\d;:]{0,60}$/;
const reset = "\u001b[0m";

/** Returns the text on one line, with every control character shown as its escape. */
export function oneLine(text: string): string {
  return text.replace(controls, escaped);
}

/** Returns the text with every control character but line breaks and tabs shown as its escape. */
export function lines(text: string): string {
  return text.replace(controlsButLines, escaped);
}

/** Returns a line of a program's output without escape sequences. With "keep", colours stay, and end with the line. */
export function guestLine(text: string, colours: "keep" | "remove"): string {
  let [result, from, hasColour] = ["", 0, false];
  for (const found of text.matchAll(sequences)) {
    const [sequence, parameters, between, final] = found;
    result += plain(text.slice(from, found.index));
    from = found.index + sequence.length;
    if (colours === "keep" && final === "m" && between === "" && colour.test(parameters ?? "")) {
      result += `\u001b[${parameters}m`;
      hasColour = true;
    }
  }
  return result + plain(text.slice(from)) + (hasColour ? reset : "");
}

/** JSON on one line: also with the control characters escaped that JSON allows. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(controls, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Programs align with tabs. */
const plain = (text: string): string => text.split("\t").map(oneLine).join("\t");

function escaped(character: string): string {
  const code = character.charCodeAt(0).toString(16);
  return code.length <= 2 ? `\\x${code.padStart(2, "0")}` : `\\u${code.padStart(4, "0")}`;
}
