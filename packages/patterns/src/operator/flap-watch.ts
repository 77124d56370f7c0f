/**
 * Notices a `desired` that does not give the same answer for the same state: a time, a random value or a counter in it
 * makes every run a write, and every write a run.
 *
 *     what is desired, run by run → FlapWatch.look → undefined | the fields that do not keep still
 */
import { fieldChanges } from "@drover/controller";
import { encodeJson } from "@drover/machinery";
import type { DeepReadonly, JsonValue, KubeObject, ObjectKey } from "@drover/machinery";
import { MistakeError } from "./mistake-error.ts";
import type { PlannedObject } from "./desired-plan.ts";

/** How many such changes of one generation there may be before somebody is told. */
export const flapsMax = 3;

/** What was wanted in one run, and the way to compute it once more. */
export interface DesiredAnswer {
  readonly objects: readonly PlannedObject[];
  /** Computes it again from the state it was computed from. */
  readonly again: () => readonly PlannedObject[];
  /** Whether it looked into caches, which may have changed since: then computing it again later proves nothing. */
  readonly hasReadCaches: boolean;
}

interface Memory {
  readonly uid: string;
  readonly generation: number;
  /** The answer as text: a few kilobytes, and much sooner compared than a hash of it is made. */
  readonly text: string;
  /** Which of all answers it is. */
  readonly number: number;
  readonly flaps: number;
  /** The answer with that text; kept only once there was a change, so that quiet objects cost their text alone. */
  readonly answer: DesiredAnswer | undefined;
}

/** Bounded by the objects that exist: `forget` those that are gone. */
export class FlapWatch {
  readonly #memories = new Map<ObjectKey, Memory>();
  #answers = 0;

  forget(key: ObjectKey): void {
    this.#memories.delete(key);
  }

  /** Which answer `look` saw last: the same number is the same answer. Undefined when it has seen none. */
  answerOf(key: ObjectKey): number | undefined {
    return this.#memories.get(key)?.number;
  }

  /**
   * Looks at what is wanted now. Only when that is not what was wanted before is anything computed again:
   *
   * - the answer of now: another one is random, and a `MistakeError` that names the field;
   * - the answer of before, from the state of before: another one than then depends on time, and the third of one
   *   generation is told in words;
   * - where caches were read, what changes in three runs in a row is told as well: it may be right, and somebody should look.
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

function textOf(objects: readonly PlannedObject[]): string {
  return objects.map(({ slot, desired }) => `${slot.name} ${encodeJson(desired.object as unknown as JsonValue)}`).join("\n");
}

/** "deployment spec.template.metadata.annotations[at] "1" → "2"". */
function changesBetween(before: readonly PlannedObject[], after: readonly PlannedObject[]): string {
  const nameOf = ({ slot, desired }: PlannedObject): string => `${slot.name} ${desired.object.metadata.name ?? ""}`;
  const old = new Map(before.map((planned) => [nameOf(planned), planned]));
  const now = new Map(after.map((planned) => [nameOf(planned), planned]));
  const lines = [...new Set([...old.keys(), ...now.keys()])].flatMap((name) => {
    const [was, is] = [old.get(name)?.desired, now.get(name)?.desired];
    if (was === undefined || is === undefined) return [`${name} ${was === undefined ? "came" : "went"}`];
    return fieldChanges(was.object, is.object, { kind: is.kind, fieldsMax: 3 }).fields.map(
      ({ path, before: from, after: to }) => `${name} ${path}: ${from ?? "nothing"} → ${to ?? "nothing"}`,
    );
  });
  return lines.slice(0, 5).join("; ");
}

function impure(where: string, changes: string): MistakeError {
  return new MistakeError({
    where,
    what: `it gave two answers for the same state: ${changes}`,
    fix: "take out what is random or counts: every run would be a write, and every write a run\nwhat must be random is made once, in reconcile, and kept in a Secret or the status",
  });
}
