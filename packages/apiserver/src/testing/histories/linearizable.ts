/**
 * Checks linearizability: whether overlapping requests can be ordered so that each takes effect between its request and its
 * response. Searches the orders as Wing and Gong describe, visiting each state once.
 */
import type { Operation } from "./history.ts";
import { statesAfter } from "./object-model.ts";
import type { ObjectState } from "./object-model.ts";
import type { Truth } from "./truth.ts";

/** The longest order found, and the operation that cannot follow. */
export interface NoOrder {
  readonly done: readonly Operation[];
  readonly state: ObjectState;
  readonly stuck: readonly Operation[];
}

/**
 * Returns undefined if there is an order. Assumes operations on one object. An operation without a response may take effect at
 * any time after its request, or never.
 */
export function findNoOrder(operations: readonly Operation[], initial: ObjectState, truth: Truth): NoOrder | undefined {
  const pending = new Set(operations);
  const done: Operation[] = [];
  const hopeless = new Set<string>();
  let best: NoOrder = { done: [], state: initial, stuck: [] };
  const search = (state: ObjectState): boolean => {
    const left = operations.filter((operation) => pending.has(operation));
    const firstReturn = Math.min(...left.map(({ returned }) => returned));
    if (firstReturn === Infinity) return true;
    const situation = `${state?.revision ?? ""}:${left.map(({ invoked }) => invoked).join()}`;
    if (hopeless.has(situation)) return false;
    const ready = left.filter(({ invoked }) => invoked < firstReturn);
    if (best.stuck.length === 0 || done.length > best.done.length) best = { done: [...done], state, stuck: ready };
    for (const operation of ready) {
      pending.delete(operation);
      done.push(operation);
      if (statesAfter(state, operation, truth).some((next) => search(next))) return true;
      done.pop();
      pending.add(operation);
    }
    hopeless.add(situation);
    return false;
  };
  return search(initial) ? undefined : best;
}
