import { describe, expect, it } from "vitest";
import { member, statefulSet } from "../testing/stateful-set-objects.ts";
import { pod } from "../testing/workload-objects.ts";
import { hasIdentity, isMemberOf, podIdentity, podRevision, withIdentity } from "./pod-identity.ts";

const set = statefulSet();

describe("podIdentity", () => {
  it.each([
    ["web-0", "web", 0],
    ["web-12", "web", 12],
    ["a-b-3", "a-b", 3],
    ["web-007", "web", 7],
    ["web--1", "web-", 1],
    ["-5", "", 5],
    ["web", "", undefined],
    ["web-", "", undefined],
    ["web-x", "", undefined],
    ["web-1x", "", undefined],
    ["", "", undefined],
    ["web-2147483647", "web", 2_147_483_647],
    ["web-2147483648", "web", undefined],
  ])("%j parses as set %j, ordinal %j", (name, parent, ordinal) => {
    expect(podIdentity(pod({ name }))).toEqual({ parent, ordinal });
  });

  it("makes it a member of the set of that name, and of no other", () => {
    expect([
      isMemberOf(set, pod({ name: "web-0" })),
      isMemberOf(set, pod({ name: "web-db-0" })),
      isMemberOf(set, pod({ name: "web" })),
    ]).toEqual([true, false, false]);
    expect(isMemberOf(statefulSet({ name: "web-1" }), pod({ name: "web-1" }))).toBe(false);
  });
});

describe("withIdentity", () => {
  it("sets name, name label and namespace", () => {
    const right = member(1);
    expect(hasIdentity(set, right)).toBe(true);
    expect(hasIdentity(statefulSet({ name: "db" }), right)).toBe(false);
    expect(hasIdentity(set, { ...right, metadata: { ...right.metadata, namespace: "other" } })).toBe(false);
    expect(hasIdentity(set, { ...right, metadata: { ...right.metadata, labels: {} } })).toBe(false);
    expect(
      hasIdentity(set, {
        ...right,
        metadata: { ...right.metadata, name: "web-01", labels: { "statefulset.kubernetes.io/pod-name": "web-01" } },
      }),
    ).toBe(false);
  });

  it("keeps other labels", () => {
    const found = withIdentity(set, pod({ name: "web-1", labels: { app: "web", "controller-revision-hash": "web-9" } }), 1);
    expect(hasIdentity(set, found)).toBe(true);
    expect(found.metadata.labels).toEqual({
      app: "web",
      "controller-revision-hash": "web-9",
      "statefulset.kubernetes.io/pod-name": "web-1",
      "apps.kubernetes.io/pod-index": "1",
    });
    expect(podRevision(found)).toBe("web-9");
    expect(podRevision(pod())).toBe("");
  });
});
