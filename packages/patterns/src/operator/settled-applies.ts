/**
 * Remembers applies that found nothing to do, keyed by all of their inputs: with equal inputs, nothing has to be
 * compared.
 *
 *     owner, desired objects, live objects → SettledApplies.outcome;   undefined: apply, then remember
 */
import { apiVersionOf } from "@drover/machinery";
import type { DeepReadonly, KubeObject, ObjectKey } from "@drover/machinery";
import type { ApplyOutcome } from "../apply/apply-set.ts";
import type { DesiredPlan } from "./desired-plan.ts";

type Live = DeepReadonly<KubeObject>;

/** All inputs of an apply. */
export interface ApplyInputs {
  readonly owner: Live;
  readonly plan: DesiredPlan;
  /** Number of the result of `desired`: different results have different numbers. */
  readonly answer: number;
  /** All possible members of the set, from the caches. */
  readonly candidates: readonly Live[];
}

type Mark = Pick<ApplyInputs, "owner" | "answer" | "candidates">;

/** Grows with the number of objects: call `forget` for deleted ones. */
export class SettledApplies {
  readonly #marks = new Map<ObjectKey, Mark>();

  forget(key: ObjectKey): void {
    this.#marks.delete(key);
  }

  /** Returns the outcome of an apply that has nothing to do; undefined if that is not known. */
  outcome(key: ObjectKey, inputs: ApplyInputs): ApplyOutcome | undefined {
    const known = this.#marks.get(key);
    if (known === undefined || !isSameMark(known, inputs)) return undefined;
    const { owner, plan, candidates } = inputs;
    const objects = plan.objects.map((planned) => candidates.find((live) => isSame(planned.desired, live, owner)));
    if (objects.includes(undefined)) return undefined;
    const changes = plan.objects.map(({ desired: { kind } }, index) => ({
      kind,
      namespace: objects[index]?.metadata.namespace ?? "",
      name: objects[index]?.metadata.name ?? "",
      type: "unchanged" as const,
    }));
    return { changes, objects, owner, isSettled: true };
  }

  /**
   * Remembers an apply only if it sent no request, waits for nothing and covers all candidates. @param hasAsked -
   * whether it sent a request
   */
  remember(key: ObjectKey, inputs: ApplyInputs, { changes, isSettled }: ApplyOutcome, hasAsked: boolean): void {
    const { owner, plan, answer, candidates } = inputs;
    const isSettledHere =
      !hasAsked &&
      isSettled &&
      plan.holds.length === 0 &&
      candidates.length === plan.objects.length &&
      changes.every(({ type }) => type === "unchanged");
    if (isSettledHere) this.#marks.set(key, { owner, answer, candidates });
    else this.#marks.delete(key);
  }
}

/**
 * Reports whether all inputs are the very same objects: a cache keeps an object until it changes. Versions do not suffice, because a
 * server restored from a backup counts the same ones again, for other content.
 */
const isSameMark = (a: Mark, b: ApplyInputs): boolean =>
  a.answer === b.answer &&
  a.owner === b.owner &&
  a.candidates.length === b.candidates.length &&
  a.candidates.every((live, index) => live === b.candidates[index]);

function isSame(
  {
    kind,
    object: {
      metadata: { name, namespace },
    },
  }: DesiredPlan["objects"][number]["desired"],
  live: Live,
  owner: Live,
): boolean {
  return (
    live.kind === kind.kind &&
    live.apiVersion === apiVersionOf(kind) &&
    live.metadata.name === name &&
    (kind.scope === "Cluster" || live.metadata.namespace === (namespace ?? owner.metadata.namespace))
  );
}
