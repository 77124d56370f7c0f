/**
 * Wrangler's apply under its Go names, on Drover's apply sets.
 *
 *     const apply = newApply({ cluster }).withCacheTypes(jobs).withSetOwnerReference(true, false);
 *     await apply.withContext(context).withOwner(gitJob).withSetID("sync-repo").applyObjects(job);
 *
 * Finds members by Drover's labels, changes them with server-side apply, and never takes over objects of other owners.
 * Options of Wrangler that cannot be honoured throw an error that names the alternative.
 */
import type { Cluster } from "@drover/cache";
import { definedOnly } from "@drover/machinery";
import type { DeepReadonly, GroupVersionKind, JsonPatchOperation, Kind, KubeObject } from "@drover/machinery";
import { apply as applyObjects, ApplyMemory, planApply, setIdentity } from "@drover/patterns";
import type {
  ApplyContext,
  ApplyOutcome,
  ApplyPlan,
  ApplySet,
  DesiredObject,
  ImmutablePolicy,
  PlannedChange,
  SetOwner,
} from "@drover/patterns";
import { applySetOf, desiredObject, noChoices, ownerOfKey, setAlone } from "./apply-choices.ts";
import type { ApplyChoices, CallContext, Injector, ReferenceChoice } from "./apply-choices.ts";
import { cachedMembers, index } from "./cached-members.ts";
import type { CacheType } from "./cached-members.ts";
import { checkIgnored } from "./ignored-fields.ts";
import { KnownKinds } from "./known-kinds.ts";
import { findOwner, purgeOrphan } from "./object-owner.ts";
import type { ObjectSet } from "./object-set.ts";

/** Options of `newApply`. */
export interface NewApplyOptions extends Pick<ApplySet, "adopt" | "wrangler" | "fieldManager">, Pick<ApplyContext, "inflate"> {
  readonly cluster: Cluster;
  /** Custom kinds of the objects; built-in kinds are known. @default unknown kinds are looked up on the server */
  readonly kinds?: readonly Kind[];
}

/** Result of a dry run. */
export interface Plan {
  readonly create: readonly PlannedChange[];
  readonly update: readonly PlannedChange[];
  readonly delete: readonly PlannedChange[];
  /** All changes in order, with expected errors; print it with `printPlan`. */
  readonly plan: ApplyPlan;
}

/** Immutable: every `with…` returns a new builder. */
export interface Apply {
  /** How members refer to their owner. @default undefined: no owner references */
  readonly ownerReference: ReferenceChoice | undefined;
  /** Sets the owner of the objects. @param kind - required if the object has no apiVersion and kind */
  withOwner(object: DeepReadonly<KubeObject>, kind?: Kind): Apply;
  /** Sets an owner that need not exist. There is no inventory, so list the kinds to prune with `withGVK`. */
  withOwnerKey(key: string, kind: GroupVersionKind): Apply;
  /** Distinguishes several sets of one owner; a DNS label. @param supersedes - former names, whose members are members */
  withSetID(id: string, ...supersedes: readonly string[]): Apply;
  /**
   * Adds owner references where the garbage collector follows them. @param controller - whether the owner is the
   * controller @param block - whether members block the owner's foreground deletion
   */
  withSetOwnerReference(controller: boolean, block: boolean): Apply;
  /** Members get only the label, so the garbage collector does not delete them. */
  withoutOwnerReference(): Apply;
  /** Namespace of objects that specify none. @default the owner's */
  withDefaultNamespace(namespace: string): Apply;
  /** Limits the search for members to this namespace. Throws on apply if the owner is in another one. */
  withListerNamespace(namespace: string): Apply;
  /** Finds and prunes members of these kinds in their caches. */
  withCacheTypes(...controllers: readonly CacheType[]): Apply;
  /** Finds and prunes members of these kinds on the server, besides those in the owner's inventory. */
  withGVK(...kinds: readonly Kind[]): Apply;
  withNoDelete(): Apply;
  withNoDeleteGVK(...kinds: readonly GroupVersionKind[]): Apply;
  /** Looks up kinds without a cache on the server. */
  withDynamicLookup(): Apply;
  /** Throws `ErrNoInformerFound` for kinds without a cache. This is the default. */
  withStrictCaching(): Apply;
  /** Rejects cluster-scoped objects. */
  withRestrictClusterScoped(): Apply;
  /** Rejects objects outside the owner's namespace. */
  withRestrictNamespace(): Apply;
  /**
   * What to do with objects of this kind whose change the server rejects: Wrangler's ErrReplace is "recreate". Throws
   * for a function, which is not supported.
   */
  withReconciler(kind: GroupVersionKind, policy: ImmutablePolicy): Apply;
  /** Same as `withReconciler`. */
  withPatcher(kind: GroupVersionKind, policy: ImmutablePolicy): Apply;
  withInjector(...injectors: readonly Injector[]): Apply;
  /** Excludes fields from the apply; "" matches any namespace or name. Throws for operations other than "remove". */
  withDiffPatch(kind: GroupVersionKind, namespace: string, name: string, operations: readonly JsonPatchOperation[]): Apply;
  /** Client, signal and log of the calling run. @default the cluster's client and log, no signal */
  withContext(context: CallContext): Apply;
  /** Makes the members of the set equal to these objects; without objects, deletes all. */
  applyObjects(...objects: readonly (DeepReadonly<KubeObject> | undefined)[]): Promise<ApplyOutcome>;
  /** Same as `applyObjects`, for a set. Throws the set's error if it has one. */
  apply(set: ObjectSet): Promise<ApplyOutcome>;
  /** Returns what `applyObjects` would do. Writes nothing. */
  dryRun(...objects: readonly (DeepReadonly<KubeObject> | undefined)[]): Promise<Plan>;
  /** Returns the owner of a member from the server. @see ErrOwnerNotFound */
  findOwner(object: DeepReadonly<KubeObject>): Promise<KubeObject>;
  /** Deletes a member whose owner is gone. Returns whether it did. */
  purgeOrphan(object: DeepReadonly<KubeObject>): Promise<boolean>;
}

/** Creates an apply for a cluster. Sends no request yet. */
export function newApply({ cluster, kinds = [], ...base }: NewApplyOptions): Apply {
  return builder({ cluster, base, kinds: new KnownKinds(cluster, kinds), memory: new ApplyMemory() }, noChoices);
}

interface Ground {
  readonly cluster: Cluster;
  readonly base: Omit<NewApplyOptions, "cluster" | "kinds">;
  readonly kinds: KnownKinds;
  readonly memory: ApplyMemory;
}

function builder(ground: Ground, choices: ApplyChoices): Apply {
  const chosen = (more: Partial<ApplyChoices>): Apply => builder(ground, { ...choices, ...more });
  const withPolicy = (kind: GroupVersionKind, policy: ImmutablePolicy): Apply => {
    if (!["recreate", "fail", "leave"].includes(policy))
      throw new TypeError(
        `apply: withReconciler ${kind.kind}: functions are not supported; use "recreate" (Wrangler's ErrReplace), "leave" or "fail", or handle the object with onChange`,
      );
    return chosen({ policies: [...choices.policies, [kind, policy]] });
  };
  const run = (objects: readonly (DeepReadonly<KubeObject> | undefined)[]): Promise<Request> =>
    requestOf(
      ground,
      choices,
      objects.filter((object) => object !== undefined),
    );
  return {
    ownerReference: choices.reference,
    withOwner: (object, kind) => chosen({ owner: { object, ...definedOnly({ kind }) } }),
    withOwnerKey: (key, kind) => chosen({ owner: ownerOfKey(key, kind) }),
    withSetID: (setID, ...supersedes) => chosen({ setID, supersedes }),
    withSetOwnerReference: (controller, block) => chosen({ reference: { controller, block } }),
    withoutOwnerReference: () => chosen({ reference: "none" }),
    withDefaultNamespace: (defaultNamespace) => chosen({ defaultNamespace }),
    withListerNamespace: (listerNamespace) => chosen({ listerNamespace }),
    withCacheTypes: (...controllers) => {
      for (const controller of controllers) index(controller.informer());
      return chosen({ cacheTypes: [...choices.cacheTypes, ...controllers] });
    },
    withGVK: (...kinds) => chosen({ kinds: [...choices.kinds, ...kinds] }),
    withNoDelete: () => chosen({ noDelete: true }),
    withNoDeleteGVK: (...kinds) => chosen({ noDeleteKinds: [...choices.noDeleteKinds, ...kinds] }),
    withDynamicLookup: () => chosen({ strictCaching: false }),
    withStrictCaching: () => chosen({ strictCaching: true }),
    withRestrictClusterScoped: () => chosen({ restrictClusterScoped: true }),
    withRestrictNamespace: () => chosen({ restrictNamespace: true }),
    withReconciler: withPolicy,
    withPatcher: withPolicy,
    withInjector: (...injectors) => chosen({ injectors: [...choices.injectors, ...injectors] }),
    withDiffPatch: (kind, namespace, name, operations) => {
      checkIgnored(operations);
      return chosen({ ignored: [...choices.ignored, { kind, namespace, name, operations }] });
    },
    withContext: (context) => chosen({ context }),
    applyObjects: async (...objects) => {
      const { set, owner, desired, context } = await run(objects);
      return applyObjects(set, owner, desired, context);
    },
    apply: async (objects) => {
      const problem = objects.err();
      if (problem !== undefined) throw problem;
      const { set, owner, desired, context } = await run(objects.all());
      return applyObjects(set, owner, desired, context);
    },
    dryRun: async (...objects) => {
      const { set, owner, desired, context } = await run(objects);
      const plan = await planApply(set, owner, desired, context);
      const those = (...types: readonly PlannedChange["type"][]): readonly PlannedChange[] =>
        plan.changes.filter(({ type }) => types.includes(type));
      return { create: those("created"), update: those("patched", "recreated"), delete: those("deleted"), plan };
    },
    findOwner: (object) => findOwner(object, ground.kinds, callOf(ground, choices)),
    purgeOrphan: (object) => purgeOrphan(object, ground.kinds, callOf(ground, choices)),
  };
}

interface Request {
  readonly set: ApplySet;
  readonly owner: SetOwner;
  readonly desired: readonly DesiredObject[];
  readonly context: ApplyContext;
}

const callOf = (
  {
    cluster: {
      client,
      runtime: { log },
    },
  }: Ground,
  { context }: ApplyChoices,
): CallContext => context ?? { client, log, signal: new AbortController().signal };

async function requestOf(ground: Ground, choices: ApplyChoices, objects: readonly DeepReadonly<KubeObject>[]): Promise<Request> {
  const { inflate, ...base } = ground.base;
  const call = callOf(ground, choices);
  const owner = await ownerOf(ground, choices, call.signal);
  const set = applySetOf(choices, owner, base);
  if (choices.restrictClusterScoped) refuseClusterScoped(set.kinds ?? []);
  const wanted = choices.injectors.reduce((list, inject) => inject(list), objects);
  const desired: DesiredObject[] = [];
  for (const object of wanted) desired.push(desiredObject(choices, owner, await ground.kinds.of(object, call.signal, set.kinds), object));
  const { id, earlierIds } = setIdentity(set, owner);
  const members = cachedMembers({
    cacheTypes: choices.cacheTypes,
    isStrict: choices.strictCaching,
    ids: [id, ...earlierIds],
    wrangler: base.wrangler ?? false,
  });
  const { client, signal, log } = call;
  return {
    set,
    owner,
    desired,
    context: {
      client,
      signal,
      log,
      clock: ground.cluster.runtime.clock,
      memory: ground.memory,
      members: strictFor(choices, members),
      ...definedOnly({ inflate }),
    },
  };
}

/** Kinds given with `withGVK` are looked up on the server, also with strict caching. */
function strictFor({ kinds }: ApplyChoices, members: NonNullable<ApplyContext["members"]>): NonNullable<ApplyContext["members"]> {
  return (kind, owner) => (kinds.includes(kind) ? undefined : members(kind, owner));
}

function refuseClusterScoped(kinds: readonly Kind[]): void {
  const cluster = kinds.find(({ scope }) => scope === "Cluster");
  if (cluster !== undefined)
    throw new TypeError(
      `apply: ${cluster.kind} is cluster-scoped, which is not allowed here; remove it from withCacheTypes and withGVK, set allowClusterScoped, or remove withRestrictClusterScoped`,
    );
}

async function ownerOf(ground: Ground, { owner, setID = "", listerNamespace = "" }: ApplyChoices, signal: AbortSignal): Promise<SetOwner> {
  if (owner === undefined) {
    if (setID === "") throw new TypeError("apply: the set has no owner and no name; call withOwner, withOwnerKey or withSetID");
    return setAlone(setID, listerNamespace);
  }
  return { object: owner.object, kind: owner.kind ?? (await ground.kinds.of(owner.object, signal)) };
}
