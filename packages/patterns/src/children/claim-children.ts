/**
 * Adopts and releases the children of an owner in one call from a reconcile, as ControllerRefManager of
 * kube-controller-manager does.
 *
 *     ownedChildren(…, { orphans: true }) → claimChildren → adopt and release by patch → the children that are ours
 */
import type { AnyPatch, Client, Patch } from "@drover/client";
import { definedOnly, errorText, isInvalid, isNotFound, isUnsupportedMediaType } from "@drover/machinery";
import type { DeepReadonly, Kind, KubeObject, Selector } from "@drover/machinery";
import { ClaimError } from "./claim-error.ts";
import { decideClaim } from "./claim.ts";
import type { ClaimDecision } from "./claim.ts";
import { adoptionPatch, releasePatch } from "./reference-patch.ts";
import type { ReferencePatch } from "./reference-patch.ts";

/** Options of a claim. */
export interface ControllerRefManagerOptions<Child extends KubeObject> {
  /** The owner as cached. */
  readonly owner: DeepReadonly<KubeObject>;
  readonly ownerKind: Kind;
  readonly childKind: Kind<Child>;
  /** Selects children by label. */
  readonly selector: Selector;
  readonly client: Client;
  /** Additional condition, checked after the selector: a StatefulSet recognises its pods by name. @default none */
  readonly filter?: (child: DeepReadonly<NoInfer<Child>>) => boolean;
  /**
   * Reads the owner from the server, not from a cache; called once, before the first adoption. Pass a memoized function
   * if you claim several kinds in one run. @default a get through the client
   */
  readonly canAdopt?: () => Promise<DeepReadonly<KubeObject>>;
  /** Finalizers that adoption adds and release removes. @default none */
  readonly finalizers?: readonly string[];
  /** Aborts the claim; children patched by then stay patched. @default no abort */
  readonly signal?: AbortSignal;
}

/**
 * Decides about every child (see `claim`), adopts and releases, and returns the children that are ours in the given
 * order: adopted ones as the server returned them, the others as given.
 *
 * Guarantees: adopts only if the owner was just read from the server, has the same uid and is not being deleted. A
 * failure does not stop the other children; a `ClaimError` at the end lists all failures and the claimed children. A
 * child that is gone or was replaced is not a failure. Rejects with the signal's reason when aborted.
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
      // Most children are ours already; awaiting each would cost a thousand microtasks for nothing.
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
    throw new Error(`can't adopt ${describe(options.childKind, child)}: ${errorText(error)}`, {
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

/** The server answers Invalid if the uid differs: our child is gone, and its replacement never was ours. */
async function release<Child extends KubeObject>(child: DeepReadonly<Child>, options: ControllerRefManagerOptions<Child>): Promise<void> {
  const { owner, ownerKind, finalizers = [] } = options;
  try {
    await send(child, releasePatch(child, { owner, ownerKind, finalizers }), options);
  } catch (error) {
    if (!isNotFound(error) && !isInvalid(error)) throw error;
  }
}

/**
 * Sends a strategic patch, or a merge patch if the server does not support strategic patches for the kind: custom and
 * some aggregated resources.
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
      ...definedOnly({ signal }),
    })) as DeepReadonly<Child>;
  try {
    return await patch({ type: "strategic", body: strategic });
  } catch (error) {
    if (!isUnsupportedMediaType(error)) throw error;
    return await patch({ type: "merge", body: merge });
  }
}

/** The cached owner may have been deleted or replaced by another object of the same name; then its orphans are not ours. */
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
        ...definedOnly({ signal }),
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
