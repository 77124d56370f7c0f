import { isStatusConditionFalse, isStatusConditionTrue, removeStatusCondition, setStatusCondition } from "@drover/machinery";
import type { Condition, ConditionUpdate } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { askOracle, oracleMissing, recordedAnswers } from "./oracle.ts";
import type { Answer } from "./oracle.ts";

const now = "2026-11-15T13:35:46Z";

interface Question {
  readonly conditions: Condition[];
  readonly set?: ConditionUpdate;
  readonly remove?: string;
  readonly now: string;
}

const type = fc.constantFrom("Ready", "Synced", "Healthy");
const status = fc.constantFrom("True", "False", "Unknown");
const time = fc.constantFrom("2020-01-01T00:00:00Z", "2021-06-01T12:30:00Z");
const fields = { type, status, reason: fc.constantFrom("A", "B"), message: fc.constantFrom("", "x") };
const condition = fc.record(
  { ...fields, lastTransitionTime: time, observedGeneration: fc.constantFrom(0, 1, 2) },
  { requiredKeys: ["type", "status", "lastTransitionTime", "reason", "message"] },
) as fc.Arbitrary<Condition>;
const update = fc.record(
  { ...fields, lastTransitionTime: time, observedGeneration: fc.constantFrom(0, 1, 2) },
  { requiredKeys: ["type", "status", "reason", "message"] },
) as fc.Arbitrary<ConditionUpdate>;
const question: fc.Arbitrary<Question> = fc.oneof(
  fc.record({ conditions: fc.array(condition, { maxLength: 3 }), set: update, now: fc.constant(now) }),
  fc.record({ conditions: fc.array(condition, { maxLength: 3 }), remove: type, now: fc.constant(now) }),
);

function check({ conditions, set, remove = "" }: Question, { output }: Answer): void {
  const holder = { conditions };
  const changed = set === undefined ? removeStatusCondition(holder, remove) : setStatusCondition(holder, set, now);
  const theirs = output as { conditions: Condition[] | null };
  // Writing a generation of zero and omitting it are equal; theirs always omits it.
  const settled = holder.conditions.map(({ observedGeneration, ...rest }) => (observedGeneration ? { observedGeneration, ...rest } : rest));
  const ours = {
    changed,
    conditions: settled,
    isTrue: isStatusConditionTrue(holder.conditions, "Ready"),
    isFalse: isStatusConditionFalse(holder.conditions, "Ready"),
  };
  expect(ours).toEqual({ ...theirs, conditions: theirs.conditions ?? [] });
}

describe("status conditions", () => {
  it("are set and removed as apimachinery does", () => {
    const questions = fc.sample(question, { numRuns: 60, seed: 1 });
    for (const [index, answer] of recordedAnswers("conditions", questions).entries()) check(questions[index] as Question, answer);
  });

  it("are set and removed as apimachinery does, whatever was there", (context) => {
    if (oracleMissing !== undefined) context.skip(oracleMissing);
    const questions = fc.sample(question, process.env["DROVER_LONG"] === "1" ? 50_000 : 3_000);
    for (const [index, answer] of askOracle("conditions", questions).entries()) check(questions[index] as Question, answer);
  });
});
