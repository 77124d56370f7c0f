import type { JsonObject } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { Warnings } from "../request/warnings.ts";
import { dropDuplicateOwners } from "./owner-references.ts";

describe("dropDuplicateOwners", () => {
  const owner = { apiVersion: "v1", kind: "ConfigMap", name: "a", uid: "u" };
  it("drops duplicate owner references and names them in a warning", () => {
    const object: JsonObject = { metadata: { ownerReferences: [owner, owner, { ...owner, controller: true }, owner] } };
    const warnings = new Warnings();
    dropDuplicateOwners(object, warnings, "patched");
    expect(object).toEqual({ metadata: { ownerReferences: [owner, { ...owner, controller: true }] } });
    expect(JSON.stringify([...warnings.headers()])).toMatch(
      /duplicate entries after mutating admission happens; .*duplicate UID\(s\) observed: u, u/,
    );
  });
});
