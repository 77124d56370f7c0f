/**
 * Makes the objects that belong to an owner its own: ControllerRefManager of kube-controller-manager, as one call of a reconcile.
 *
 *     ownedChildren(…, { orphans: true }) → claimChildren → adopt and release by patch → the children that are ours
 */
import type { AnyPatch, Client, Patch } from "@drover/client";
import { isInvalid, isNotFound, isUnsupportedMediaType } from "@drover/machinery";
import type { DeepReadonly, Kind, KubeObject, Selector } from "@drover/machinery";
import { ClaimError } from "./claim-error.ts";
import { decideClaim } from "./claim.ts";
import type { ClaimDecision } from "./claim.ts";
import { adoptionPatch, releasePatch } from "./reference-patch.ts";
import type { ReferencePatch } from "./reference-patch.ts";

/** Who claims what. */
export interface ControllerRefManagerOptions<Child extends KubeObject> {
  /** The owner as the cache has it. */
  readonly owner: DeepReadonly<KubeObject>;
  readonly ownerKind: Kind;
  readonly childKind: Kind<Child>;
  /** Which labels a child has. */
  readonly selector: Selector;
  readonly client: Client;
  /** What else a child must be, asked after the selector: the pods of a StatefulSet are told by their names. @default nothing */
  readonly filter?: (child: DeepReadonly<NoInfer<Child>>) => boolean;
  /**
   * Reads the owner anew, from the server and not from a cache; asked before the first adoption and not again. Whoever
   * claims several kinds in
   * one run may hand in one that remembers. @default a get through the client
   */
  readonly canAdopt?: () => Promise<DeepReadonly<KubeObject>>;
  /** Finalizers a child is given when it is adopted, and loses when it is released. @default none */
  readonly finalizers?: readonly string[];
  /** Ends the claim where it is; what was patched by then stays so. @default never */
  readonly signal?: AbortSignal;
}

/**
 * Decides about every child (see `claim`), adopts and releases, and gives those that are ours: adopted ones as the
 * server answered, the others
 * as they came, in the order they came.
 *
 * Guarantees: nothing is adopted unless the owner was just read from the server, is still the same one and is not being
 * deleted; one object's
 * failure does not keep the others from being claimed, and is told at the end in a `ClaimError` that has what was
 * claimed; an object that is gone, or is
 * another one by now, is nobody's failure. An abort rejects with the signal's reason.
 */
export async function claimChildren<Child extends KubeObject>(
  children: readonly DeepReadonly<NoInfer<Child>>[],
  options: ControllerRefManagerOptions<Child>,
): Promise<readonly DeepReadonly<Child>[]> {
  const { owner, selector, filter = () => true, signal } = options;
  const matches = (child: DeepReadonly<Child>): boolean => selector.matches(child.metadata.labels) && filter(child);
  const mayAdopt = once(() => checkOwner(options));
  const claimed: DeepReadonly<Child>[] = [];
  const failures: unknown[] = [];
  for (const child of children) {
    try {
      const decision = decideClaim(owner, child, matches);
      // Nearly all are ours already, and a thousand turns of the queue would be spent on nothing.
      const ours = decision === "keep" ? child : await claimOne(child, decision, mayAdopt, options);
      if (ours !== undefined) claimed.push(ours);
    } catch (error) {
      signal?.throwIfAborted();
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new ClaimError(failures, claimed);
  return claimed;
}

async function claimOne<Child extends KubeObject>(
  child: DeepReadonly<Child>,
  decision: Exclude<ClaimDecision, "keep">,
  mayAdopt: () => Promise<void>,
  options: ControllerRefManagerOptions<Child>,
): Promise<DeepReadonly<Child> | undefined> {
  if (decision === "adopt") return await adopt(child, mayAdopt, options);
  if (decision === "release") await release(child, options);
  return undefined;
}

async function adopt<Child extends KubeObject>(
  child: DeepReadonly<Child>,
  mayAdopt: () => Promise<void>,
  options: ControllerRefManagerOptions<Child>,
): Promise<DeepReadonly<Child> | undefined> {
  try {
    await mayAdopt();
  } catch (error) {
    options.signal?.throwIfAborted();
    throw new Error(`can't adopt ${describe(options.childKind, child)}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
  const { owner, ownerKind, finalizers = [] } = options;
  try {
    return await send(child, adoptionPatch(child, { owner, ownerKind, finalizers }), options);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Invalid is the answer when the uid is another one's: the object we knew is gone, and this one never was ours. */
async function release<Child extends KubeObject>(child: DeepReadonly<Child>, options: ControllerRefManagerOptions<Child>): Promise<void> {
  const { owner, ownerKind, finalizers = [] } = options;
  try {
    await send(child, releasePatch(child, { owner, ownerKind, finalizers }), options);
  } catch (error) {
    if (!isNotFound(error) && !isInvalid(error)) throw error;
  }
}

/**
 * As a strategic patch, and as a merge patch where the server says it knows none for this kind: custom resources are
 * so, and some aggregated ones.
 */
async function send<Child extends KubeObject>(
  child: DeepReadonly<Child>,
  { strategic, merge }: ReferencePatch,
  { client, childKind, signal }: ControllerRefManagerOptions<Child>,
): Promise<DeepReadonly<Child>> {
  const { name = "", namespace = "" } = child.metadata;
  const patch = async (body: AnyPatch): Promise<DeepReadonly<Child>> =>
    (await client.patch(childKind as Kind<Child, "Namespaced">, name, body as Patch<Child>, {
      ...(namespace === "" ? {} : { namespace }),
      ...(signal === undefined ? {} : { signal }),
    })) as DeepReadonly<Child>;
  try {
    return await patch({ type: "strategic", body: strategic });
  } catch (error) {
    if (!isUnsupportedMediaType(error)) throw error;
    return await patch({ type: "merge", body: merge });
  }
}

/**
 * The cache may show an owner that is deleted by now, or that another one of the same name has replaced: its orphans
 * are not for us to take.
 */
async function checkOwner<Child extends KubeObject>({
  owner,
  ownerKind,
  client,
  canAdopt,
  signal,
}: ControllerRefManagerOptions<Child>): Promise<void> {
  const { name = "", namespace = "", uid = "" } = owner.metadata;
  const readOwner =
    canAdopt ??
    ((): Promise<DeepReadonly<KubeObject>> =>
      client.get(ownerKind as Kind<KubeObject, "Namespaced">, name, {
        ...(namespace === "" ? {} : { namespace }),
        ...(signal === undefined ? {} : { signal }),
      }));
  const { metadata: fresh } = await readOwner();
  if (fresh.uid !== uid) throw new Error(`original ${ownerKind.kind} ${namespace}/${name} is gone: got uid ${fresh.uid}, wanted ${uid}`);
  if (fresh.deletionTimestamp !== undefined) throw new Error(`${namespace}/${name} has just been deleted at ${fresh.deletionTimestamp}`);
}

function describe({ kind }: Kind, { metadata: { namespace = "", name = "", uid = "" } }: DeepReadonly<KubeObject>): string {
  return `${kind} ${namespace}/${name} (${uid})`;
}

function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined;
  return () => (asked ??= ask());
}
