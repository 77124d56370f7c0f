/**
 * Wrangler's apply, in its words, over the apply sets of the house.
 *
 *     const apply = newApply({ cluster }).withCacheTypes(jobs).withSetOwnerReference(true, false);
 *     await apply.withContext(context).withOwner(gitJob).withSetID("sync-repo").applyObjects(job);
 *
 * Members are found by the labels of the house, changed by server-side apply, and never taken from somebody else. What of Wrangler's words
 * cannot be kept throws, and says what to use instead.
 */
import type { Cluster } from "@drover/cache";
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

export interface NewApplyOptions extends Pick<ApplySet, "adopt" | "wrangler" | "fieldManager">, Pick<ApplyContext, "inflate"> {
  readonly cluster: Cluster;
  /** Kinds of your own that objects may be of; the built-in ones are known. @default what is not known is asked of the server */
  readonly kinds?: readonly Kind[];
}

/** What would be done. */
export interface Plan {
  readonly create: readonly PlannedChange[];
  readonly update: readonly PlannedChange[];
  readonly delete: readonly PlannedChange[];
  /** All of it, in order, with what would fail; `printPlan` prints it. */
  readonly plan: ApplyPlan;
}

/** Immutable: every `with…` gives another one, and shares nothing with it that can change. */
export interface Apply {
  /** What was said of references so far. @default undefined: nothing, and there are none */
  readonly ownerReference: ReferenceChoice | undefined;
  /** Whom the objects are for. @param kind what the object is; needed when it does not say */
  withOwner(object: DeepReadonly<KubeObject>, kind?: Kind): Apply;
  /** The same for an owner that need not exist: its kinds are written down nowhere, so name them with `withGVK`. */
  withOwnerKey(key: string, kind: GroupVersionKind): Apply;
  /** Tells the sets of one owner apart; a DNS label. @param supersedes names it had before, whose members are members */
  withSetID(id: string, ...supersedes: readonly string[]): Apply;
  /**
   * Members refer to their owner where the garbage collector follows. @param controller whether it manages them @param
   * block whether its deletion may wait for theirs
   */
  withSetOwnerReference(controller: boolean, block: boolean): Apply;
  /** Members have the label alone, and the garbage collector leaves them. */
  withoutOwnerReference(): Apply;
  /** For objects that name no namespace. @default the owner's */
  withDefaultNamespace(namespace: string): Apply;
  /** Members are looked for here alone. Throws when applied for an owner that is elsewhere. */
  withListerNamespace(namespace: string): Apply;
  /** Members of these kinds are looked for in their caches, and pruned. */
  withCacheTypes(...controllers: readonly CacheType[]): Apply;
  /** Members of these kinds are looked for at the server, and pruned, besides those that the owner's inventory names. */
  withGVK(...kinds: readonly Kind[]): Apply;
  withNoDelete(): Apply;
  withNoDeleteGVK(...kinds: readonly GroupVersionKind[]): Apply;
  /** Kinds without a cache are asked of the server. */
  withDynamicLookup(): Apply;
  /** Kinds without a cache are an `ErrNoInformerFound`. This is how it begins. */
  withStrictCaching(): Apply;
  /** Objects that are in no namespace are refused. */
  withRestrictClusterScoped(): Apply;
  /** Objects outside of the owner's namespace are refused. */
  withRestrictNamespace(): Apply;
  /**
   * What becomes of an object of this kind that the server will not change: Wrangler's ErrReplace is "recreate". Throws
   * for a function, which could not be kept.
   */
  withReconciler(kind: GroupVersionKind, policy: ImmutablePolicy): Apply;
  /** The same. */
  withPatcher(kind: GroupVersionKind, policy: ImmutablePolicy): Apply;
  withInjector(...injectors: readonly Injector[]): Apply;
  /** Fields that are left to others; "" for a namespace or a name is any. Throws for operations other than "remove". */
  withDiffPatch(kind: GroupVersionKind, namespace: string, name: string, operations: readonly JsonPatchOperation[]): Apply;
  /** Client, signal and log of the run it is called from. @default the cluster's, and no signal */
  withContext(context: CallContext): Apply;
  /** Makes the cluster have these objects and no others of the set; without any, none. */
  applyObjects(...objects: readonly (DeepReadonly<KubeObject> | undefined)[]): Promise<ApplyOutcome>;
  /** The same for a set. Throws what the set says is wrong with it. */
  apply(set: ObjectSet): Promise<ApplyOutcome>;
  /** What `applyObjects` would do. Nothing is written. */
  dryRun(...objects: readonly (DeepReadonly<KubeObject> | undefined)[]): Promise<Plan>;
  /** The owner of a member, as the server has it. @see ErrOwnerNotFound */
  findOwner(object: DeepReadonly<KubeObject>): Promise<KubeObject>;
  /** Deletes a member whose owner is gone. Gives whether it did. */
  purgeOrphan(object: DeepReadonly<KubeObject>): Promise<boolean>;
}

/** Applies to a cluster; nothing is asked of it yet. */
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
        `apply: withReconciler ${kind.kind}: a function cannot be kept; say "recreate" (Wrangler's ErrReplace), "leave" or "fail", or handle that object with onChange`,
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
    withOwner: (object, kind) => chosen({ owner: { object, ...(kind === undefined ? {} : { kind }) } }),
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
      ...(inflate === undefined ? {} : { inflate }),
    },
  };
}

/** Kinds that were named for the server to be asked are not an error where caches are. */
function strictFor({ kinds }: ApplyChoices, members: NonNullable<ApplyContext["members"]>): NonNullable<ApplyContext["members"]> {
  return (kind, owner) => (kinds.includes(kind) ? undefined : members(kind, owner));
}

function refuseClusterScoped(kinds: readonly Kind[]): void {
  const cluster = kinds.find(({ scope }) => scope === "Cluster");
  if (cluster !== undefined)
    throw new TypeError(
      `apply: ${cluster.kind} is in no namespace, and that is not allowed here; leave it out of withCacheTypes and withGVK, say allowClusterScoped, or leave withRestrictClusterScoped out`,
    );
}

async function ownerOf(ground: Ground, { owner, setID = "", listerNamespace = "" }: ApplyChoices, signal: AbortSignal): Promise<SetOwner> {
  if (owner === undefined) {
    if (setID === "") throw new TypeError("apply: whose objects are these? Say withOwner, withOwnerKey or withSetID");
    return setAlone(setID, listerNamespace);
  }
  return { object: owner.object, kind: owner.kind ?? (await ground.kinds.of(owner.object, signal)) };
}
