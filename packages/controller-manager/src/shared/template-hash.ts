/**
 * A short name for what a pod template says: the last part of a ReplicaSet's name, and the value of `pod-template-hash`.
 *
 * kube-controller-manager hashes how Go prints the struct, which differs from version to version and cannot be had elsewhere. So the values
 * differ from its, and nothing depends on that: templates are compared with templates, a hash is only ever read as part of a name.
 */
import type { PodTemplateSpec } from "@drover/api/core/v1";
import type { DeepReadonly } from "@drover/machinery";
import { canonicalHash } from "./canonical-hash.ts";

/** The same for templates with the same fields, in whatever order; another one for each `collisionCount`. */
export function templateHash(template: DeepReadonly<PodTemplateSpec>, collisionCount?: number): string {
  return canonicalHash(template, collisionCount);
}
