/** The pods of workloads: which kinds have a template, and where. */
import type { PodSpec, PodTemplateSpec } from "@drover/api/core/v1";
import { isJsonObject } from "@drover/machinery";
import type { JsonObject, JsonValue, Kind } from "@drover/machinery";
import type { CheckedPod } from "./pod-check.ts";

interface Place {
  readonly group: string;
  readonly path: readonly string[];
}

const ofSpec: readonly string[] = ["spec", "template"];

/** By resource. */
const places: ReadonlyMap<string, Place> = new Map([
  ["replicationcontrollers", { group: "", path: ofSpec }],
  ["podtemplates", { group: "", path: ["template"] }],
  ["replicasets", { group: "apps", path: ofSpec }],
  ["deployments", { group: "apps", path: ofSpec }],
  ["statefulsets", { group: "apps", path: ofSpec }],
  ["daemonsets", { group: "apps", path: ofSpec }],
  ["jobs", { group: "batch", path: ofSpec }],
  ["cronjobs", { group: "batch", path: ["spec", "jobTemplate", "spec", "template"] }],
]);

/** Returns the path of the template; undefined for kinds without one. */
export function templatePathOf({ group, plural }: Pick<Kind, "group" | "plural">): readonly string[] | undefined {
  const found = places.get(plural);
  return found?.group === group ? found.path : undefined;
}

/** Returns the template at a path; undefined if there is none. */
export function templateAt(object: JsonObject, path: readonly string[]): CheckedPod | undefined {
  let found: JsonObject | undefined = object;
  for (const field of path) {
    const next: JsonValue | undefined = found?.[field];
    found = isJsonObject(next) ? next : undefined;
  }
  return found === undefined ? undefined : checkedPod(found);
}

const noSpec: PodSpec = { containers: [] };

/** Returns what checks see of a pod or a template. */
export const checkedPod = ({ metadata, spec = noSpec }: PodTemplateSpec): CheckedPod => ({
  annotations: metadata?.annotations ?? {},
  spec,
});
