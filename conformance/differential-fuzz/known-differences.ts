/** Where our server answers random sequences differently, and why that stays. A difference that no entry explains fails the suite. */
import type { Difference } from "../differential/compare.ts";

export interface KnownFuzzDifference {
  /** Whether the entry explains a difference, given all differences in the answer to one step. */
  readonly matches: (differences: readonly Difference[]) => boolean;
  readonly reason: string;
}

const emptyLabels = /Invalid value: \{\}: `selector`/g;

const expectedAt = (differences: readonly Difference[], place: string): string => {
  const found = differences.find(({ at }) => at.endsWith(`: ${place}`))?.expected;
  return typeof found === "string" ? found : "";
};

/** All entries. */
export const knownFuzzDifferences: readonly KnownFuzzDifference[] = [
  {
    matches: (differences) =>
      differences.every(
        ({ at, expected, actual }) =>
          at.endsWith("message") &&
          typeof expected === "string" &&
          expected.replaceAll(emptyLabels, "Invalid value: null: `selector`") === actual,
      ),
    reason:
      "labels of a template that are there but empty are read as if they were not, so the message that a selector does not match them shows null for {}",
  },
  {
    matches: (differences) =>
      /^\w+ "\w+" is invalid: (?:binaryData|data): Forbidden: field is immutable when `immutable` is set$/.test(
        expectedAt(differences, "body.message"),
      ),
    reason:
      "to the real server empty data are a change of no data at all, which an immutable object refuses; ours reads the one as the other",
  },
  {
    matches: (differences) =>
      differences.some(
        ({ at, expected, actual }) =>
          at.includes(" DELETE ") &&
          ((at.endsWith(": body.kind") && actual === "Status" && expected !== "Status") ||
            (at.endsWith(": body.metadata.name") && expected === undefined)),
      ),
    reason:
      "the real server answers the dry run of a deletion that takes the last finalizers away with an object that has nothing in it; ours as it answers every deletion",
  },
  {
    matches: (differences) => expectedAt(differences, "body.message").startsWith("the spec replicas field "),
    reason:
      "not done yet: the real server refuses a patch of the Scale of a custom object that has no number of replicas and gets none; ours takes it for no change",
  },
  {
    matches: (differences) => expectedAt(differences, "body.message").startsWith("no kind is registered for the type v1.Scale in scheme"),
    reason:
      "the real server cannot name what is wrong with the Scale of a custom object, and names a part of its program instead; ours says what is wrong",
  },
];

/** The differences that no entry explains. */
export function unexplained(
  differences: readonly Difference[],
  known: readonly KnownFuzzDifference[] = knownFuzzDifferences,
): Difference[] {
  const steps = [...new Set(differences.map(stepOf))].map((step) => differences.filter((difference) => stepOf(difference) === step));
  return steps.filter((ofStep) => !known.some(({ matches }) => matches(ofStep))).flat();
}

/** The step of a difference, counted from one. */
export const stepOf = ({ at }: Difference): number => Number.parseInt(at, 10);
