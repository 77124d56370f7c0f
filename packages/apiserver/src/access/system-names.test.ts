import { describe, expect, it } from "vitest";
import { adminUser, nodeOfName, serviceAccountGroups, splitServiceAccountName, withGroup } from "./system-names.ts";

describe("system names", () => {
  it("splitServiceAccountName recognizes service accounts", () => {
    expect(splitServiceAccountName("system:serviceaccount:a:b.c")).toEqual({ namespace: "a", name: "b.c" });
    for (const other of [
      "system:serviceaccount:a",
      "system:serviceaccount:a:b:c",
      "system:serviceaccount:A:b",
      "system:serviceaccount:a.b:c",
      "system:serviceaccount:a:",
      "bob",
    ])
      expect(splitServiceAccountName(other)).toBeUndefined();
    expect(serviceAccountGroups("a")).toEqual(["system:serviceaccounts", "system:serviceaccounts:a"]);
  });

  it("nodeOfName recognizes nodes", () => {
    expect(nodeOfName("system:node:n-1.example")).toBe("n-1.example");
    for (const other of ["system:node:", "system:node:N", "system:nodes", "node"]) expect(nodeOfName(other)).toBeUndefined();
  });

  it("withGroup adds a group once", () => {
    expect(withGroup(adminUser, "x").groups).toEqual(["system:masters", "x"]);
    expect(withGroup(adminUser, "system:masters")).toBe(adminUser);
  });
});
