import { describe, expect, it } from "vitest";
import type { Authorizer, Decision, Rules } from "./authorizer.ts";
import { authorizerUnion } from "./authorizer-union.ts";

const nothing: Rules = { resourceRules: [], nonResourceRules: [], incomplete: false };
const saying = (decision: Decision, rules: Partial<Rules> = {}): Authorizer => ({
  authorize: () => Promise.resolve(decision),
  rulesFor: () => Promise.resolve({ ...nothing, ...rules }),
});
const user = { name: "alice", groups: ["dev"] };
const asked = {
  user,
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

describe("authorizerUnion", () => {
  it("decides at once, as it does otherwise, unless it has to wait for one of them", async () => {
    const atOnce = (decision: Decision): Authorizer => ({ ...saying(decision), decide: () => decision });
    const [none, allows, denies] = [
      { decision: "no-opinion", reason: "who?", evaluationError: "gone" },
      { decision: "allow", reason: "yes" },
      { decision: "deny" },
    ] as const;
    for (const decisions of [[none, allows], [none, none], [denies, allows], [none, denies], []]) {
      const union = authorizerUnion(decisions.map(atOnce));
      expect(union.decide?.(asked)).toEqual(await union.authorize(asked));
    }
    expect(authorizerUnion([atOnce(none), saying(allows)]).decide?.(asked)).toBeUndefined();
    expect(authorizerUnion([atOnce(allows), saying(denies)]).decide?.(asked)).toEqual(allows);
  });

  it("takes the first decision", async () => {
    const none = saying({ decision: "no-opinion", reason: "who?" });
    const denies = saying({ decision: "deny", reason: "no" });
    const allows = saying({ decision: "allow" });
    expect(await authorizerUnion([none, denies, allows]).authorize(asked)).toEqual({ decision: "deny", reason: "no" });
    expect(await authorizerUnion([none, allows, denies]).authorize(asked)).toEqual({ decision: "allow" });
  });

  it("has no opinion if none has one, for all their reasons and errors", async () => {
    const one = saying({ decision: "no-opinion", reason: "a", evaluationError: "x" });
    const other = saying({ decision: "no-opinion", reason: "b", evaluationError: "y" });
    expect(await authorizerUnion([one, saying({ decision: "no-opinion" }), other]).authorize(asked)).toEqual({
      decision: "no-opinion",
      reason: "a\nb",
      evaluationError: "[x, y]",
    });
  });

  it("lists the rules of all", async () => {
    const rule = { verbs: ["get"], apiGroups: [""], resources: ["pods"] };
    const union = authorizerUnion([
      saying({ decision: "allow" }, { resourceRules: [rule] }),
      saying({ decision: "allow" }, { incomplete: true, evaluationError: "x" }),
    ]);
    expect(await union.rulesFor(user, "shop")).toEqual({
      resourceRules: [rule],
      nonResourceRules: [],
      incomplete: true,
      evaluationError: "x",
    });
  });
});
