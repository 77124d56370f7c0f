/**
 * Reads user-written JSON as Go unmarshals it into a struct: case-insensitive keys, unknown keys ignored, `null` as absent, any
 * type mismatch an error.
 */
import { canonicalTime, decodeJson, isJsonObject, Quantity } from "@drover/machinery";
import type { JsonValue, LabelSelector, LabelSelectorOperator } from "@drover/machinery";

/** Returns what `read` returns; undefined when the text does not fit. */
export function readGoJson<T>(text: string, read: (value: JsonValue) => T): T | undefined {
  try {
    return read(decodeJson(text));
  } catch {
    return undefined;
  }
}

/** Reads the elements of a list. */
export function readList<T>(value: JsonValue, read: (fields: GoJsonFields) => T): T[] {
  if (value === null) return [];
  if (!Array.isArray(value)) throw new TypeError("not a list");
  return value.map((element) => read(new GoJsonFields(element)));
}

/** The fields of one struct. Every reader throws for a value that does not fit, and treats `null` as absent. */
export class GoJsonFields {
  readonly #values = new Map<string, JsonValue>();

  constructor(value: JsonValue) {
    if (value === null) return;
    if (!isJsonObject(value)) throw new TypeError("not an object");
    for (const [key, member] of Object.entries(value)) this.#values.set(key.toLowerCase(), member);
  }

  value(name: string): JsonValue {
    return this.#values.get(name.toLowerCase()) ?? null;
  }

  /** Reads the struct under a name; undefined if absent. */
  struct<T>(name: string, read: (fields: GoJsonFields) => T): T | undefined {
    const value = this.value(name);
    return value === null ? undefined : read(new GoJsonFields(value));
  }

  optionalText(name: string): string | undefined {
    const value = this.value(name);
    if (value === null) return undefined;
    if (typeof value !== "string") throw new TypeError("not a text");
    return value;
  }

  text(name: string): string {
    return this.optionalText(name) ?? "";
  }

  optionalInt32(name: string): number | undefined {
    const value = this.value(name);
    if (value === null) return undefined;
    if (typeof value !== "number" || (value | 0) !== value) throw new TypeError("not a whole number of 32 bits");
    return value;
  }

  int32(name: string): number {
    return this.optionalInt32(name) ?? 0;
  }

  optionalQuantity(name: string): string | undefined {
    const value = this.value(name);
    if (value === null) return undefined;
    if (typeof value !== "string" && typeof value !== "number" && typeof value !== "bigint") throw new TypeError("not a quantity");
    return Quantity.fromJson(value).toString();
  }

  quantity(name: string): string {
    return this.optionalQuantity(name) ?? "0";
  }

  optionalTime(name: string): string | undefined {
    const text = this.optionalText(name);
    return text === undefined ? undefined : (canonicalTime(text) ?? undefined);
  }

  optionalSelector(name: string): LabelSelector | undefined {
    return this.struct(name, (selector) => {
      const labels = Object.entries(selector.#map("matchLabels")).map(([key, value]): [string, string] => [key, requireText(value)]);
      const expressions = readList(selector.value("matchExpressions"), (expression) => {
        const values = expression.value("values");
        return {
          key: expression.text("key"),
          operator: expression.text("operator") as LabelSelectorOperator,
          ...(Array.isArray(values) && values.length > 0 ? { values: values.map(requireText) } : {}),
        };
      });
      return {
        ...(labels.length > 0 ? { matchLabels: Object.fromEntries(labels) } : {}),
        ...(expressions.length > 0 ? { matchExpressions: expressions } : {}),
      };
    });
  }

  #map(name: string): Readonly<Record<string, JsonValue>> {
    const value = this.value(name);
    if (value === null) return {};
    if (!isJsonObject(value)) throw new TypeError("not an object");
    return value;
  }
}

function requireText(value: JsonValue): string {
  if (value === null) return "";
  if (typeof value !== "string") throw new TypeError("not a text");
  return value;
}
