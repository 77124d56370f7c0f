/**
 * Reading JSON that users may have written, as Go reads it into a struct: keys in any case, unknown ones passed over, `null` for nothing,
 * and a value of the wrong type makes all of it illegible.
 */
import { canonicalTime, decodeJson, isJsonObject, Quantity } from "@drover/machinery";
import type { JsonValue, LabelSelector, LabelSelectorOperator } from "@drover/machinery";

/** What `read` makes of the text; undefined when it does not fit. */
export function readGoJson<T>(text: string, read: (value: JsonValue) => T): T | undefined {
  try {
    return read(decodeJson(text));
  } catch {
    return undefined;
  }
}

/** The elements of a list, each read. */
export function readList<T>(value: JsonValue, read: (fields: GoJsonFields) => T): T[] {
  if (value === null) return [];
  if (!Array.isArray(value)) throw new TypeError("not a list");
  return value.map((element) => read(new GoJsonFields(element)));
}

/** The fields of one struct. Every reader throws where the value does not fit, and takes `null` for absent. */
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

  /** The struct under a name, read; undefined when there is none. */
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
