import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { printFieldErrors } from "../field/field-error-text.ts";
import { encodeDeleteOptions, parseDeleteOptions, validateDeleteOptions } from "./delete-options.ts";
import type { DeleteOptions, DeletionPropagation } from "./delete-options.ts";
import { parseQuery } from "./query.ts";

const text = fc.string({ minLength: 1 });
const precondition = fc.oneof(
  fc.record({ uid: text }),
  fc.record({ resourceVersion: text }),
  fc.record({ uid: text, resourceVersion: text }),
);
const options: fc.Arbitrary<DeleteOptions> = fc.record(
  {
    gracePeriodSeconds: fc.maxSafeInteger(),
    preconditions: precondition,
    orphanDependents: fc.boolean(),
    propagationPolicy: fc.constantFrom<DeletionPropagation>("Orphan", "Background", "Foreground"),
    dryRun: fc.constant(["All"]),
    ignoreStoreReadErrorWithClusterBreakingPotential: fc.boolean(),
  },
  { requiredKeys: [] },
);

describe("DeleteOptions", () => {
  it("round-trip through the query", () => {
    fc.assert(
      fc.property(options, (given) => {
        expect(parseDeleteOptions(parseQuery(encodeDeleteOptions(given)))).toEqual(given);
      }),
    );
  });
  it("are written sorted by name", () => {
    expect(
      encodeDeleteOptions({
        gracePeriodSeconds: 0,
        propagationPolicy: "Orphan",
        dryRun: ["All"],
        preconditions: { uid: "u", resourceVersion: "7" },
      }),
    ).toBe("dryRun=All&gracePeriodSeconds=0&propagationPolicy=Orphan&resourceVersion=7&uid=u");
  });
  it.each<[string, string]>([
    ["propagationPolicy=Orphan&dryRun=All", ""],
    [
      "propagationPolicy=Orphan&orphanDependents=true",
      'propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set',
    ],
    [
      "propagationPolicy=Never",
      'propagationPolicy: Unsupported value: "Never": supported values: "Foreground", "Background", "Orphan", "nil"',
    ],
    ["propagationPolicy=", 'propagationPolicy: Unsupported value: "": supported values: "Foreground", "Background", "Orphan", "nil"'],
    ["dryRun=None", 'dryRun: Unsupported value: ["None"]: supported values: "All"'],
    [
      "ignoreStoreReadErrorWithClusterBreakingPotential=true&gracePeriodSeconds=0&uid=x",
      "[ignoreStoreReadErrorWithClusterBreakingPotential: Invalid value: true: cannot be set together with .gracePeriodSeconds, " +
        "ignoreStoreReadErrorWithClusterBreakingPotential: Invalid value: true: cannot be set together with .preconditions]",
    ],
  ])("with %j give the response %j", (query, answer) => {
    expect(printFieldErrors(validateDeleteOptions(parseDeleteOptions(parseQuery(query))))).toBe(answer);
  });
});
