/**
 * Applies that found nothing to do, by all that they looked at: while that is the same there is nothing to do again,
 * and nothing has to be compared.
 *
 *     owner, what is wanted, what is there → SettledApplies.outcome;   undefined: apply, then remember
 */
import { apiVersionOf } from "@drover/machinery";
import type { DeepReadonly, KubeObject, ObjectKey } from "@drover/machinery";
import type { ApplyOutcome } from "../apply/apply-set.ts";
import type { DesiredPlan } from "./desired-plan.ts";

type Live = DeepReadonly<KubeObject>;

/** All that decides what an apply does. */
export interface ApplyInputs {
  readonly owner: Live;
  readonly plan: DesiredPlan;
  /** Which answer of `desired` the plan is: another number for another answer. */
  readonly answer: number;
  /** Everything the set may have as a member, from the caches. */
  readonly candidates: readonly Live[];
}

/** Bounded by the objects that exist: `forget` those that are gone. */
export class SettledApplies {
  readonly #marks = new Map<ObjectKey, string>();

  forget(key: ObjectKey): void {
    this.#marks.delete(key);
  }

  /** What an apply would come to that has nothing to do; undefined when that is not known. */
  outcome(key: ObjectKey, inputs: ApplyInputs): ApplyOutcome | undefined {
    const known = this.#marks.get(key);
    if (known === undefined || known !== markOf(inputs)) return undefined;
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
   * Only what asked nobody, waits for nothing and left nothing else alone can be known to have nothing to do the next
   * time. @param hasAsked - whether a request was sent
   */
  remember(key: ObjectKey, inputs: ApplyInputs, { changes, isSettled }: ApplyOutcome, hasAsked: boolean): void {
    const { plan, candidates } = inputs;
    const isSettledHere =
      !hasAsked &&
      isSettled &&
      plan.holds.length === 0 &&
      candidates.length === plan.objects.length &&
      changes.every(({ type }) => type === "unchanged");
    if (isSettledHere) this.#marks.set(key, markOf(inputs));
    else this.#marks.delete(key);
  }
}

const markOf = ({ owner, answer, candidates }: ApplyInputs): string =>
  `${answer} ${versionOf(owner)} ${candidates.map(versionOf).join(" ")}`;
const versionOf = ({ metadata: { uid = "", resourceVersion = "" } }: Live): string => `${uid} ${resourceVersion}`;

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
