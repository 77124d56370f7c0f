import { describe, expect, it } from "vitest";
import { checkTypeName, checkVersion, groupFolders, splitDefinition } from "./naming.ts";

describe("groupFolders", () => {
  it("gives the core group a name and others their first label", () => {
    expect(groupFolders(["", "apps", "networking.k8s.io", "rbac.authorization.k8s.io"])).toEqual(
      new Map([
        ["", "core"],
        ["apps", "apps"],
        ["networking.k8s.io", "networking"],
        ["rbac.authorization.k8s.io", "rbac"],
      ]),
    );
  });

  it("spells groups out which would share a folder, and leaves the others short", () => {
    expect([...groupFolders(["metrics.k8s.io", "metrics.example.com", "batch"]).values()]).toEqual([
      "metrics-k8s-io",
      "metrics-example-com",
      "batch",
    ]);
  });

  it("counts a group once, however often it is named", () => {
    expect([...groupFolders(["apps", "apps"]).values()]).toEqual(["apps"]);
  });

  it("keeps groups away from folders that mean something else", () => {
    expect([...groupFolders(["core.example.com", "schemas.example.com", "meta.example.com", "testing"]).values()]).toEqual([
      "core-example-com",
      "schemas-example-com",
      "meta-example-com",
      "testing",
    ]);
  });

  it.each(["../etc", "a/b", 'a"b', "Apps", ".", "a.", "x\n"])("refuses the group %j", (group) => {
    expect(() => groupFolders([group])).toThrow(/cannot be an API group/);
  });
});

describe("names", () => {
  it("splits the name of a definition at its last dot", () => {
    expect(splitDefinition("io.k8s.api.core.v1.PodSpec")).toEqual({ packageName: "io.k8s.api.core.v1", name: "PodSpec" });
  });

  it.each(["Pod", "io.k8s..Pod", "io.k8s.pod", "io.k8s.Pod;x", "../io.k8s.Pod", "io.k8s.Record", ""])(
    "refuses the definition %j",
    (fullName) => {
      expect(() => splitDefinition(fullName)).toThrow(/cannot be/);
    },
  );

  it.each(["Pod ", "9Pod", "class", "Pod\n", "P-d", "Pod<T>"])("refuses the type name %j", (name) => {
    expect(() => checkTypeName(name)).toThrow(/cannot be the name of a type/);
  });

  it.each(["1", "v1/x", "v1.2", "v1\n", ""])("refuses the version %j", (version) => {
    expect(() => checkVersion(version)).toThrow(/cannot be a version/);
  });
});
