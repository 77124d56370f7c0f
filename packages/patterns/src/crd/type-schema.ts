/**
 * Reduces a schema of unknown origin to what its type depends on.
 *
 *     openAPIV3Schema → typeSchema → PrintedSchema, safe for the printer
 */
import { getOwn, isJsonObject } from "@drover/machinery";
import type { JsonObject, JsonValue, PrintedSchema } from "@drover/machinery";

/** Placeholder for object metadata. */
export const metadataSchema: PrintedSchema = Object.freeze({ type: "object" });

/** Deeper than any definition that a server accepts; a deeper document is broken or malicious. */
const depthMax = 200;

/**
 * Reduces a schema. Guarantees: shared parts stay shared; keywords with values of the wrong type are dropped and become
 * `unknown`. Throws a `TypeError` with the path for schemas that are nested too deeply or contain themselves.
 */
export function typeSchema(schema: JsonValue | undefined, path: string): PrintedSchema {
  return new Cutter().cut(schema, path, 0);
}

class Cutter {
  /** Undefined while in progress. */
  readonly #seen = new Map<JsonObject, PrintedSchema | undefined>();

  cut(schema: JsonValue | undefined, path: string, depth: number): PrintedSchema {
    if (!isJsonObject(schema)) return {};
    if (depth > depthMax)
      throw new TypeError(
        `${path.slice(0, 100)}…: the schema is nested more than ${depthMax} levels deep; no server accepts such a definition`,
      );
    const known = this.#seen.get(schema);
    if (known !== undefined) return known;
    if (this.#seen.has(schema)) throw new TypeError(`${path}: the schema contains itself; no server accepts such a definition`);
    this.#seen.set(schema, undefined);
    const cut = { ...keywordsOf(schema), ...this.#children(schema, path, depth) };
    this.#seen.set(schema, cut);
    return cut;
  }

  #children(schema: JsonObject, path: string, depth: number): PrintedSchema {
    const items = getOwn(schema, "items");
    const values = getOwn(schema, "additionalProperties");
    const properties = this.#properties(schema, path, depth);
    return {
      ...(items === undefined ? {} : { items: this.cut(items, `${path}[]`, depth + 1) }),
      ...(values === true
        ? { additionalProperties: true }
        : isJsonObject(values)
          ? { additionalProperties: this.cut(values, `${path}.*`, depth + 1) }
          : {}),
      ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
    };
  }

  #properties(schema: JsonObject, path: string, depth: number): readonly (readonly [string, PrintedSchema])[] {
    const properties = getOwn(schema, "properties");
    const fields = Object.entries(isJsonObject(properties) ? properties : {}).map(
      ([name, child]) => [name, this.cut(child, `${path}.${name}`, depth + 1)] as const,
    );
    // Embedded resources: the server requires the identity fields even if the schema does not mention them.
    if (getOwn(schema, "x-kubernetes-embedded-resource") !== true) return fields;
    const own = fields.filter(([name]) => !["apiVersion", "kind", "metadata"].includes(name));
    return [...own, ["apiVersion", { type: "string" }], ["kind", { type: "string" }], ["metadata", metadataSchema]];
  }
}

function keywordsOf(schema: JsonObject): PrintedSchema {
  const text = (key: "type" | "format" | "description"): object => (typeof schema[key] === "string" ? { [key]: schema[key] } : {});
  const flag = (key: "nullable" | "x-kubernetes-int-or-string" | "x-kubernetes-preserve-unknown-fields"): object =>
    schema[key] === true ? { [key]: true } : {};
  const required = getOwn(schema, "required");
  const embedded = getOwn(schema, "x-kubernetes-embedded-resource") === true ? ["apiVersion", "kind"] : [];
  const choices = getOwn(schema, "enum");
  const isChoice = Array.isArray(choices) && choices.length > 0 && choices.every((choice) => typeof choice !== "object" || choice === null);
  const fallback = getOwn(schema, "default");
  return {
    ...text("type"),
    ...text("format"),
    ...text("description"),
    ...flag("nullable"),
    ...flag("x-kubernetes-int-or-string"),
    ...flag("x-kubernetes-preserve-unknown-fields"),
    required: [...embedded, ...(Array.isArray(required) ? required.filter((name) => typeof name === "string") : [])],
    ...(isChoice ? { enum: choices } : {}),
    ...(fallback === undefined || fallback === null ? {} : { default: fallback }),
  };
}
