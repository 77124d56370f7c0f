import { describe, expect, it } from "vitest";
import { ForeignOwnerError } from "./foreign-owner-error.ts";

describe("ForeignOwnerError", () => {
  it("names both owners and what to do", () => {
    const error = new ForeignOwnerError({
      object: "ConfigMap shop/a",
      set: "web",
      owner: "WebApp shop/w",
      otherOwner: "Deployment.apps shop/d",
    });
    expect(error.message).toBe(
      "ConfigMap shop/a belongs to Deployment.apps shop/d, so set web of WebApp shop/w does not change it; choose another name, or release it from the other owner first",
    );
    expect([error.object, error.owner, error.otherOwner]).toEqual(["ConfigMap shop/a", "WebApp shop/w", "Deployment.apps shop/d"]);
  });

  it("says how to adopt an object without an owner", () => {
    const error = new ForeignOwnerError({ object: "ConfigMap shop/a", set: "web", owner: "WebApp shop/w" });
    expect([error.otherOwner, error.message]).toEqual([undefined, expect.stringContaining('set adopt: "unowned"')]);
  });
});
