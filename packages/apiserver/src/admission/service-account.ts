/** ServiceAccount: gives pods a service account, its token as a volume, and its image pull secrets. */
import { Pod } from "@drover/api/core/v1";
import type { Container, PodSpec, ServiceAccount, Volume } from "@drover/api/core/v1";
import { newFailure, newForbidden, quoteGo, sleep } from "@drover/machinery";
import type { DeepReadonly, Runtime } from "@drover/machinery";
import { referencesOfPod } from "../access/node/node-references.ts";
import { generateName } from "../registry/name-generator.ts";
import { keyOf } from "../registry/object-store.ts";
import type { ObjectStore } from "../registry/object-store.ts";
import type { Resource } from "../registry/resource.ts";
import { CompactedError } from "../storage/store.ts";
import type { Stored } from "../storage/store.ts";
import { StatusError } from "../status-error.ts";
import { typedObject } from "../typed-object.ts";
import type { AdmissionPlugin, AdmissionRequest } from "./admission.ts";
import { forbiddenSecret, secretsMustBeMountable } from "./mountable-secrets.ts";

const defaultAccount = "default";
const mirrorAnnotation = "kubernetes.io/config.mirror";
const volumePrefix = "kube-api-access-";
const mountPath = "/var/run/secrets/kubernetes.io/serviceaccount";
/** A kubelet asks for tokens of this age; the server lets them live longer, and warns when they are used. */
export const warnAfterSeconds: number = 60 * 60 + 7;
/** How often kube-apiserver looks for the account of a new namespace again, and the shortest pause between. */
const looks = 9;
const pauseMs = 100;

export interface ServiceAccountOptions {
  readonly objects: ObjectStore;
  readonly runtime: Runtime;
  /** The resource of service accounts. */
  readonly accounts: Resource;
}

/** A pod without an account gets the account `default`. If a controller has yet to create it, the request waits up to two seconds. */
export function serviceAccount(options: ServiceAccountOptions): AdmissionPlugin {
  const { runtime } = options;
  const lookUp = async (request: AdmissionRequest, name: string): Promise<DeepReadonly<ServiceAccount>> => {
    const found = await accountOf(request.namespace, name, options);
    if (found !== undefined) return found;
    throw refusal(request, `error looking up service account ${request.namespace}/${name}: serviceaccount ${quoteGo(name)} not found`);
  };
  const validate = async (request: AdmissionRequest): Promise<void> => {
    const pod = podOf(request);
    if (pod === undefined) return;
    const isEphemeral = request.operation === "UPDATE" && request.subresource === "ephemeralcontainers";
    if (!isEphemeral && request.operation !== "CREATE") return;
    if (!isEphemeral && isMirror(pod)) return refuseReferences(request, pod);
    const { serviceAccountName = "" } = pod.spec ?? {};
    if (serviceAccountName === "")
      throw refusal(request, `no service account specified for pod ${request.namespace}/${pod.metadata.name ?? ""}`);
    const account = await lookUp(request, serviceAccountName);
    if (!secretsMustBeMountable(account)) return;
    const why = forbiddenSecret(pod, account, { ephemeralOnly: isEphemeral });
    // kube-apiserver returns the error of ephemeral containers without a status.
    if (why !== undefined) throw isEphemeral ? new StatusError(newFailure(500, "", why)) : refusal(request, why);
  };
  const mutate = async (request: AdmissionRequest): Promise<void> => {
    const pod = podOf(request);
    if (pod?.spec === undefined || request.operation !== "CREATE") return;
    // The kubelet deletes a mirror pod whose spec was changed.
    if (isMirror(pod)) return refuseReferences(request, pod);
    const { spec } = pod;
    spec.serviceAccountName ||= defaultAccount;
    spec.serviceAccount = spec.serviceAccountName;
    const account = await lookUp(request, spec.serviceAccountName);
    if (spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true)
      mountToken(spec, () => generateName(volumePrefix, runtime.random));
    const { imagePullSecrets = [] } = account;
    if ((spec.imagePullSecrets ?? []).length === 0 && imagePullSecrets.length > 0)
      spec.imagePullSecrets = imagePullSecrets.map(({ name }) => (name === undefined ? {} : { name }));
  };
  return { name: "ServiceAccount", mutate, validate };
}

function podOf({ operation, resource: { kind }, subresource, object }: AdmissionRequest): Pod | undefined {
  if (object === undefined || kind.group !== "" || kind.kind !== "Pod" || (operation !== "CREATE" && operation !== "UPDATE"))
    return undefined;
  return subresource === "" || subresource === "ephemeralcontainers" ? typedObject(Pod, object) : undefined;
}

const isMirror = ({ metadata }: Pod): boolean => Object.hasOwn(metadata.annotations ?? {}, mirrorAnnotation);

/** Names a pod without a name by the prefix that its name will have. */
function refusal({ name, object }: AdmissionRequest, why: string): StatusError {
  const { generateName: prefix } = object === undefined ? {} : typedObject(Pod, object).metadata;
  return new StatusError(newForbidden({ group: "", resource: "pods" }, name || prefix || "Unknown", why));
}

/** A kubelet creates its mirror pods itself: they must not give it access to accounts and secrets. */
function refuseReferences(request: AdmissionRequest, pod: Pod): void {
  const { spec } = pod;
  if (spec === undefined) return;
  if ((spec.serviceAccountName ?? "") !== "") throw refusal(request, "a mirror pod may not reference service accounts");
  if (referencesOfPod(pod).secrets.length > 0) throw refusal(request, "a mirror pod may not reference secrets");
  const isToken = (spec.volumes ?? []).some(({ projected }) =>
    projected?.sources?.some((source) => source.serviceAccountToken !== undefined),
  );
  if (isToken) throw refusal(request, "a mirror pod may not use ServiceAccountToken volume projections");
}

async function accountOf(
  namespace: string,
  name: string,
  { objects, runtime: { clock, random }, accounts }: ServiceAccountOptions,
): Promise<DeepReadonly<ServiceAccount> | undefined> {
  const key = keyOf(accounts, namespace, name);
  const view = (found: Stored): DeepReadonly<ServiceAccount> => objects.views(accounts).shared(found) as DeepReadonly<ServiceAccount>;
  const { stored, revision } = await objects.store.get(key);
  if (stored !== undefined) return view(stored);
  if (name !== defaultAccount) return undefined;
  const over = new AbortController();
  void sleep(clock, looks * (pauseMs + random.int(pauseMs)), { signal: over.signal }).then(
    () => over.abort(),
    () => undefined,
  );
  try {
    for await (const { events } of objects.store.watch(key, { from: revision + 1, signal: over.signal })) {
      const created = events.findLast((event) => event.key === key)?.current;
      if (created !== undefined) return view(created);
    }
  } catch (error) {
    if (!over.signal.aborted && !(error instanceof CompactedError)) throw error;
  } finally {
    over.abort();
  }
  return undefined;
}

/** Mounts the token in every container that mounts nothing at its place. A volume of the pod with the usual name is used. */
function mountToken(spec: PodSpec, newName: () => string): void {
  const given = spec.volumes?.find(({ name }) => name.startsWith(volumePrefix));
  const isWithout = ({ volumeMounts = [] }: Container): boolean => !volumeMounts.some((mount) => mount.mountPath === mountPath);
  // A pod without containers is refused later, in the words of its validation.
  const containers: readonly Container[] | undefined = spec.containers;
  const wanting = [...(spec.initContainers ?? []), ...(containers ?? [])].filter(isWithout);
  if (wanting.length === 0) return;
  const name = given?.name ?? newName();
  for (const container of wanting) container.volumeMounts = [...(container.volumeMounts ?? []), { name, readOnly: true, mountPath }];
  if (given === undefined) spec.volumes = [...(spec.volumes ?? []), tokenVolume(name)];
}

const tokenVolume = (name: string): Volume => ({
  name,
  projected: {
    sources: [
      { serviceAccountToken: { expirationSeconds: warnAfterSeconds, path: "token" } },
      { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
      { downwardAPI: { items: [{ path: "namespace", fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" } }] } },
    ],
    defaultMode: 0o644,
  },
});
