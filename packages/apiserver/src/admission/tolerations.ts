/** Sets of tolerations. */
import type { Toleration } from "@drover/api/core/v1";
import type { DeepReadonly } from "@drover/machinery";

type Given = DeepReadonly<Toleration>;

const isSame = (a: Given, b: Given): boolean =>
  (["key", "operator", "value", "effect", "tolerationSeconds"] as const).every((field) => (a[field] ?? "") === (b[field] ?? ""));

/** Whether `wide` tolerates everything that `narrow` tolerates. */
function covers(wide: Given, narrow: Given): boolean {
  if (isSame(wide, narrow)) return true;
  const { key = "", effect = "", operator = "", value = "", tolerationSeconds } = wide;
  if ((narrow.key ?? "") !== key && (key !== "" || operator !== "Exists")) return false;
  if ((narrow.effect ?? "") !== effect && effect !== "") return false;
  if (
    effect === "NoExecute" &&
    tolerationSeconds !== undefined &&
    (narrow.tolerationSeconds === undefined || narrow.tolerationSeconds > tolerationSeconds)
  )
    return false;
  if (operator === "Exists") return true;
  return (operator === "Equal" || operator === "") && narrow.operator === "Equal" && (narrow.value ?? "") === value;
}

/** Returns both lists in order, without tolerations that another one covers. */
export function mergeTolerations(first: readonly Given[], second: readonly Given[]): Toleration[] {
  const all = [...first, ...second];
  const merged: Toleration[] = [];
  all.forEach((toleration, index) => {
    const isCovered =
      merged.some((kept) => covers(kept, toleration)) ||
      all.slice(index + 1).some((later) => !isSame(later, toleration) && covers(later, toleration));
    if (!isCovered) merged.push({ ...toleration });
  });
  return merged;
}

/** Whether each toleration is covered by one of the allowed ones; an empty list allows all. */
export const areAllowed = (tolerations: readonly Given[], allowed: readonly Given[]): boolean =>
  allowed.length === 0 || tolerations.every((toleration) => allowed.some((each) => covers(each, toleration)));

/** Adds a toleration, or replaces those with the same key, effect, operator and value. */
export function withToleration(tolerations: readonly Given[], added: Given): Toleration[] {
  const matches = (each: Given): boolean =>
    (["key", "effect", "operator", "value"] as const).every((field) => (each[field] ?? "") === (added[field] ?? ""));
  if (tolerations.some((each) => isSame(each, added))) return tolerations.map((each) => ({ ...each }));
  return tolerations.some(matches)
    ? tolerations.map((each) => ({ ...(matches(each) ? added : each) }))
    : [...tolerations.map((each) => ({ ...each })), { ...added }];
}
