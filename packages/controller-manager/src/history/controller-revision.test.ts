import { DaemonSet, StatefulSet } from "@drover/api/apps/v1";
import { describe, expect, it } from "vitest";
import { equalRevisions, newControllerRevision, revisionName } from "./controller-revision.ts";
import type { NewRevision } from "./controller-revision.ts";

const owner = { metadata: { name: "web", namespace: "shop", uid: "web-uid" } };
const data = {
  spec: { template: { $patch: "replace", spec: { containers: [{ name: "web", image: "web:1", resources: { limits: { cpu: "1" } } }] } } },
};
const parts: NewRevision = { owner, ownerKind: StatefulSet, labels: { app: "web" }, data, revision: 3 };

describe("newControllerRevision", () => {
  it("is named after owner and data, and has the hash as a label beside the template's", () => {
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

  it("sets the hash under the owner's labels, and annotations", () => {
    const { metadata } = newControllerRevision({ ...parts, hashLabels: ["controller-revision-hash"], annotations: { note: "x" } });
    expect(Object.keys(metadata.labels ?? {})).toEqual(["app", "controller-revision-hash"]);
    expect(metadata.annotations).toEqual({ note: "x" });
  });

  it("has another name for other data, another owner kind and each collision, but not for another number", () => {
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

  it("sorts fields of its data as the server does, since they are immutable", () => {
    expect(JSON.stringify(newControllerRevision({ ...parts, data: { b: [{ d: 1, c: null }], a: { f: 1, e: [2, 1] } } }).data)).toBe(
      '{"a":{"e":[2,1],"f":1},"b":[{"c":null,"d":1}]}',
    );
  });

  it("leaves room for its hash with a long owner name", () => {
    expect(revisionName("w".repeat(253), "x".repeat(10))).toBe(`${"w".repeat(223)}-${"x".repeat(10)}`);
  });
});

describe("equalRevisions", () => {
  const template = (spec: object): { data: Record<string, unknown> } => ({ data: { spec: { template: { $patch: "replace", spec } } } });
  it("compares semantically: quantities by value, an empty list like none, a null like nothing", () => {
    expect(
      equalRevisions(
        template({ volumes: [], containers: [{ name: "web", resources: { limits: { cpu: "1000m" } } }] }),
        template({ containers: [{ name: "web", env: null, resources: { limits: { cpu: "1" } } }] }),
      ),
    ).toBe(true);
  });

  it("sees a changed image, another order of containers, and an empty object that chooses something", () => {
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
