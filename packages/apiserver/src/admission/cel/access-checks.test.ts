import { describe, expect, it } from "vitest";
import type { Attributes } from "../../access/authorizer.ts";
import { AccessChecks, UndecidedError } from "./access-checks.ts";

const attributes: Attributes = {
  user: { name: "ann", groups: [] },
  verb: "get",
  isResourceRequest: false,
  path: "/",
  group: "",
  version: "",
  resource: "",
  subresource: "",
  namespace: "",
  name: "",
};

describe("AccessChecks", () => {
  it("knows a decision after the error at its first call", async () => {
    const checks = new AccessChecks({ authorize: ({ verb }) => Promise.resolve({ decision: verb === "get" ? "allow" : "deny" }) });
    const ask = async (verb: string): Promise<unknown> => {
      try {
        return checks.decide({ ...attributes, verb });
      } catch (error) {
        if (!(error instanceof UndecidedError)) throw error;
        await error.decision;
        return "undecided";
      }
    };
    expect([await ask("get"), await ask("get"), await ask("put"), await ask("put")]).toEqual([
      "undecided",
      { decision: "allow" },
      "undecided",
      { decision: "deny" },
    ]);
  });

  it("passes on the error of an authorizer", async () => {
    const checks = new AccessChecks({ authorize: () => Promise.reject(new Error("gone")) });
    const error = (() => {
      try {
        return checks.decide(attributes);
      } catch (thrown) {
        return thrown;
      }
    })();
    await expect((error as UndecidedError).decision).rejects.toThrow("gone");
  });
});
