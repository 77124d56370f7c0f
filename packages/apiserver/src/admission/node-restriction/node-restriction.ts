/**
 * NodeRestriction: a kubelet changes only its own Node, Lease, CSINode and ResourceSlices, and only the pods on its node. Off by default;
 * kubeadm turns it on.
 */
import { CertificateSigningRequest } from "@drover/api/certificates/v1";
import { Node, PersistentVolumeClaim, Pod } from "@drover/api/core/v1";
import type { TokenRequest } from "@drover/api/authentication/v1";
import type { ResourceSlice } from "@drover/api/resource/v1";
import { deepCopy, errorText, jsonEqual, newNotFound, quoteGo, semanticEqual } from "@drover/machinery";
import type { DeepReadonly, JsonObject } from "@drover/machinery";
import type { Authorizer } from "../../access/authorizer.ts";
import { nodesGroup } from "../../access/system-names.ts";
import type { User } from "../../access/user.ts";
import { metaOf } from "../../registry/meta-of.ts";
import { StatusError } from "../../status-error.ts";
import { typedObject } from "../../typed-object.ts";
import type { AdmissionPlugin, AdmissionRequest } from "../admission.ts";
import { subjectOf } from "../certificates.ts";
import { refusal } from "../refusal.ts";
import { forbiddenLabels } from "./node-labels.ts";
import { referencedResource } from "./pod-references.ts";
import { namesAudience } from "./token-audience.ts";
import type { AudienceReader } from "./token-audience.ts";

/** What NodeRestriction reads. The readers return undefined for missing objects. */
export interface NodeRestrictionServices extends AudienceReader {
  readonly authorizer: Authorizer;
  readonly pod: (namespace: string, name: string) => Promise<DeepReadonly<Pod> | undefined>;
  readonly node: (name: string) => Promise<DeepReadonly<Node> | undefined>;
}

type Check = (services: NodeRestrictionServices, request: AdmissionRequest, nodeName: string) => Promise<void> | void;

export function nodeRestriction(services: NodeRestrictionServices): AdmissionPlugin {
  return {
    name: "NodeRestriction",
    mutate: (request) => {
      const nodeName = nodeOf(request.user);
      if (nodeName === undefined || request.operation === "CONNECT") return undefined;
      if (nodeName === "") throw refusal(request, `could not determine node from user ${quoteGo(request.user.name)}`);
      const { group, plural } = request.resource.kind;
      return checks.get(`${group}/${plural}`)?.(services, request, nodeName);
    },
  };
}

const prefix = "system:node:";

/** Returns the name of the node that a user is; undefined for other users. */
const nodeOf = ({ name, groups }: User): string | undefined =>
  name.startsWith(prefix) && groups.includes(nodesGroup) ? name.slice(prefix.length) : undefined;

const checkPod: Check = (services, request, nodeName) => {
  const { subresource, operation } = request;
  if (subresource === "status") return checkPodStatus(request, nodeName);
  if (subresource === "eviction") return checkEviction(services, request, nodeName);
  if (subresource !== "")
    throw refusal(request, `unexpected pod subresource ${quoteGo(subresource)}, only 'status' and 'eviction' are allowed`);
  if (operation === "CREATE") return checkMirrorPod(services, request, nodeName);
  if (operation === "DELETE") return checkPodDeletion(services, request, nodeName);
  throw refusal(request, `unexpected operation ${quoteGo(operation)}, node ${quoteGo(nodeName)} can only create and delete mirror pods`);
};

async function existingPod({ pod }: NodeRestrictionServices, namespace: string, name: string): Promise<DeepReadonly<Pod>> {
  const found = await pod(namespace, name);
  if (found === undefined) throw new StatusError(newNotFound({ group: "", resource: "pod" }, name));
  return found;
}

async function checkPodDeletion(services: NodeRestrictionServices, request: AdmissionRequest, nodeName: string): Promise<void> {
  const { spec } = await existingPod(services, request.namespace, request.name);
  if (spec?.nodeName !== nodeName)
    throw refusal(request, `node ${quoteGo(nodeName)} can only delete pods with spec.nodeName set to itself`);
}

async function checkEviction(services: NodeRestrictionServices, request: AdmissionRequest, nodeName: string): Promise<void> {
  const { operation, namespace, name, object } = request;
  if (operation !== "CREATE") throw refusal(request, `unexpected operation ${operation}`);
  const podName = name || (object === undefined ? "" : (metaOf(object).name ?? ""));
  if (podName === "") throw refusal(request, "could not determine pod from request data");
  const { spec } = await existingPod(services, namespace, podName);
  if (spec?.nodeName !== nodeName) throw refusal(request, `node ${nodeName} can only evict pods with spec.nodeName set to itself`);
}

const mirrorAnnotation = "kubernetes.io/config.mirror";

async function checkMirrorPod({ node }: NodeRestrictionServices, request: AdmissionRequest, nodeName: string): Promise<void> {
  const { metadata, spec } = typedObject(Pod, request.object ?? {});
  const who = `node ${quoteGo(nodeName)}`;
  if (!Object.hasOwn(metadata.annotations ?? {}, mirrorAnnotation))
    throw refusal(request, `pod does not have ${quoteGo(mirrorAnnotation)} annotation, ${who} can only create mirror pods`);
  if (spec?.nodeName !== nodeName) throw refusal(request, `${who} can only create pods with spec.nodeName set to itself`);
  const [owner, ...more] = metadata.ownerReferences ?? [];
  if (more.length > 0) throw refusal(request, `${who} can only create pods with a single owner reference set to itself`);
  if (owner === undefined || owner.apiVersion !== "v1" || owner.kind !== "Node" || owner.name !== nodeName)
    throw refusal(request, `${who} can only create pods with an owner reference set to itself`);
  if (owner.controller !== true) throw refusal(request, `${who} can only create pods with a controller owner reference set to itself`);
  if (owner.blockOwnerDeletion === true) throw refusal(request, `${who} must not set blockOwnerDeletion on an owner reference`);
  const found = await node(nodeName);
  if (found === undefined) throw new StatusError(newNotFound({ group: "", resource: "node" }, nodeName));
  if (owner.uid !== found.metadata.uid)
    throw refusal(request, `node ${nodeName} UID mismatch: expected ${owner.uid} got ${found.metadata.uid ?? ""}`);
  const resource = references(request);
  if (resource !== undefined) throw refusal(request, `${who} can not create pods that reference ${resource}`);
}

function references(request: AdmissionRequest): string | undefined {
  const { spec } = typedObject(Pod, request.object ?? {});
  try {
    return spec === undefined ? undefined : referencedResource(spec);
  } catch (error) {
    throw refusal(request, `error checking mirror pod for API references: ${errorText(error)}`);
  }
}

function checkPodStatus(request: AdmissionRequest, nodeName: string): void {
  if (request.operation !== "UPDATE") throw refusal(request, `unexpected operation ${quoteGo(request.operation)}`);
  const [pod, old] = [typedObject(Pod, request.object ?? {}), typedObject(Pod, request.old ?? {})];
  const who = `node ${quoteGo(nodeName)}`;
  if (old.spec?.nodeName !== nodeName)
    throw refusal(request, `${who} can only update pod status for pods with spec.nodeName set to itself`);
  if (!jsonEqual(pod.metadata.labels ?? {}, old.metadata.labels ?? {}))
    throw refusal(request, `${who} cannot update labels through pod status`);
  const claims = ({ status }: Pod): unknown =>
    (status?.resourceClaimStatuses ?? []).map(({ name, resourceClaimName = null }) => [name, resourceClaimName]);
  if (!jsonEqual(claims(pod), claims(old))) throw refusal(request, `${who} cannot update resource claim statues`);
  const extended = ({ status }: Pod): unknown => status?.extendedResourceClaimStatus ?? null;
  if (!jsonEqual(extended(pod), extended(old))) throw refusal(request, `${who} cannot update extended resource claim status`);
}

const checkNode: Check = (_services, request, nodeName) => {
  const { name, operation, object, old } = request;
  const who = `node ${quoteGo(nodeName)}`;
  if (name !== nodeName) throw refusal(request, `${who} is not allowed to modify node ${quoteGo(name)}`);
  if (object === undefined || request.resource.kind.kind !== object["kind"]) return;
  const { metadata, spec } = typedObject(Node, object);
  if (operation === "CREATE") {
    if (spec?.configSource !== undefined) throw refusal(request, `${who} is not allowed to create pods with a non-nil configSource`);
    const labels = forbiddenLabels(metadata.labels);
    if (labels.length > 0) throw refusal(request, `${who} is not allowed to set the following labels: ${labels.join(", ")}`);
    return;
  }
  const { metadata: oldMetadata, spec: oldSpec } = typedObject(Node, old ?? {});
  if (spec?.configSource !== undefined && !semanticEqual(spec.configSource, oldSpec?.configSource))
    throw refusal(request, `${who} is not allowed to update configSource to a new non-nil configSource`);
  if (!semanticEqual(spec?.taints ?? [], oldSpec?.taints ?? [])) throw refusal(request, `${who} is not allowed to modify taints`);
  if (!semanticEqual(metadata.ownerReferences ?? [], oldMetadata.ownerReferences ?? []))
    throw refusal(request, `${who} is not allowed to modify ownerReferences`);
  const labels = forbiddenLabels(metadata.labels, oldMetadata.labels);
  if (labels.length > 0) throw refusal(request, `is not allowed to modify labels: ${labels.join(", ")}`);
};

const checkClaim: Check = (_services, request, nodeName) => {
  const { subresource, operation, object, old } = request;
  if (subresource !== "status") throw refusal(request, "may only update PVC status");
  if (operation !== "UPDATE") throw refusal(request, `unexpected operation ${quoteGo(operation)}`);
  if (!semanticEqual(besideProgress(object), besideProgress(old)))
    throw refusal(request, `node ${quoteGo(nodeName)} is not allowed to update fields other than status.quantity and status.conditions`);
};

/** The parts of a claim that a kubelet does not report. */
function besideProgress(object: JsonObject | undefined): unknown {
  const claim = typedObject(PersistentVolumeClaim, deepCopy(object ?? {}));
  delete claim.metadata.resourceVersion;
  delete claim.metadata.managedFields;
  for (const field of ["capacity", "conditions", "allocatedResourceStatuses", "allocatedResources"] as const) delete claim.status?.[field];
  return claim;
}

const checkToken: Check = async (services, request, nodeName) => {
  const { operation, subresource, object, namespace, name, user } = request;
  if (operation !== "CREATE" || subresource !== "token" || object === undefined) return;
  const { spec } = object as unknown as TokenRequest;
  const { apiVersion, kind, name: podName = "", uid = "" } = spec?.boundObjectRef ?? {};
  if (apiVersion !== "v1" || kind !== "Pod" || podName === "") throw refusal(request, "node requested token not bound to a pod");
  if (uid === "") throw refusal(request, "node requested token with a pod binding without a uid");
  const pod = await existingPod(services, namespace, podName);
  if (uid !== pod.metadata.uid)
    throw refusal(
      request,
      `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`,
    );
  if (pod.spec?.nodeName !== nodeName) throw refusal(request, "node requested token bound to a pod scheduled on a different node");
  const [audience = "", ...more] = spec?.audiences ?? [];
  if (more.length > 0) throw refusal(request, "node may only request 0 or 1 audiences");
  if (await isNamed(services, request, pod, audience)) return;
  const { decision, evaluationError = "" } = await services.authorizer.authorize({
    user,
    verb: "request-serviceaccounts-token-audience",
    isResourceRequest: true,
    path: "",
    group: "",
    version: "v1",
    resource: audience,
    subresource: "",
    namespace,
    name,
  });
  if (decision === "allow") return;
  const found = `audience ${quoteGo(audience)} not found in pod spec volume`;
  throw refusal(
    request,
    evaluationError === ""
      ? `${found}, ${user.name} is not authorized to request tokens for this audience`
      : `${found}, error authorizing ${user.name} to request tokens for this audience: ${evaluationError}`,
  );
};

async function isNamed(
  services: NodeRestrictionServices,
  request: AdmissionRequest,
  pod: DeepReadonly<Pod>,
  audience: string,
): Promise<boolean> {
  try {
    return await namesAudience(pod, audience, services);
  } catch (error) {
    throw refusal(request, `error validating audience ${quoteGo(audience)}: ${errorText(error)}`);
  }
}

const checkLease: Check = (_services, request, nodeName) => {
  if (request.namespace !== "kube-node-lease") throw refusal(request, 'can only access leases in the "kube-node-lease" system namespace');
  checkOwnName(request, nodeName, "can only access node lease with the same name as the requesting node");
};

const checkCsiNode: Check = (_services, request, nodeName) =>
  checkOwnName(request, nodeName, "can only access CSINode with the same name as the requesting node");

function checkOwnName(request: AdmissionRequest, nodeName: string, why: string): void {
  const { operation, object, name } = request;
  const own = operation === "CREATE" && object !== undefined ? (metaOf(object).name ?? "") : name;
  if (own !== nodeName) throw refusal(request, why);
}

const checkSlice: Check = (_services, request, nodeName) => {
  const { operation, object, old } = request;
  if (operation !== "CREATE" && operation !== "DELETE") return;
  const { spec } = ((operation === "CREATE" ? object : old) ?? {}) as unknown as Partial<ResourceSlice>;
  if (spec?.nodeName !== nodeName)
    throw refusal(request, `can only ${operation.toLowerCase()} ResourceSlice with the same NodeName as the requesting node`);
};

const kubeletSigners: readonly string[] = ["kubernetes.io/kubelet-serving", "kubernetes.io/kube-apiserver-client-kubelet"];

const checkCertificateRequest: Check = (_services, request, nodeName) => {
  if (request.operation !== "CREATE" || request.object === undefined) return;
  const { spec } = typedObject(CertificateSigningRequest, request.object);
  if (!kubeletSigners.includes(spec.signerName)) return;
  if (subjectOf(request, spec.request, "unable to parse csr").commonName !== `${prefix}${nodeName}`)
    throw refusal(request, `can only create a node CSR with CN=${prefix}${nodeName}`);
};

/** By group and resource; other resources are not restricted. */
const checks: ReadonlyMap<string, Check> = new Map([
  ["/pods", checkPod],
  ["/nodes", checkNode],
  ["/persistentvolumeclaims", checkClaim],
  ["/serviceaccounts", checkToken],
  ["coordination.k8s.io/leases", checkLease],
  ["storage.k8s.io/csinodes", checkCsiNode],
  ["resource.k8s.io/resourceslices", checkSlice],
  ["certificates.k8s.io/certificatesigningrequests", checkCertificateRequest],
]);
