import { describe, expect, it } from "vitest";
import { alwaysAllow } from "./always-allow.ts";

describe("alwaysAllow", () => {
  it("allows every request and reports the rule for everything", async () => {
    const user = { name: "nobody", groups: [] };
    expect(
      await alwaysAllow.authorize({
        user,
        verb: "delete",
        isResourceRequest: true,
        path: "",
        group: "",
        version: "v1",
        resource: "nodes",
        subresource: "",
        namespace: "",
        name: "",
      }),
    ).toEqual({ decision: "allow" });
    expect(await alwaysAllow.rulesFor(user, "default")).toEqual({
      resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }],
      nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
      incomplete: false,
    });
  });
});
