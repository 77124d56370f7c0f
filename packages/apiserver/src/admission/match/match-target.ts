/** What rules and selectors of webhooks and policies see of a request. */
import type { Resource } from "../../registry/resource.ts";
import type { AdmissionOperation, AdmissionRequest } from "../admission.ts";

export interface MatchTarget {
  readonly operation: AdmissionOperation;
  /** The resource of the request, or an equivalent one. */
  readonly resource: Resource;
  /** "" for the object itself. */
  readonly subresource: string;
  /** "" for cluster-scoped objects, except for a Namespace, which counts as in itself. */
  readonly namespace: string;
  readonly name: string;
}

export function matchTarget({ operation, resource, subresource, namespace, name }: AdmissionRequest): MatchTarget {
  return { operation, resource, subresource, namespace: isNamespaces(resource) ? name : namespace, name };
}

export const isNamespaces = ({ kind }: Resource): boolean => kind.group === "" && kind.plural === "namespaces";

const exemptKinds: ReadonlySet<string> = new Set([
  "MutatingAdmissionPolicy",
  "MutatingAdmissionPolicyBinding",
  "MutatingWebhookConfiguration",
  "ValidatingAdmissionPolicy",
  "ValidatingAdmissionPolicyBinding",
  "ValidatingWebhookConfiguration",
]);

/** Whether neither webhooks nor policies see writes of this resource: they could make themselves unchangeable. */
export const isExemptConfiguration = ({ kind, isCustom }: Resource): boolean =>
  !isCustom && kind.group === "admissionregistration.k8s.io" && exemptKinds.has(kind.kind);
