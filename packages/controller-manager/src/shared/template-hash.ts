/**
 * A short name for what a pod template says: the last part of a ReplicaSet's name, and the value of `pod-template-hash`.
 *
 * kube-controller-manager hashes how Go prints the struct, which differs from version to version and cannot be had elsewhere. So the values
 * differ from its, and nothing depends on that: templates are compared with templates, a hash is only ever read as part of a name.
 */
import type { PodTemplateSpec } from "@drover/api/core/v1";
import { compareBytes } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import { safeEncode } from "./safe-encode.ts";

/** The same for templates with the same fields, in whatever order; another one for each `collisionCount`. */
export function templateHash(template: DeepReadonly<PodTemplateSpec>, collisionCount?: number): string {
  const text = canonicalText(template) + (collisionCount === undefined ? "" : `#${collisionCount}`);
  return safeEncode(String(fnv32a(new TextEncoder().encode(text))));
}

/** JSON with sorted keys. Fields that are undefined or null are left out. */
function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const fields = Object.entries(value).filter(([, field]) => field !== undefined && field !== null).toSorted(([a], [b]) => compareBytes(a, b));
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonicalText(field)}`).join()}}`;
}

/** FNV-1a, 32 bits. */
function fnv32a(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
