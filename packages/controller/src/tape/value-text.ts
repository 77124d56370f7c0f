/** Prints the value of a field in a few characters, without secrets. */
import { getOwn, isJsonObject, isSecretName, logValue, redacted, redactSecretObject } from "@drover/machinery";
import type { JsonValue } from "@drover/machinery";

const lengthMax = 80;
/** Where `kubectl apply` keeps a copy of the whole object, with all its values. */
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";

/** Position of a value in its object. */
export interface ValuePlace {
  /** Fields that lead to it, from the top; for a list item its key, such as "name=app", or "". */
  readonly names: readonly string[];
  /** Whether the object is a Secret. */
  readonly isSecret: boolean;
}

/**
 * Returns short JSON. Data of a Secret and values with a secret-looking name become "[redacted]", and so does the value of an environment
 * variable with such a name.
 */
export function valueText(value: JsonValue, { names, isSecret }: ValuePlace): string {
  const [first] = names;
  const last = names.at(-1) ?? "";
  if (isSecret && (first === "data" || first === "stringData")) return redacted;
  if (typeof value === "string" && isSecretName(last)) return redacted;
  if ((last === "value" && isSecretName(names.at(-2) ?? "")) || last === lastApplied) return redacted;
  const shown = isSecret && first === "metadata" ? redactedMetadata(names, value) : value;
  if (shown === redacted) return redacted;
  return cutText(typeof shown === "bigint" ? String(shown) : JSON.stringify(logValue(withoutSecretPairs(shown))));
}

/** Levels of an object in which pairs are looked for; deeper ones are cut from the short text. */
const depthMax = 12;

/** Redacts `value` beside a secret-looking `name`, as in the environment of a container. */
function withoutSecretPairs(value: JsonValue, depth = 0): JsonValue {
  if (depth > depthMax) return redacted;
  if (Array.isArray(value)) return value.slice(0, lengthMax).map((item) => withoutSecretPairs(item, depth + 1));
  if (!isJsonObject(value)) return value;
  const name = getOwn(value, "name");
  const isPair = typeof name === "string" && isSecretName(name);
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, lengthMax)
      .map(([key, member]) => [key, (isPair && key === "value") || key === lastApplied ? redacted : withoutSecretPairs(member, depth + 1)]),
  );
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
