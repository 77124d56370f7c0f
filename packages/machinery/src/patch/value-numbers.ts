/**
 * Assigns equal numbers to equal JSON values, so that comparing values of any size is comparing numbers.
 *
 * Visits every object once, however often its number is requested, and numbers its parts on the way.
 */
import { isJsonObject } from "../json/json-value.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";

/** The numbers assigned so far. */
export class ValueNumbers {
  readonly #byText = new Map<string, number>();
  readonly #byContainer = new Map<JsonObject | JsonValue[], number>();

  /** Returns the number of a value; the same for equal values and for no other. */
  of(value: JsonValue): number {
    if (Array.isArray(value)) return this.#ofContainer(value, () => `[${value.map((item) => this.of(item)).join()}`);
    if (isJsonObject(value)) {
      return this.#ofContainer(
        value,
        () =>
          `{${Object.keys(value)
            .toSorted()
            .map((key) => `${JSON.stringify(key)}${this.of(value[key] ?? null)}`)
            .join()}`,
      );
    }
    // A number and a bigint of the same value print the same.
    return this.#ofText(typeof value === "string" ? `"${value}` : String(value));
  }

  #ofContainer(value: JsonObject | JsonValue[], text: () => string): number {
    const known = this.#byContainer.get(value);
    if (known !== undefined) return known;
    const number = this.#ofText(text());
    this.#byContainer.set(value, number);
    return number;
  }

  #ofText(text: string): number {
    const known = this.#byText.get(text);
    if (known !== undefined) return known;
    this.#byText.set(text, this.#byText.size);
    return this.#byText.size - 1;
  }
}
