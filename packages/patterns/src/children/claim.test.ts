import type { DeepReadonly, KubeObject, OwnerReference } from "@drover/machinery";
import { deepFreeze } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { claim, decideClaim } from "./claim.ts";
import type { ClaimDecision } from "./claim.ts";

const goes = { deletionTimestamp: "2026-01-01T00:00:00Z" };
const reference = (uid: string, controller?: boolean): OwnerReference => ({
  apiVersion: "apps/v1",
  kind: "ReplicaSet",
  name: "web",
  uid,
  ...(controller === undefined ? {} : { controller }),
});

/** All inputs of a decision. */
interface Situation {
  readonly ownerGoes: boolean;
  readonly ownerNamespace: string;
  readonly references: "none" | "ours" | "another's" | "ours as a plain owner" | "another's, and ours as a plain owner";
  readonly matches: boolean;
  readonly childGoes: boolean;
  readonly childNamespace: string;
}

const references: Readonly<Record<Situation["references"], readonly OwnerReference[]>> = {
  none: [],
  ours: [reference("u1", true)],
  "another's": [reference("u2", true)],
  "ours as a plain owner": [reference("u1", false)],
  "another's, and ours as a plain owner": [reference("u1"), reference("u2", true)],
};

const ownerOf = ({ ownerGoes, ownerNamespace }: Situation): DeepReadonly<KubeObject> =>
  deepFreeze({
    metadata: { name: "web", uid: "u1", ...(ownerNamespace === "" ? {} : { namespace: ownerNamespace }), ...(ownerGoes ? goes : {}) },
  });
const childOf = (situation: Situation): DeepReadonly<KubeObject> =>
  deepFreeze({
    metadata: {
      name: "web-0",
      namespace: situation.childNamespace,
      ownerReferences: [...references[situation.references]],
      labels: { matches: String(situation.matches) },
      ...(situation.childGoes ? goes : {}),
    },
  });
const byLabel = ({ metadata }: DeepReadonly<KubeObject>): boolean => metadata.labels?.["matches"] === "true";

function everySituation(): Situation[] {
  const yesNo = [false, true];
  return yesNo.flatMap((ownerGoes) =>
    ["", "shop"].flatMap((ownerNamespace) =>
      (Object.keys(references) as Situation["references"][]).flatMap((of) =>
        yesNo.flatMap((matches) =>
          yesNo.flatMap((childGoes) =>
            ["shop", "other"].map((childNamespace) => ({ ownerGoes, ownerNamespace, references: of, matches, childGoes, childNamespace })),
          ),
        ),
      ),
    ),
  );
}

/** The rules as independent statements instead of a decision tree. */
function rulesBroken(situation: Situation, decision: ClaimDecision): string[] {
  const { ownerGoes, ownerNamespace, matches, childGoes, childNamespace } = situation;
  const isOurs = situation.references === "ours";
  const isAnothers = situation.references.startsWith("another's");
  const isOrphan = !isOurs && !isAnothers;
  const isReachable = ownerNamespace === "" || ownerNamespace === childNamespace;
  const rules: readonly (readonly [string, boolean])[] = [
    ["an object of another controller is never touched", !isAnothers || decision === "ignore"],
    ["a matching child is kept, even if it or its owner is being deleted", !(isOurs && matches) || decision === "keep"],
    ["nothing else is kept", decision !== "keep" || (isOurs && matches)],
    [
      "a child that no longer matches is released unless the owner is being deleted",
      !(isOurs && !matches && !ownerGoes) || decision === "release",
    ],
    ["nothing else is released", decision !== "release" || (isOurs && !matches && !ownerGoes)],
    [
      "a matching orphan in reach is adopted unless it or the owner is being deleted",
      !(isOrphan && matches && !childGoes && isReachable && !ownerGoes) || decision === "adopt",
    ],
    ["nothing else is adopted", decision !== "adopt" || (isOrphan && matches && !childGoes && isReachable && !ownerGoes)],
  ];
  return rules.filter(([, holds]) => !holds).map(([rule]) => rule);
}

describe("claim", () => {
  it("follows the rules in every combination of owner, object and match", () => {
    const situations = everySituation();
    expect(situations).toHaveLength(2 * 2 * 5 * 2 * 2 * 2);
    const decisions = situations.map((situation) => decideClaim(ownerOf(situation), childOf(situation), byLabel));
    expect(situations.flatMap((situation, index) => rulesBroken(situation, decisions[index] as ClaimDecision))).toEqual([]);
    expect(new Set(decisions)).toEqual(new Set(["keep", "adopt", "release", "ignore"]));
  });

  it("puts every object into exactly one list, in the given order", () => {
    const owner = ownerOf({
      ownerGoes: false,
      ownerNamespace: "shop",
      references: "none",
      matches: true,
      childGoes: false,
      childNamespace: "shop",
    });
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...everySituation())), (situations) => {
        const children = situations.map(childOf);
        const claimed = claim(owner, children, byLabel);
        expect(Object.values(claimed).flat()).toHaveLength(children.length);
        for (const [decision, list] of Object.entries(claimed))
          expect(list).toEqual(children.filter((child) => decideClaim(owner, child, byLabel) === decision));
      }),
    );
  });

  it("calls matches only where the result matters", () => {
    const asked = (situation: Situation): boolean => {
      let wasAsked = false;
      decideClaim(ownerOf(situation), childOf(situation), () => (wasAsked = true));
      return wasAsked;
    };
    const plain: Situation = {
      ownerGoes: false,
      ownerNamespace: "shop",
      references: "none",
      matches: true,
      childGoes: false,
      childNamespace: "shop",
    };
    expect(asked(plain)).toBe(true);
    expect(asked({ ...plain, references: "another's" })).toBe(false);
    expect(asked({ ...plain, childNamespace: "other" })).toBe(false);
  });
});
