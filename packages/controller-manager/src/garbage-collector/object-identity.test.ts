import { describe, expect, it } from "vitest";
import { compareIdentities, identityOfOwner, printIdentity, refersTo, sameIdentity } from "./object-identity.ts";

const web = { apiVersion: "apps/v1", kind: "ReplicaSet", namespace: "shop", name: "web", uid: "1" };

describe("ObjectIdentity", () => {
  it("follows from an owner reference and the namespace of its object (X22)", () => {
    expect(identityOfOwner({ apiVersion: "apps/v1", kind: "ReplicaSet", name: "web", uid: "1", controller: true }, "shop")).toEqual(web);
  });

  it("differs when any part differs", () => {
    expect(sameIdentity(web, { ...web })).toBe(true);
    for (const part of ["apiVersion", "kind", "namespace", "name", "uid"] as const)
      expect(sameIdentity(web, { ...web, [part]: "other" })).toBe(false);
  });

  it("is referred to without its namespace", () => {
    expect(refersTo({ apiVersion: "apps/v1", kind: "ReplicaSet", name: "web", uid: "1" }, { ...web, namespace: "elsewhere" })).toBe(true);
    expect(refersTo({ apiVersion: "apps/v2", kind: "ReplicaSet", name: "web", uid: "1" }, web)).toBe(false);
  });

  it("sorts by kind, version, namespace, name and uid", () => {
    const later = ["kind", "apiVersion", "namespace", "name", "uid"] as const;
    for (const [index, part] of later.entries()) {
      const behind = { ...web, ...Object.fromEntries(later.slice(index + 1).map((minor) => [minor, ""])), [part]: "~" };
      expect(compareIdentities(web, behind)).toBeLessThan(0);
    }
  });

  it("prints as upstream prints it", () => {
    expect(printIdentity(web)).toBe("[apps/v1/ReplicaSet, namespace: shop, name: web, uid: 1]");
  });
});
