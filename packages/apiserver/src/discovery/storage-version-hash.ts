/** By which clients notice that objects of a resource are stored in another version than before. */
import type { DiscoverableResource } from "./served-groups.ts";

/** Built-in kinds that Kubernetes 1.36 stores otherwise than in their own version. */
const storedAs: ReadonlyMap<string, string> = new Map([
  ["admissionregistration.k8s.io/v1/MutatingAdmissionPolicy", "admissionregistration.k8s.io/v1beta1/MutatingAdmissionPolicy"],
  ["admissionregistration.k8s.io/v1/MutatingAdmissionPolicyBinding", "admissionregistration.k8s.io/v1beta1/MutatingAdmissionPolicyBinding"],
  ["apiextensions.k8s.io/v1/CustomResourceDefinition", "apiextensions.k8s.io/v1beta1/CustomResourceDefinition"],
  ["autoscaling/v1/HorizontalPodAutoscaler", "autoscaling/v2/HorizontalPodAutoscaler"],
  ["events.k8s.io/v1/Event", "/v1/Event"],
]);

/** Undefined when objects of the resource are not stored at all: reviews, bindings. */
export function storageVersionHash(
  { kind, isCustom, storageVersion = kind.version }: DiscoverableResource,
  sha256: (text: string) => Uint8Array,
): string | undefined {
  if (!kind.verbs.includes("create") || !kind.verbs.includes("get")) return undefined;
  const own = `${kind.group}/${isCustom ? storageVersion : kind.version}/${kind.kind}`;
  return btoa(String.fromCharCode(...sha256(isCustom ? own : (storedAs.get(own) ?? own)).subarray(0, 8)));
}
