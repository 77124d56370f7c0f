/** The storage version hash, from which clients see that a resource's storage version changed. */
import type { DiscoverableResource } from "./served-groups.ts";

/** Built-in kinds that Kubernetes 1.36 stores in another version. */
const storedAs: ReadonlyMap<string, string> = new Map([
  ["admissionregistration.k8s.io/v1/MutatingAdmissionPolicy", "admissionregistration.k8s.io/v1beta1/MutatingAdmissionPolicy"],
  ["admissionregistration.k8s.io/v1/MutatingAdmissionPolicyBinding", "admissionregistration.k8s.io/v1beta1/MutatingAdmissionPolicyBinding"],
  ["apiextensions.k8s.io/v1/CustomResourceDefinition", "apiextensions.k8s.io/v1beta1/CustomResourceDefinition"],
  ["autoscaling/v1/HorizontalPodAutoscaler", "autoscaling/v2/HorizontalPodAutoscaler"],
  ["events.k8s.io/v1/Event", "/v1/Event"],
]);

/** Returns the hash; undefined for resources that are not stored: reviews, bindings. */
export function storageVersionHash(
  { kind, isCustom, storageVersion = kind.version }: DiscoverableResource,
  sha256: (text: string) => Uint8Array,
): string | undefined {
  if (!kind.verbs.includes("create") || !kind.verbs.includes("get")) return undefined;
  const own = `${kind.group}/${isCustom ? storageVersion : kind.version}/${kind.kind}`;
  return btoa(String.fromCharCode(...sha256(isCustom ? own : (storedAs.get(own) ?? own)).subarray(0, 8)));
}
