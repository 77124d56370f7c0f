import { StatefulSet } from "@drover/api/apps/v1";
import { Pod } from "@drover/api/core/v1";
import { newControllerRef, newOwnerReference } from "@drover/machinery";
import type { OwnerReference } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { claim, member, statefulSet } from "../testing/stateful-set-objects.ts";
import { hasForeignController, hasRightOwners, isStaleFor, rightOwners } from "./claim-owners.ts";
import type { StatefulSetView } from "./stateful-set-view.ts";

const policies = ["Retain", "Delete"] as const;
const set = (whenDeleted: string, whenScaled: string): StatefulSetView =>
  statefulSet({ replicas: 1, claims: ["data"], persistentVolumeClaimRetentionPolicy: { whenDeleted, whenScaled } });
const [kept, surplus] = [member(0), member(1)];
const bySet = newControllerRef(statefulSet(), StatefulSet);
const byPod = (pod: typeof kept): OwnerReference => newControllerRef(pod, Pod);
const foreign = newControllerRef({ metadata: { name: "operator", uid: "op" } }, { group: "example.com", version: "v1", kind: "Database" });
const plain: OwnerReference = { apiVersion: "v1", kind: "ConfigMap", name: "notes", uid: "notes" };

describe("claim owners", () => {
  it.each([
    ["Retain", "Retain", [], []],
    ["Delete", "Retain", [bySet], [bySet]],
    ["Retain", "Delete", [], [byPod(surplus)]],
    ["Delete", "Delete", [bySet], [byPod(surplus)]],
  ])("with whenDeleted %s and whenScaled %s", (whenDeleted, whenScaled, ofKept, ofSurplus) => {
    const asked = set(whenDeleted, whenScaled);
    expect(rightOwners(claim("data-web-0"), asked, kept)).toEqual(ofKept);
    expect(rightOwners(claim("data-web-1"), asked, surplus)).toEqual(ofSurplus);
    expect(hasRightOwners(claim("data-web-0", ofKept), asked, kept)).toBe(true);
    expect(hasRightOwners(claim("data-web-1", ofSurplus), asked, surplus)).toBe(true);
  });

  it("are corrected once, whatever they were; owners that do not control stay", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...policies),
        fc.constantFrom(...policies),
        fc.constantFrom(kept, surplus),
        fc.subarray([bySet, byPod(kept), byPod(surplus), plain, newOwnerReference(statefulSet(), StatefulSet)]),
        (whenDeleted, whenScaled, pod, references) => {
          const asked = set(whenDeleted, whenScaled);
          const before = claim("data", references);
          if (hasForeignController(before, asked, pod)) return;
          const after = claim("data", rightOwners(before, asked, pod));
          expect(hasRightOwners(after, asked, pod)).toBe(true);
          expect(after.metadata.ownerReferences?.includes(plain) ?? false).toBe(references.includes(plain));
        },
      ),
      { numRuns: Math.ceil((fc.readConfigureGlobal()?.numRuns ?? 200) / 4) },
    );
  });

  it("are not touched while an earlier object is among them", () => {
    const older = [newControllerRef({ metadata: { name: "web", uid: "older" } }, StatefulSet)];
    expect(hasRightOwners(claim("data", older), set("Delete", "Delete"), kept)).toBe(true);
    expect(hasRightOwners(claim("data", older), set("Retain", "Retain"), kept)).toBe(true);
    const olderPod = claim("data", [newControllerRef({ metadata: { name: "web-0", uid: "older" } }, Pod)]);
    expect(hasRightOwners(olderPod, set("Delete", "Delete"), kept)).toBe(true);
    expect([
      isStaleFor(kept, olderPod),
      isStaleFor(kept, claim("data", [byPod(kept)])),
      isStaleFor(surplus, olderPod),
      isStaleFor(kept, claim("data")),
    ]).toEqual([true, false, false, false]);
  });

  it("are left to another controller: ours are removed, and none is added", () => {
    const asked = set("Delete", "Retain");
    expect(hasForeignController(claim("data", [foreign]), asked, kept)).toBe(true);
    expect(hasRightOwners(claim("data", [foreign]), asked, kept)).toBe(true);
    expect(hasRightOwners(claim("data", [foreign, bySet]), asked, kept)).toBe(false);
    expect(rightOwners(claim("data", [foreign, bySet]), asked, kept)).toEqual([foreign]);
    expect(hasForeignController(claim("data", [foreign]), set("Retain", "Retain"), kept)).toBe(false);
    expect(hasForeignController(claim("data", [plain, bySet, byPod(kept)]), asked, kept)).toBe(false);
  });

  it("require a controller reference", () => {
    const weak = claim("data", [newOwnerReference(statefulSet(), StatefulSet)]);
    expect(hasRightOwners(weak, set("Delete", "Retain"), kept)).toBe(false);
    expect(rightOwners(weak, set("Delete", "Retain"), kept)).toEqual([bySet]);
  });
});
