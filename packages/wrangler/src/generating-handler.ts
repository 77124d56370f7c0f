/**
 * A handler that says which objects another one needs, and what is to be said of it: Wrangler's `Register<Kind>GeneratingHandler`.
 *
 *     handler(object, status) → { objects, status } → apply → status
 *                             → keep(status)        →         status
 */
import { RetryAfterError } from "@drover/lasso";
import type { HandlerContext, Seen } from "@drover/lasso";
import { objectKeyOf } from "@drover/machinery";
import type { DeepReadonly, Kind, KubeObject, ObjectKey, Scope } from "@drover/machinery";
import type { Apply } from "./apply-builder.ts";
import type { Cond } from "./cond.ts";
import type { ControllerInterface, Until } from "./generic-controller.ts";
import { newRemoveHandler } from "./remove-handler.ts";
import { newStatusHandler } from "./status-handler.ts";
import type { StatusOf, WithStatus } from "./status-handler.ts";

/** Leaves what was generated before as it is. */
export interface Kept<Status> {
  readonly type: "keep";
  readonly status: Status;
}

/** What an object needs: exactly these objects (none deletes them all), or what is there. */
export type Generated<Status> =
  | { readonly objects: readonly (DeepReadonly<KubeObject> | undefined)[]; readonly status: Status }
  | Kept<Status>;

/** Says what an object needs. What it throws leaves everything as it is, `ErrSkip` as well; a `StatusError` has its status written. */
export type GeneratingHandler<T extends WithStatus> = (
  object: DeepReadonly<T>,
  status: DeepReadonly<StatusOf<T>>,
  context: HandlerContext,
) => Generated<DeepReadonly<StatusOf<T>>> | Promise<Generated<DeepReadonly<StatusOf<T>>>>;

export interface GeneratingHandlerOptions {
  /** Whether objects may be in other namespaces than their owner. @default false */
  readonly allowCrossNamespace?: boolean;
  /** Whether objects may be in no namespace. @default false */
  readonly allowClusterScoped?: boolean;
  /**
   * Whether objects have no reference to their owner. @default false: they have one, as of their controller, unless the
   * apply says otherwise
   */
  readonly noOwnerReference?: boolean;
  /** Whether kinds without a cache are asked of the server. @default false: as the apply says */
  readonly dynamicLookup?: boolean;
  /**
   * Whether nothing is applied while the owner's resourceVersion is the one of the last apply that succeeded. Changes
   * to the objects themselves are then not set right. @default false
   */
  readonly uniqueApplyForResourceVersion?: boolean;
  /** The same for the owner's generation, which writing its status does not change. @default false */
  readonly uniqueApplyForGeneration?: boolean;
  /** Tells the sets of one owner apart. Whoever renames it names the old one in `supersedes`. @default the handler's name */
  readonly setID?: string;
  /** Names the set had before: their members are members. @default none */
  readonly supersedes?: readonly string[];
  /** What keeps an owner until its objects are gone, where references cannot see to that. @default "drover.dev/" and the set's id */
  readonly finalizer?: string;
}

/** For a handler that has nothing to change. */
export function keep<Status>(status: Status): Kept<Status> {
  return { type: "keep", status };
}

/**
 * Runs the handler for every object that is there and not going, applies what it gives, and writes the status.
 *
 * Guarantees: objects go with their owner, also when nobody was there to see it go: by references, which the garbage collector follows, or,
 * where these cannot lead (`noOwnerReference`; other namespaces or none for an owner that is in one), by a finalizer that is on the owner
 * before the first of them is made. A failed apply leaves the status as it was, but for the condition.
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
    // Type checks stop at the border of a program written without them, and there an absent list once meant "delete everything".
    if (!Array.isArray(generated?.objects))
      throw new TypeError(
        `generating handler ${name}: it returned no objects; return { objects, status }, or keep(status) to leave everything as it is`,
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

/** Until members that something holds are looked at again. */
const goingMs = 5000;

const isKept = <Status>(generated: Generated<Status>): generated is Kept<Status> =>
  generated !== undefined && "type" in generated && generated.type === "keep";

/** Where the garbage collector does not follow references. */
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

/** For which state of each owner everything was applied. */
class AppliedOnce {
  readonly #stateOf: ((object: DeepReadonly<KubeObject>) => string) | undefined;
  readonly #applied = new Map<string, string>();

  constructor({ uniqueApplyForResourceVersion = false, uniqueApplyForGeneration = false }: GeneratingHandlerOptions) {
    if (uniqueApplyForResourceVersion && uniqueApplyForGeneration)
      throw new TypeError("uniqueApplyForResourceVersion and uniqueApplyForGeneration cannot both hold; leave one out");
    if (uniqueApplyForResourceVersion) this.#stateOf = ({ metadata: { uid, resourceVersion } }) => `${uid} ${resourceVersion}`;
    // Kinds that have no spec have no generation either; for them every version is another state.
    else if (uniqueApplyForGeneration)
      this.#stateOf = ({ metadata: { uid, generation, resourceVersion } }) =>
        `${uid} ${generation === undefined ? `version ${resourceVersion}` : generation}`;
  }

  isDone(object: DeepReadonly<KubeObject>): boolean {
    return this.#stateOf !== undefined && this.#applied.get(objectKeyOf(object)) === this.#stateOf(object);
  }

  note(object: DeepReadonly<KubeObject>): void {
    if (this.#stateOf !== undefined) this.#applied.set(objectKeyOf(object), this.#stateOf(object));
  }

  forget(key: ObjectKey): void {
    this.#applied.delete(key);
  }
}
