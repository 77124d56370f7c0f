/**
 * Runs a cleanup before an object is deleted: Wrangler's OnRemove, on Drover's finalizers.
 *
 *     newRemoveHandler(name, kind, handler) → a handler of the chain: add finalizer → cleanup → remove finalizer
 */
import { done } from "@drover/controller";
import { isIgnored, RetryAfterError } from "@drover/lasso";
import type { HandlerContext, Seen, SharedControllerHandler } from "@drover/lasso";
import { validateFinalizerName } from "@drover/machinery";
import type { DeepReadonly, Kind, KubeObject, ObjectKey } from "@drover/machinery";
import { finalize } from "@drover/patterns";
import type { FinalizerOptions } from "@drover/patterns";

/**
 * Cleans up an object that is being deleted. May run more than once. A throw, including `ErrSkip`, keeps the finalizer,
 * and the key is requeued.
 */
export type RemoveHandler<T extends KubeObject> = (key: ObjectKey, object: DeepReadonly<T>, context: HandlerContext) => unknown;

/** Options of `onRemove`. */
export interface OnRemoveOptions<T extends KubeObject> extends Pick<FinalizerOptions<T>, "when" | "supersedes"> {
  /** After a rename, list the old one in `supersedes`. @default "wrangler.cattle.io/" and the handler's name */
  readonly finalizer?: string;
  /** Milliseconds until a cleanup that threw `ErrSkip` runs again. @default 15000 */
  readonly skipRetryMs?: number;
}

/**
 * Creates a handler that runs the cleanup. Guarantees: only objects selected by `when` get the finalizer; it is written
 * alone, and only to the observed version. Throws `TypeError` for an invalid finalizer name.
 */
export function newRemoveHandler<T extends KubeObject>(
  name: string,
  kind: Kind<T>,
  handler: RemoveHandler<T>,
  options: OnRemoveOptions<T> = {},
): SharedControllerHandler<T> {
  const { finalizer = `wrangler.cattle.io/${name}`, skipRetryMs = 15_000, ...rest } = options;
  for (const tried of [finalizer, ...(rest.supersedes ?? [])]) {
    const [problem] = validateFinalizerName(tried, "finalizer");
    if (problem !== undefined)
      throw new TypeError(
        `onRemove ${name}: ${JSON.stringify(tried)} is not a valid finalizer: ${problem.detail}; set the option finalizer`,
      );
  }
  return async (key, object, context) => {
    if (object === undefined) return undefined;
    const finalized = await finalize(object, context, {
      ...rest,
      kind,
      finalizer,
      cleanup: async (going) => {
        try {
          await handler(key, going, context);
        } catch (error) {
          if (isIgnored(error)) throw new RetryAfterError(skipRetryMs);
          throw error;
        }
        return done;
      },
    });
    if (finalized.type === "reconcile") return finalized.object;
    const { result } = finalized;
    if (result.type === "retry") throw result.error;
    return withoutThem(object, [finalizer, ...(rest.supersedes ?? [])]);
  };
}

/** The object for the next handler; the chain detects by it that the object is gone before the cache does. */
function withoutThem<T extends KubeObject>(object: DeepReadonly<T>, names: readonly string[]): Seen<T> {
  return {
    ...object,
    metadata: { ...object.metadata, finalizers: (object.metadata.finalizers ?? []).filter((name) => !names.includes(name)) },
  };
}
