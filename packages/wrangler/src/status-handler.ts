/**
 * A handler that works out the status of an object, and one condition that says whether it could: Wrangler's `Register<Kind>StatusHandler`.
 *
 *     handler(object, status) → status → equal? nothing : PUT …/status
 */
import type { HandlerContext, Seen, SharedControllerHandler } from "@drover/lasso";
import { findCause, isConflict, printGroupVersionKind, semanticEqual } from "@drover/machinery";
import type { DeepReadonly, Kind, KubeObject, Scope } from "@drover/machinery";
import type { Cond } from "./cond.ts";
import type { ControllerInterface, Until } from "./generic-controller.ts";
import { StatusError } from "./status-error.ts";

/** An object whose kind has a status. */
export type WithStatus = KubeObject & { status?: object };

/** The status of a kind. */
export type StatusOf<T extends WithStatus> = NonNullable<T["status"]>;

/** Gives the status that an object should have. Throws a `StatusError` to have one written although something failed. */
export type StatusHandler<T extends WithStatus> = (
  object: DeepReadonly<T>,
  status: DeepReadonly<StatusOf<T>>,
  context: HandlerContext,
) => DeepReadonly<StatusOf<T>> | Promise<DeepReadonly<StatusOf<T>>>;

/**
 * Runs the handler for every object that is there, those that are going included, and writes what it gives if it says something new.
 *
 * The condition, if there is one, is "True" when the handler succeeded or threw `ErrSkip`, and "False" with the error's message when it
 * failed; a conflict leaves it as it was, since it says nothing about the object. Throws a TypeError when the kind has no status.
 */
export function registerStatusHandler<T extends WithStatus, S extends Scope>(
  until: Until,
  controller: ControllerInterface<T, S>,
  condition: Cond | undefined,
  name: string,
  handler: StatusHandler<T>,
): void {
  controller.onChange(until, name, newStatusHandler(controller.kind, condition, handler));
}

/** The handler of the chain that `registerStatusHandler` registers. */
export function newStatusHandler<T extends WithStatus>(
  kind: Kind<T>,
  condition: Cond | undefined,
  handler: StatusHandler<T>,
): SharedControllerHandler<T> {
  if (!Object.hasOwn(kind.subresources, "status"))
    throw new TypeError(
      `${printGroupVersionKind(kind)} has no status of its own to be written; give its definition the subresource status, or use onChange`,
    );
  return async (_key, object, context) => {
    if (object === undefined) return undefined;
    const before = (object.status ?? {}) as DeepReadonly<StatusOf<T>>;
    const { status, failure } = await outcomeOf(() => handler(object, before, context), before);
    // A run that is over can write nothing, and why it ended says nothing about the object.
    context.signal.throwIfAborted();
    const next =
      condition === undefined || isConflict(failure?.error) ? status : conditionIn(object, status, condition, failure?.error, context);
    return write(kind, object, before, next, failure, context);
  };
}

interface Failure {
  readonly error: unknown;
}

async function outcomeOf<Status extends object>(
  run: () => Status | Promise<Status>,
  before: Status,
): Promise<{ readonly status: Status; readonly failure?: Failure }> {
  try {
    return { status: await run() };
  } catch (error) {
    const stated = findCause(error, (sought): sought is StatusError<Status> => sought instanceof StatusError);
    return stated === undefined ? { status: before, failure: { error } } : { status: stated.status, failure: { error: stated.cause } };
  }
}

/** With the object at hand the condition knows of which generation it speaks. */
function conditionIn<T extends WithStatus>(
  object: DeepReadonly<T>,
  status: DeepReadonly<StatusOf<T>>,
  condition: Cond,
  error: unknown,
  { client }: HandlerContext,
): DeepReadonly<StatusOf<T>> {
  return condition.setError({ metadata: object.metadata, status }, "", error, client.clock).status;
}

async function write<T extends WithStatus>(
  kind: Kind<T>,
  object: DeepReadonly<T>,
  before: DeepReadonly<StatusOf<T>>,
  status: DeepReadonly<StatusOf<T>>,
  failure: Failure | undefined,
  { client, log }: HandlerContext,
): Promise<Seen<T>> {
  let written: Seen<T> = object;
  if (!semanticEqual(before, status)) {
    const { namespace = "" } = object.metadata;
    try {
      const resource = client.resource(kind as Kind<T, "Namespaced", "status">);
      written = (await resource.status.update({ ...object, status }, namespace === "" ? {} : { namespace })) as DeepReadonly<T>;
    } catch (error) {
      if (failure === undefined) throw error;
      // The first error decides what becomes of the key; this one is not to get lost.
      log.warn("the status could not be written either", { error });
    }
  }
  if (failure !== undefined) throw failure.error;
  return written;
}
