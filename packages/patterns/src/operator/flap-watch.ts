/**
 * Detects a `desired` that returns different results for the same state: with a time, a random value or a counter in
 * it, every run writes, and every write triggers a run.
 *
 *     desired objects, run by run → FlapWatch.look → undefined | the fields that keep changing
 */
import { fieldChanges } from "@drover/controller";
import { encodeJson } from "@drover/machinery";
import type { DeepReadonly, KubeObject, ObjectKey } from "@drover/machinery";
import { MistakeError } from "./mistake-error.ts";
import type { PlannedObject } from "./desired-plan.ts";

/** Code of the problem. */
export const flapCode = "DRV0401";

/** Number of such changes within one generation before a warning. */
export const flapsMax = 3;

/** The result of `desired` in one run, and a function that computes it again. */
export interface DesiredAnswer {
  readonly objects: readonly PlannedObject[];
  /** Computes it again from the same state. */
  readonly again: () => readonly PlannedObject[];
  /** Whether `desired` read caches, which may have changed since: then a later recomputation proves nothing. */
  readonly hasReadCaches: boolean;
}

interface Memory {
  readonly uid: string;
  readonly generation: number;
  /** The result as text: a few kilobytes, and faster to compare than to hash. */
  readonly text: string;
  /** Sequence number of this result. */
  readonly number: number;
  readonly flaps: number;
  /** The result with that text; kept only after a change, so that stable objects cost only their text. */
  readonly answer: DesiredAnswer | undefined;
}

/** Grows with the number of objects: call `forget` for deleted ones. */
export class FlapWatch {
  readonly #memories = new Map<ObjectKey, Memory>();
  #answers = 0;

  forget(key: ObjectKey): void {
    this.#memories.delete(key);
  }

  /** Returns the number of the last result: equal numbers mean equal results. Undefined before the first `look`. */
  answerOf(key: ObjectKey): number | undefined {
    return this.#memories.get(key)?.number;
  }

  /**
   * Compares the new result with the previous one. Recomputes only if they differ:
   *
   * - the new result: if it differs, `desired` is random, and a `MistakeError` names the field;
   * - the previous result from its own state: if it differs, `desired` depends on time; the third time within a
   *   generation returns the changes;
   * - if caches were read, a result that changes in three runs in a row is returned as well: it may be intended, but
   *   should be checked.
   */
  look(
    key: ObjectKey,
    { metadata: { uid = "", generation = 0 } }: DeepReadonly<KubeObject>,
    answer: DesiredAnswer,
    where: string,
  ): string | undefined {
    const text = textOf(answer.objects);
    const before = this.#memories.get(key);
    if (before === undefined || before.uid !== uid || before.generation !== generation) {
      this.#memories.set(key, { uid, generation, text, number: this.#answers++, flaps: 0, answer: undefined });
      return undefined;
    }
    if (before.text === text) {
      if (before.flaps > 0 && answer.hasReadCaches) this.#memories.set(key, { ...before, flaps: 0 });
      return undefined;
    }
    const now = answer.again();
    if (textOf(now) !== text) throw impure(where, changesBetween(answer.objects, now));
    const isSuspect =
      answer.hasReadCaches ||
      (before.answer !== undefined && !before.answer.hasReadCaches && textOf(before.answer.again()) !== before.text);
    const flaps = isSuspect ? before.flaps + 1 : 0;
    this.#memories.set(key, { ...before, text, number: this.#answers++, flaps, answer });
    return flaps === flapsMax && before.answer !== undefined ? changesBetween(before.answer.objects, answer.objects) : undefined;
  }
}

/** Throws a `MistakeError` that names the first fields in which two results for the same state differ. */
export function checkSameAnswer(first: readonly PlannedObject[], second: readonly PlannedObject[], where: string): void {
  if (textOf(first) !== textOf(second)) throw impure(where, changesBetween(first, second));
}

function textOf(objects: readonly PlannedObject[]): string {
  return objects.map(({ slot, desired }) => `${slot.name} ${encodeJson(desired.object)}`).join("\n");
}

/** "deployment spec.template.metadata.annotations[at] "1" → "2"". */
function changesBetween(before: readonly PlannedObject[], after: readonly PlannedObject[]): string {
  const nameOf = ({ slot, desired }: PlannedObject): string => `${slot.name} ${desired.object.metadata.name ?? ""}`;
  const old = new Map(before.map((planned) => [nameOf(planned), planned]));
  const now = new Map(after.map((planned) => [nameOf(planned), planned]));
  const lines = [...new Set([...old.keys(), ...now.keys()])].flatMap((name) => {
    const [was, is] = [old.get(name)?.desired, now.get(name)?.desired];
    if (was === undefined || is === undefined) return [`${name} ${was === undefined ? "appeared" : "disappeared"}`];
    return fieldChanges(was.object, is.object, { kind: is.kind, fieldsMax: 3 }).fields.map(
      ({ path, before: from, after: to }) => `${name} ${path}: ${from ?? "nothing"} → ${to ?? "nothing"}`,
    );
  });
  return lines.slice(0, 5).join("; ");
}

function impure(where: string, changes: string): MistakeError {
  return new MistakeError({
    where,
    what: `it returned two results for the same state: ${changes}`,
    code: flapCode,
    fix: "a value that is made once and stays: owns: { password: once(Secret, …) }\na time: object.metadata.creationTimestamp, or a field of the status\nor leave it out: with random values, times and counters every run writes, and every write triggers a run",
  });
}
