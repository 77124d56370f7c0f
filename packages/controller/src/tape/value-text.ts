/** A field's value in a few characters, without secrets. */
import { getOwn, isJsonObject, isSecretName, logValue, redacted, redactSecretObject } from "@drover/machinery";
import type { JsonValue } from "@drover/machinery";

const lengthMax = 80;

/** Where a value stands. */
export interface ValuePlace {
  /** The fields that lead to it, from the top; "" for an item of a list. */
  readonly names: readonly string[];
  /** Whether the object is a Secret. */
  readonly isSecret: boolean;
}

/** Short JSON. What stands in a Secret's data, or under a name that looks secret, is "[redacted]". */
export function valueText(value: JsonValue, { names, isSecret }: ValuePlace): string {
  const [first] = names;
  const last = names.at(-1) ?? "";
  if (isSecret && (first === "data" || first === "stringData")) return redacted;
  if (typeof value === "string" && isSecretName(last)) return redacted;
  const shown = isSecret && first === "metadata" ? redactedMetadata(names, value) : value;
  if (shown === redacted) return redacted;
  return cutText(typeof shown === "bigint" ? String(shown) : JSON.stringify(logValue(shown)));
}

/** As much as fits, with a mark where something had to go. */
export function cutText(text: string, max: number = lengthMax): string {
  if (text.length <= max) return text;
  const end = max - 1;
  const splitsPair = /[\uD800-\uDBFF]/.test(text[end - 1] ?? "");
  return `${text.slice(0, splitsPair ? end - 1 : end)}…`;
}

/** The copy of the whole object that `kubectl apply` leaves in an annotation is hidden with the rest. */
function redactedMetadata(names: readonly string[], value: JsonValue): JsonValue {
  let whole = value;
  for (const name of names.toReversed()) whole = Object.fromEntries([[name, whole]]);
  let shown = redactSecretObject({ ...(whole as Readonly<Record<string, unknown>>), kind: "Secret" }) as JsonValue | undefined;
  for (const name of names) shown = isJsonObject(shown) ? getOwn(shown, name) : undefined;
  return shown ?? redacted;
}
