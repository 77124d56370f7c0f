/** Short hash of a value: FNV-1a of its JSON, in letters and digits that spell no words. */
import { compareBytes } from "@drover/machinery";
import { safeEncode } from "./safe-encode.ts";

/** Equal for values with equal fields in any order; different for each `collisionCount`. */
export function canonicalHash(value: unknown, collisionCount?: number): string {
  const text = canonicalText(value) + (collisionCount === undefined ? "" : `#${collisionCount}`);
  return safeEncode(String(fnv32a(new TextEncoder().encode(text))));
}

/** JSON with sorted keys, without undefined and null fields. */
function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined && field !== null)
    .toSorted(([a], [b]) => compareBytes(a, b));
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonicalText(field)}`).join()}}`;
}

/** FNV-1a, 32 bits. */
function fnv32a(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
