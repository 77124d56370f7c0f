/** Inputs as text, as several parts, and as JSON values. */
import { JsonError, decodeJson, encodeJson, isJsonObject } from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Returns the input as text; bytes that are not UTF-8 become U+FFFD. */
export const textOf = (input: Uint8Array): string => decoder.decode(input);

/** Splits the input at lines of two percent signs. Missing parts are empty; the last part has the rest. */
export function textParts(input: Uint8Array, count: number): readonly string[] {
  const parts = textOf(input).split("\n%%\n");
  const rest = parts.splice(count - 1).join("\n%%\n");
  return Array.from({ length: count }, (_, index) => (index === count - 1 ? rest : (parts[index] ?? "")));
}

/** Returns a part as JSON; one that is not JSON becomes a value made of its characters, so that no input is wasted. */
export function jsonPart(text: string): JsonValue {
  try {
    const value = decodeJson(text);
    // Refuses 1e400, which the decoder reads as Infinity.
    encodeJson(value);
    return value;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return new ValueMaker(text).value(4);
  }
}

/** Like `jsonPart`; any other value becomes the member of an object. */
export function jsonObjectPart(text: string): JsonObject {
  const value = jsonPart(text);
  return isJsonObject(value) ? value : { value };
}

const keys = ["a", "b", "name", "metadata", "labels", "items", "", "__proto__", "0", "$patch", "toString", "k8s.io/a~b", "spec"];
const words = [
  "",
  "a",
  "true",
  "null",
  "1",
  "x y",
  "- a",
  "#",
  "\n",
  "a\nb\n",
  "\u00e9\ud83d\ude00",
  "yes",
  "0x1",
  ": ",
  "2001-01-01",
  "%%",
];
const figures = [0, 1, -1, 0.5, 1e21, -1e-7, 2 ** 31, 2 ** 53 - 1, 9007199254740993n, -(2n ** 63n)];

/** Reads a text as instructions for a value. */
class ValueMaker {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(depth: number): JsonValue {
    const code = this.#code();
    switch (depth <= 0 ? code % 5 : code % 8) {
      case 0:
        return null;
      case 1:
        return code % 16 < 8;
      case 2:
        return figures[this.#code() % figures.length] ?? 0;
      case 3:
        return words[this.#code() % words.length] ?? "";
      case 4:
        return this.#text.slice(this.#at, (this.#at += 1 + (code % 7)));
      case 5:
        return Array.from({ length: this.#code() % 4 }, () => this.value(depth - 1));
      default:
        return Object.fromEntries(Array.from({ length: this.#code() % 5 }, () => [this.#key(), this.value(depth - 1)]));
    }
  }

  #key(): string {
    const code = this.#code();
    return code % 8 === 0 ? this.#text.slice(this.#at, (this.#at += 3)) : (keys[code % keys.length] ?? "");
  }

  #code(): number {
    return this.#text.charCodeAt(this.#at++) || 0;
  }
}
