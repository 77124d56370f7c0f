/** Options of an apply, and their conversion to Drover's set, owner and desired objects. */
import type { Client } from "@drover/client";
import {
  newControllerRef,
  newOwnerReference,
  sameGroupKind,
  sameGroupVersionKind,
  splitObjectKey,
  withOwnerReference,
} from "@drover/machinery";
import type { DeepReadonly, GroupVersionKind, Kind, KubeObject, Log, OwnerReference } from "@drover/machinery";
import type { ApplySet, DesiredObject, ImmutablePolicy, SetOwner } from "@drover/patterns";
import type { CacheType } from "./cached-members.ts";
import { withoutIgnored } from "./ignored-fields.ts";
import type { IgnoredDifference } from "./ignored-fields.ts";

/** Dependencies of a call. A handler's context provides them. */
export interface CallContext {
  readonly client: Client;
  readonly signal: AbortSignal;
  readonly log: Log;
}

/** Changes a list of objects before it is applied. */
export type Injector = (objects: readonly DeepReadonly<KubeObject>[]) => readonly DeepReadonly<KubeObject>[];

/** How members refer to their owner. */
export type ReferenceChoice = "none" | { readonly controller: boolean; readonly block: boolean };

/** Immutable options of an apply. */
export interface ApplyChoices {
  readonly setID?: string;
  readonly supersedes: readonly string[];
  readonly owner?: { readonly object: DeepReadonly<KubeObject>; readonly kind?: Kind };
  readonly reference?: ReferenceChoice;
  readonly defaultNamespace: string;
  readonly listerNamespace?: string;
  readonly cacheTypes: readonly CacheType[];
  readonly kinds: readonly Kind[];
  readonly noDelete: boolean;
  readonly noDeleteKinds: readonly GroupVersionKind[];
  readonly strictCaching: boolean;
  readonly restrictClusterScoped: boolean;
  /** Only the owner's namespace. */
  readonly restrictNamespace: boolean;
  readonly policies: readonly (readonly [kind: GroupVersionKind, policy: ImmutablePolicy])[];
  readonly injectors: readonly Injector[];
  readonly ignored: readonly IgnoredDifference[];
  readonly context?: CallContext;
}

/** Defaults: strict caching, as in Wrangler. */
export const noChoices: ApplyChoices = {
  supersedes: [],
  defaultNamespace: "",
  cacheTypes: [],
  kinds: [],
  noDelete: false,
  noDeleteKinds: [],
  strictCaching: true,
  restrictClusterScoped: false,
  restrictNamespace: false,
  policies: [],
  injectors: [],
  ignored: [],
};

/** Placeholder owner of a set without one: identified by the set's name, and never requested from a server. */
export function setAlone(setID: string, namespace: string): SetOwner {
  return {
    kind: ghostKind({ group: "drover.dev", version: "v1", kind: "Set" }, namespace),
    object: { metadata: { name: setID, ...(namespace === "" ? {} : { namespace }) } },
  };
}

/** An owner that need not exist in the cluster. */
export function ownerOfKey(key: string, kind: GroupVersionKind): { readonly object: KubeObject; readonly kind: Kind } {
  const { namespace, name } = splitObjectKey(key);
  return { kind: ghostKind(kind, namespace), object: { metadata: { name, ...(namespace === "" ? {} : { namespace }) } } };
}

function ghostKind({ group, version, kind }: GroupVersionKind, namespace: string): Kind {
  const singular = kind.toLowerCase();
  return {
    group,
    version,
    kind,
    listKind: `${kind}List`,
    plural: `${singular}s`,
    singular,
    shortNames: [],
    categories: [],
    scope: namespace === "" ? "Cluster" : "Namespaced",
    verbs: [],
    subresources: {},
  };
}

/** Kinds that Wrangler's reconcilers delete and create again when the server rejects a change. */
const recreated: readonly string[] = ["Secret", "Job.batch", "Deployment.apps", "DaemonSet.apps", "Service"];

/** Converts the options to an `ApplySet`. Throws `TypeError` for a lister namespace that cannot be honoured. */
export function applySetOf(choices: ApplyChoices, owner: SetOwner, base: Pick<ApplySet, "adopt" | "wrangler" | "fieldManager">): ApplySet {
  const {
    setID = "",
    supersedes,
    listerNamespace,
    cacheTypes,
    kinds,
    noDelete,
    noDeleteKinds,
    restrictClusterScoped,
    restrictNamespace,
  } = choices;
  const home = owner.object.metadata.namespace ?? "";
  if (listerNamespace !== undefined && listerNamespace !== home) {
    throw new TypeError(
      `apply: withListerNamespace(${JSON.stringify(listerNamespace)}) cannot be honoured: members are searched in the namespace of their owner (${home === "" ? "none" : home}) or in all; remove it, or use an owner in that namespace`,
    );
  }
  const staysInNamespace = restrictNamespace || listerNamespace !== undefined;
  return {
    ...base,
    name: setID === "" ? "wrangler" : setID,
    supersedes,
    kinds: [...cacheTypes.map(({ kind }) => kind), ...kinds],
    // `desiredObject` adds the owner references, because those of an `ApplySet` always block the owner's deletion.
    reference: "label",
    scope: !restrictClusterScoped ? "cluster" : staysInNamespace ? "namespace" : "cross-namespace",
    prune: noDelete ? false : (member) => !noDeleteKinds.some((kind) => isOfKind(member, kind)),
  };
}

/** Converts one object. Throws a `TypeError` that names the option which would allow it. */
export function desiredObject(choices: ApplyChoices, owner: SetOwner, kind: Kind, object: DeepReadonly<KubeObject>): DesiredObject {
  const { defaultNamespace, restrictClusterScoped, restrictNamespace, policies } = choices;
  const { name = "" } = object.metadata;
  const home = owner.object.metadata.namespace ?? "";
  if (kind.scope === "Cluster" && restrictClusterScoped)
    throw new TypeError(
      `apply: ${kind.kind} ${name} is cluster-scoped, which is not allowed here; set allowClusterScoped, or remove withRestrictClusterScoped`,
    );
  const namespace = kind.scope === "Cluster" ? "" : object.metadata.namespace || defaultNamespace || home;
  if (kind.scope === "Namespaced" && namespace === "")
    throw new TypeError(
      `apply: ${kind.kind} ${name} has no metadata.namespace, and its owner is cluster-scoped; set it, or call withDefaultNamespace`,
    );
  if (restrictNamespace && home !== "" && namespace !== "" && namespace !== home)
    throw new TypeError(
      `apply: ${kind.kind} ${name} is in namespace ${namespace}, its owner in ${home}, which is not allowed here; set allowCrossNamespace`,
    );
  const reference = referenceFor(choices, owner, namespace);
  const { namespace: _namespace, ...metadata } = object.metadata;
  const placed = {
    ...object,
    metadata: {
      ...metadata,
      ...(namespace === "" ? {} : { namespace }),
      ...(reference === undefined ? {} : { ownerReferences: withOwnerReference(metadata.ownerReferences, reference) }),
    },
  };
  const policy =
    policies.findLast(([of]) => sameGroupVersionKind(of, kind))?.[1] ??
    (recreated.includes(kind.group === "" ? kind.kind : `${kind.kind}.${kind.group}`) ? "recreate" : "fail");
  return { kind, object: withoutIgnored(placed, kind, choices.ignored), onImmutable: policy };
}

/** Returns undefined where the garbage collector would not follow the reference. */
function referenceFor({ reference }: ApplyChoices, { object, kind }: SetOwner, namespace: string): OwnerReference | undefined {
  const { uid = "", namespace: home = "" } = object.metadata;
  if (reference === undefined || reference === "none" || uid === "" || (home !== "" && home !== namespace)) return undefined;
  const { controller, block: blockOwnerDeletion } = reference;
  return controller ? newControllerRef(object, kind, { blockOwnerDeletion }) : newOwnerReference(object, kind, { blockOwnerDeletion });
}

const isOfKind = (object: DeepReadonly<KubeObject>, kind: GroupVersionKind): boolean =>
  object.kind === kind.kind && sameGroupKind({ group: groupOf(object.apiVersion), kind: kind.kind }, kind);

const groupOf = (apiVersion = ""): string => (apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "");
