/**
 * Short hash of a pod template: the suffix of a ReplicaSet's name, and the value of `pod-template-hash`.
 *
 * kube-controller-manager hashes how Go prints the struct, which differs between versions and cannot be reproduced elsewhere. Our
 * values differ, and nothing depends on that: templates are compared with templates, and a hash is only read as part of a name.
 */
import type { PodTemplateSpec } from "@drover/api/core/v1";
import type { DeepReadonly } from "@drover/machinery";
import { canonicalHash } from "./canonical-hash.ts";

/** Equal for templates with equal fields in any order; different for each `collisionCount`. */
export function templateHash(template: DeepReadonly<PodTemplateSpec>, collisionCount?: number): string {
  return canonicalHash(template, collisionCount);
}
