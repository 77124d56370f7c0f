/**
 * Merges any number of triggers into one run: Wrangler's package trigger.
 *
 *     const rebuild = newTrigger(configMaps, "index");   rebuild.onTrigger(signal, "rebuild", () => …);   rebuild.trigger();
 *
 * A trigger is a key in a controller's queue that belongs to no object: runs never overlap, triggers during a run cause
 * one more run, and a failed run is retried.
 */
import type { EnqueueReason } from "@drover/lasso";
import type { ControllerMeta, Until } from "./generic-controller.ts";
import type { Key } from "./related-resource.ts";

/** Processes everything at once. If it throws, it is called again with the controller's backoff. */
export type AllHandler = () => void | Promise<void>;

/** A run that can be requested any number of times. */
export interface Trigger {
  /** Requests a run. */
  trigger(reason?: EnqueueReason): void;
  /** Registers the handler and requests its first run. Throws if the name is taken. */
  onTrigger(until: Until, name: string, handler: AllHandler): void;
  /** The key for resolvers of `relatedresource`. */
  key(): Key;
}

/** Not a valid namespace name, so it cannot collide. */
const namespace = "__trigger__";

/**
 * Creates a trigger on a controller's queue. Triggers of one controller need different names; Wrangler numbers them per
 * process instead.
 */
export function newTrigger(controller: Pick<ControllerMeta, "addGenericHandler" | "enqueueKey">, name: string): Trigger {
  const key: Key = { namespace, name: `__trigger__${name}__` };
  const words = `${key.namespace}/${key.name}`;
  const trigger: Trigger["trigger"] = (reason) => controller.enqueueKey(words, reason);
  return {
    trigger,
    key: () => key,
    onTrigger: (until, handlerName, handler) => {
      controller.addGenericHandler(until, handlerName, async (due) => {
        if (due === words) await handler();
      });
      trigger();
    },
  };
}
