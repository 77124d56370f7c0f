/**
 * What is to be done before an object goes: Wrangler's OnRemove, on the finalizers of the house.
 *
 *     newRemoveHandler(name, kind, handler) → a handler of the chain: finalizer on → cleanup → finalizer off
 */
import { done } from "@drover/controller";
import { isIgnored, RetryAfterError } from "@drover/lasso";
import type { HandlerContext, Seen, SharedControllerHandler } from "@drover/lasso";
import { validateFinalizerName } from "@drover/machinery";
import type { DeepReadonly, Kind, KubeObject, ObjectKey } from "@drover/machinery";
import { finalize } from "@drover/patterns";
import type { FinalizerOptions } from "@drover/patterns";

/**
 * Cleans up after an object that goes. May run more than once. What it throws keeps the finalizer, `ErrSkip` as well,
 * and the key comes again.
 */
export type RemoveHandler<T extends KubeObject> = (key: ObjectKey, object: DeepReadonly<T>, context: HandlerContext) => unknown;

export interface OnRemoveOptions<T extends KubeObject> extends Pick<FinalizerOptions<T>, "when" | "supersedes"> {
  /** Whoever renames it names the old one in `supersedes`. @default "wrangler.cattle.io/" and the handler's name */
  readonly finalizer?: string;
  /** After how many milliseconds a cleanup that threw `ErrSkip` runs again. @default 15000 */
  readonly skipRetryMs?: number;
}

/**
 * A handler that runs the cleanup. Guarantees: only objects that `when` says get the finalizer; it is written without the rest of the
 * object, and only of the version that was seen. Throws a TypeError when the finalizer is no name that a server would take.
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
      throw new TypeError(`onRemove ${name}: ${JSON.stringify(tried)} cannot be a finalizer: ${problem.detail}; set the option finalizer`);
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

/** What the next handler is to see, and by what the chain knows that an object is gone before its cache does. */
function withoutThem<T extends KubeObject>(object: DeepReadonly<T>, names: readonly string[]): Seen<T> {
  return {
    ...object,
    metadata: { ...object.metadata, finalizers: (object.metadata.finalizers ?? []).filter((name) => !names.includes(name)) },
  };
}
