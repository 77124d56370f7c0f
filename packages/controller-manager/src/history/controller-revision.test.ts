import { DaemonSet, StatefulSet } from "@drover/api/apps/v1";
import { describe, expect, it } from "vitest";
import { equalRevisions, newControllerRevision, revisionName } from "./controller-revision.ts";
import type { NewRevision } from "./controller-revision.ts";

const owner = { metadata: { name: "web", namespace: "shop", uid: "web-uid" } };
const data = {
  spec: { template: { $patch: "replace", spec: { containers: [{ name: "web", image: "web:1", resources: { limits: { cpu: "1" } } }] } } },
};
const parts: NewRevision = { owner, ownerKind: StatefulSet, labels: { app: "web" }, data, revision: 3 };

describe("a revision", () => {
  it("is named after its owner and what it says, and carries the hash as a label beside the template's", () => {
    const { metadata, revision } = newControllerRevision(parts);
    const hash = metadata.labels?.["controller.kubernetes.io/hash"] ?? "";
    expect(hash).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]{1,10}$/);
    expect(metadata).toMatchObject({
      name: `web-${hash}`,
      namespace: "shop",
      labels: { app: "web" },
      ownerReferences: [{ kind: "StatefulSet", uid: "web-uid", controller: true, blockOwnerDeletion: true }],
    });
    expect(revision).toBe(3);
  });

  it("has the hash under the labels its owner asks for, and its annotations", () => {
    const { metadata } = newControllerRevision({ ...parts, hashLabels: ["controller-revision-hash"], annotations: { note: "x" } });
    expect(Object.keys(metadata.labels ?? {})).toEqual(["app", "controller-revision-hash"]);
    expect(metadata.annotations).toEqual({ note: "x" });
  });

  it("has another name for other data, for another kind of owner, and after each collision; not for another number", () => {
    const nameOf = (changes: Partial<NewRevision>): string | undefined => newControllerRevision({ ...parts, ...changes }).metadata.name;
    expect(
      new Set([
        nameOf({}),
        nameOf({ data: {} }),
        nameOf({ ownerKind: DaemonSet }),
        nameOf({ collisionCount: 0 }),
        nameOf({ collisionCount: 1 }),
      ]).size,
    ).toBe(5);
    expect(nameOf({ revision: 4 })).toBe(nameOf({}));
  });

  it("has its data with fields in order, as the server would write them: they may never change, not even so", () => {
    expect(JSON.stringify(newControllerRevision({ ...parts, data: { b: [{ d: 1, c: null }], a: { f: 1, e: [2, 1] } } }).data)).toBe(
      '{"a":{"e":[2,1],"f":1},"b":[{"c":null,"d":1}]}',
    );
  });

  it("has room for its hash, however long the owner's name is", () => {
    expect(revisionName("w".repeat(253), "x".repeat(10))).toBe(`${"w".repeat(223)}-${"x".repeat(10)}`);
  });
});

describe("two revisions", () => {
  const template = (spec: object): { data: Record<string, unknown> } => ({ data: { spec: { template: { $patch: "replace", spec } } } });
  it("are equal when they mean the same: quantities by value, an empty list like none, a null like nothing", () => {
    expect(
      equalRevisions(
        template({ volumes: [], containers: [{ name: "web", resources: { limits: { cpu: "1000m" } } }] }),
        template({ containers: [{ name: "web", env: null, resources: { limits: { cpu: "1" } } }] }),
      ),
    ).toBe(true);
  });

  it("differ in an image, in the order of containers, and in an empty object that chooses something", () => {
    const one = template({ containers: [{ name: "a" }, { name: "b" }], volumes: [{ name: "v", emptyDir: {} }] });
    expect(equalRevisions(one, template({ containers: [{ name: "b" }, { name: "a" }], volumes: [{ name: "v", emptyDir: {} }] }))).toBe(
      false,
    );
    expect(equalRevisions(one, template({ containers: [{ name: "a" }, { name: "b" }], volumes: [{ name: "v" }] }))).toBe(false);
    expect(
      equalRevisions(template({ containers: [{ name: "a", image: "1" }] }), template({ containers: [{ name: "a", image: "2" }] })),
    ).toBe(false);
  });
});
