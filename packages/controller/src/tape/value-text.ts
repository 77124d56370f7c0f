/** Prints the value of a field in a few characters, without secrets. */
import { getOwn, isJsonObject, isSecretName, logValue, redacted, redactSecretObject } from "@drover/machinery";
import type { JsonValue } from "@drover/machinery";

const lengthMax = 80;

/** Position of a value in its object. */
export interface ValuePlace {
  /** Fields that lead to it, from the top; "" for a list item. */
  readonly names: readonly string[];
  /** Whether the object is a Secret. */
  readonly isSecret: boolean;
}

/** Returns short JSON. Data of a Secret and values with a secret-looking name become "[redacted]". */
export function valueText(value: JsonValue, { names, isSecret }: ValuePlace): string {
  const [first] = names;
  const last = names.at(-1) ?? "";
  if (isSecret && (first === "data" || first === "stringData")) return redacted;
  if (typeof value === "string" && isSecretName(last)) return redacted;
  const shown = isSecret && first === "metadata" ? redactedMetadata(names, value) : value;
  if (shown === redacted) return redacted;
  return cutText(typeof shown === "bigint" ? String(shown) : JSON.stringify(logValue(shown)));
}

/** Returns as much as fits, followed by "…" if it was cut. */
export function cutText(text: string, max: number = lengthMax): string {
  if (text.length <= max) return text;
  const end = max - 1;
  const splitsPair = /[\uD800-\uDBFF]/.test(text[end - 1] ?? "");
  return `${text.slice(0, splitsPair ? end - 1 : end)}…`;
}

/** Redacts metadata of a Secret, including the copy of the whole object that `kubectl apply` stores in an annotation. */
function redactedMetadata(names: readonly string[], value: JsonValue): JsonValue {
  let whole = value;
  for (const name of names.toReversed()) whole = Object.fromEntries([[name, whole]]);
  let shown = redactSecretObject({ ...(whole as Readonly<Record<string, unknown>>), kind: "Secret" }) as JsonValue | undefined;
  for (const name of names) shown = isJsonObject(shown) ? getOwn(shown, name) : undefined;
  return shown ?? redacted;
}
