/**
 * Registers a handler that returns the objects an owner needs, and its status: Wrangler's
 * `Register<Kind>GeneratingHandler`.
 *
 *     handler(object, status) → { objects, status } → apply → status
 *                             → keep(status)        →         status
 */
import { RetryAfterError } from "@drover/lasso";
import type { HandlerContext, Seen } from "@drover/lasso";
import { jsonEqual, objectKeyOf } from "@drover/machinery";
import type { DeepReadonly, Kind, KubeObject, ObjectKey, Scope } from "@drover/machinery";
import type { Apply } from "./apply-builder.ts";
import type { Cond } from "./cond.ts";
import type { ControllerInterface, Until } from "./generic-controller.ts";
import { newRemoveHandler } from "./remove-handler.ts";
import { newStatusHandler } from "./status-handler.ts";
import type { StatusOf, WithStatus } from "./status-handler.ts";

/** Keeps the objects that were generated before. */
export interface Kept<Status> {
  readonly type: "keep";
  readonly status: Status;
}

/** The result of a handler: exactly these objects (an empty list deletes all), or keep the existing ones. */
export type Generated<Status> =
  | { readonly objects: readonly (DeepReadonly<KubeObject> | undefined)[]; readonly status: Status }
  | Kept<Status>;

/**
 * Returns the objects that an owner needs. A throw, including `ErrSkip`, keeps everything; the status of a
 * `StatusError` is written.
 */
export type GeneratingHandler<T extends WithStatus> = (
  object: DeepReadonly<T>,
  status: DeepReadonly<StatusOf<T>>,
  context: HandlerContext,
) => Generated<DeepReadonly<StatusOf<T>>> | Promise<Generated<DeepReadonly<StatusOf<T>>>>;

/** Options of `registerGeneratingHandler`. */
export interface GeneratingHandlerOptions {
  /** Whether objects may be in other namespaces than their owner. @default false */
  readonly allowCrossNamespace?: boolean;
  /** Whether objects may be cluster-scoped. @default false */
  readonly allowClusterScoped?: boolean;
  /** Whether to omit owner references. @default false: adds a controller reference, unless the apply says otherwise */
  readonly noOwnerReference?: boolean;
  /** Whether to look up kinds without a cache on the server. @default false: as configured in the apply */
  readonly dynamicLookup?: boolean;
  /**
   * Whether to skip the apply while the owner's resourceVersion equals that of the last successful apply. Changes of
   * the objects by others are then not reverted. @default false
   */
  readonly uniqueApplyForResourceVersion?: boolean;
  /** Same for the owner's generation, which does not change with its status. @default false */
  readonly uniqueApplyForGeneration?: boolean;
  /** Distinguishes several sets of one owner. After a rename, list the old one in `supersedes`. @default the handler's name */
  readonly setID?: string;
  /** Former names of the set, whose members are members. @default none */
  readonly supersedes?: readonly string[];
  /**
   * Finalizer that keeps an owner until its objects are gone, where owner references do not suffice. @default
   * "drover.dev/" and the set's id
   */
  readonly finalizer?: string;
}

/** Returns a result that keeps the existing objects. */
export function keep<Status>(status: Status): Kept<Status> {
  return { type: "keep", status };
}

/**
 * Runs the handler for every existing object that is not being deleted, applies the returned objects, and writes the
 * status.
 *
 * Guarantees: generated objects are deleted with their owner, also if its deletion was missed: by owner references, or
 * where these are not possible (`noOwnerReference`; other namespaces or cluster-scoped objects for a namespaced owner)
 * by a finalizer that is set before the first object is created. A failed apply changes nothing in the status except
 * the condition.
 */
export function registerGeneratingHandler<T extends WithStatus, S extends Scope>(
  until: Until,
  controller: ControllerInterface<T, S>,
  apply: Apply,
  condition: Cond | undefined,
  name: string,
  handler: GeneratingHandler<T>,
  options: GeneratingHandlerOptions = {},
): void {
  const { kind } = controller;
  const { setID = name, supersedes = [], finalizer = `drover.dev/${setID}` } = options;
  const once = new AppliedOnce(options);
  const noReference = options.noOwnerReference === true || apply.ownerReference === "none";
  const configured = configureApply(apply, kind, { ...options, noOwnerReference: noReference }).withSetID(setID, ...supersedes);
  const applyFor = async (
    object: DeepReadonly<T>,
    objects: readonly (DeepReadonly<KubeObject> | undefined)[],
    context: HandlerContext,
  ): Promise<boolean> =>
    (
      await configured
        .withOwner(object, kind)
        .withContext(context)
        .applyObjects(...objects)
    ).isSettled;

  const generate = newStatusHandler<T>(kind, condition, async (object, status, context) => {
    const generated = await handler(object, status, context);
    if (isKept(generated)) return generated.status;
    // In untyped programs a missing list would mean "delete everything".
    if (!Array.isArray(generated?.objects))
      throw new TypeError(
        `generating handler ${name}: it returned no objects; return { objects, status }, or keep(status) to keep the existing objects`,
      );
    if (!once.isDone(object) && (await applyFor(object, generated.objects, context))) once.note(object);
    return generated.status;
  });
  const removal = needsFinalizer(kind, { ...options, noOwnerReference: noReference })
    ? newRemoveHandler<T>(
        name,
        kind,
        async (_key, object, context) => {
          if (!(await applyFor(object, [], context))) throw new RetryAfterError(goingMs);
        },
        { finalizer },
      )
    : undefined;

  controller.onChange(until, name, async (key: ObjectKey, object: Seen<T>, context: HandlerContext) => {
    if (object === undefined || object.metadata.deletionTimestamp !== undefined) once.forget(key);
    if (object === undefined) return undefined;
    const ready = removal === undefined ? object : await removal(key, object, context);
    if (object.metadata.deletionTimestamp !== undefined || !ready) return ready;
    return generate(key, ready, context);
  });
}

/** Milliseconds until a retry while finalizers hold members. */
const goingMs = 5000;

const isKept = <Status>(generated: Generated<Status>): generated is Kept<Status> =>
  generated !== undefined && "type" in generated && generated.type === "keep";

/** Reports whether the garbage collector would not follow owner references. */
function needsFinalizer(
  { scope }: Kind,
  { noOwnerReference = false, allowCrossNamespace = false, allowClusterScoped = false }: GeneratingHandlerOptions,
): boolean {
  return noOwnerReference || (scope === "Namespaced" && (allowCrossNamespace || allowClusterScoped));
}

function configureApply(
  apply: Apply,
  { scope }: Kind,
  { allowCrossNamespace = false, allowClusterScoped = false, noOwnerReference = false, dynamicLookup = false }: GeneratingHandlerOptions,
): Apply {
  const looked = dynamicLookup ? apply.withDynamicLookup() : apply;
  const referring = looked.ownerReference === undefined ? looked.withSetOwnerReference(true, true) : looked;
  const owned = noOwnerReference ? looked.withoutOwnerReference() : referring;
  const placed = allowClusterScoped ? owned : owned.withRestrictClusterScoped();
  return allowCrossNamespace || scope === "Cluster" ? placed : placed.withRestrictNamespace();
}

/**
 * Remembers for which state of each owner everything was applied. Compares content as well: a server restored from a backup counts the same
 * versions and generations again.
 */
class AppliedOnce {
  readonly #isSame: ((before: Owner, now: Owner) => boolean) | undefined;
  readonly #applied = new Map<string, Owner>();

  constructor({ uniqueApplyForResourceVersion = false, uniqueApplyForGeneration = false }: GeneratingHandlerOptions) {
    if (uniqueApplyForResourceVersion && uniqueApplyForGeneration)
      throw new TypeError("uniqueApplyForResourceVersion and uniqueApplyForGeneration exclude each other; remove one");
    if (uniqueApplyForResourceVersion) this.#isSame = isSameVersion;
    // Kinds without a spec have no generation; for them every version is another state.
    else if (uniqueApplyForGeneration)
      this.#isSame = (before, now) => (now.metadata.generation === undefined ? isSameVersion(before, now) : isSameGeneration(before, now));
  }

  isDone(object: Owner): boolean {
    const before = this.#applied.get(objectKeyOf(object));
    return before !== undefined && this.#isSame?.(before, object) === true;
  }

  note(object: Owner): void {
    if (this.#isSame !== undefined) this.#applied.set(objectKeyOf(object), object);
  }

  forget(key: ObjectKey): void {
    this.#applied.delete(key);
  }
}

type Owner = DeepReadonly<KubeObject>;

const isSameVersion = (before: Owner, now: Owner): boolean =>
  before === now || (before.metadata.resourceVersion === now.metadata.resourceVersion && jsonEqual(before, now));

const isSameGeneration = (before: Owner, now: Owner): boolean =>
  before.metadata.uid === now.metadata.uid &&
  before.metadata.generation === now.metadata.generation &&
  jsonEqual(withoutStatus(before), withoutStatus(now));

function withoutStatus(object: Owner): unknown {
  const { status: _status, metadata: _metadata, ...rest } = object as Owner & { readonly status?: unknown };
  return rest;
}
