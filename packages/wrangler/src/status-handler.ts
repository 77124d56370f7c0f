/**
 * Registers a handler that computes the status of an object, and one condition that reports its success: Wrangler's
 * `Register<Kind>StatusHandler`.
 *
 *     handler(object, status) → status → equal? nothing : PUT …/status
 */
import type { HandlerContext, Seen, SharedControllerHandler } from "@drover/lasso";
import { findCause, isConflict, printGroupVersionKind, semanticEqual } from "@drover/machinery";
import type { DeepReadonly, Kind, KubeObject, Scope } from "@drover/machinery";
import type { Cond } from "./cond.ts";
import type { ControllerInterface, Until } from "./generic-controller.ts";
import { isStatusError } from "./status-error.ts";
import type { StatusError } from "./status-error.ts";

/** An object whose kind has a status. */
export type WithStatus = KubeObject & { status?: object };

/** The status of a kind. */
export type StatusOf<T extends WithStatus> = NonNullable<T["status"]>;

/** Returns the status of an object. Throw a `StatusError` to write a status despite a failure. */
export type StatusHandler<T extends WithStatus> = (
  object: DeepReadonly<T>,
  status: DeepReadonly<StatusOf<T>>,
  context: HandlerContext,
) => DeepReadonly<StatusOf<T>> | Promise<DeepReadonly<StatusOf<T>>>;

/**
 * Runs the handler for every existing object, including those being deleted, and writes the status if it changed.
 *
 * The condition, if given, is "True" if the handler succeeded or threw `ErrSkip`, and "False" with the error's message
 * if it failed; a conflict leaves it unchanged, since it says nothing about the object. Throws `TypeError` if the kind
 * has no status.
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

/** Creates the handler that `registerStatusHandler` registers. */
export function newStatusHandler<T extends WithStatus>(
  kind: Kind<T>,
  condition: Cond | undefined,
  handler: StatusHandler<T>,
): SharedControllerHandler<T> {
  if (!Object.hasOwn(kind.subresources, "status"))
    throw new TypeError(`${printGroupVersionKind(kind)} has no status subresource; add it to the definition, or use onChange`);
  return async (_key, object, context) => {
    if (object === undefined) return undefined;
    const before = (object.status ?? {}) as DeepReadonly<StatusOf<T>>;
    const { status, failure } = await outcomeOf(() => handler(object, before, context), before);
    // An aborted run cannot write, and its end says nothing about the object.
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
    const stated = findCause(error, (sought): sought is StatusError<Status> => isStatusError(sought));
    return stated === undefined ? { status: before, failure: { error } } : { status: stated.status, failure: { error: stated.cause } };
  }
}

/** The object's metadata provides the observed generation. */
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
      // The first error determines the retry; this one is only logged.
      log.warn("cannot write the status after a failed run", { error });
    }
  }
  if (failure !== undefined) throw failure.error;
  return written;
}
