import { describe, expect, it } from "vitest";
import type { Attributes, Decision } from "./authorizer.ts";
import { reviewAccess } from "./reviewed-access.ts";
import type { AskedAccess } from "./reviewed-access.ts";

const user = { name: "alice", groups: ["dev"] };
const answer = (decision: Decision, asked: AskedAccess = { resourceAttributes: {} }): ReturnType<typeof reviewAccess> =>
  reviewAccess(user, asked, { authorize: () => Promise.resolve(decision) });

describe("reviewAccess", () => {
  it("asks the authorizer, with * for an unset version", async () => {
    const asked: Attributes[] = [];
    const authorize = (attributes: Attributes): Promise<Decision> => {
      asked.push(attributes);
      return Promise.resolve({ decision: "allow" });
    };
    await reviewAccess(
      user,
      { resourceAttributes: { verb: "get", group: "apps", resource: "deployments", subresource: "scale", namespace: "ns", name: "web" } },
      { authorize },
    );
    await reviewAccess(user, { nonResourceAttributes: { path: "/metrics", verb: "get" } }, { authorize });
    expect(asked).toEqual([
      {
        user,
        verb: "get",
        isResourceRequest: true,
        path: "",
        group: "apps",
        version: "*",
        resource: "deployments",
        subresource: "scale",
        namespace: "ns",
        name: "web",
        fieldSelector: "",
      },
      {
        user,
        verb: "get",
        isResourceRequest: false,
        path: "/metrics",
        group: "",
        version: "",
        resource: "",
        subresource: "",
        namespace: "",
        name: "",
      },
    ]);
  });

  it("passes on the field selector, without requirements that cannot be read", async () => {
    const selectorOf = async (fieldSelector: object): Promise<unknown> => {
      let asked: string | undefined;
      const authorize = ({ fieldSelector: given }: Attributes): Promise<Decision> => {
        asked = given;
        return Promise.resolve({ decision: "allow" });
      };
      await reviewAccess(user, { resourceAttributes: { verb: "list", resource: "pods", fieldSelector } }, { authorize });
      return asked;
    };
    expect(await selectorOf({ rawSelector: "spec.nodeName=n1" })).toBe("spec.nodeName=n1");
    const requirements = [
      { key: "spec.nodeName", operator: "In", values: ["n,1"] },
      { key: "a", operator: "NotIn", values: ["b"] },
      { key: "c", operator: "In", values: ["d", "e"] },
    ];
    expect(await selectorOf({ requirements })).toBe("spec.nodeName=n\\,1,a!=b");
  });

  it("reports allowed, denied or neither", async () => {
    expect(await answer({ decision: "allow", reason: "because" })).toEqual({ allowed: true, reason: "because" });
    expect(await answer({ decision: "deny" })).toEqual({ allowed: false, denied: true });
    expect(await answer({ decision: "no-opinion", evaluationError: "role not found" })).toEqual({
      allowed: false,
      evaluationError: "role not found",
    });
  });

  // The texts were recorded from a real server.
  it("reports selectors that could not be parsed", async () => {
    const asked: AskedAccess = {
      resourceAttributes: {
        fieldSelector: {
          requirements: [
            { key: "x", operator: "Foo" },
            { key: "y", operator: "In", values: ["a"] },
          ],
        },
        labelSelector: { rawSelector: "a in (" },
      },
    };
    expect(await answer({ decision: "no-opinion" }, asked)).toEqual({
      allowed: false,
      evaluationError:
        "spec.resourceAttributes.fieldSelector partially ignored due to parse error; spec.resourceAttributes.labelSelector ignored due to parse error",
    });
    expect(
      await answer(
        { decision: "allow" },
        { resourceAttributes: { fieldSelector: { requirements: [{ key: "y", operator: "In", values: ["a", "b"] }] } } },
      ),
    ).toEqual({
      allowed: true,
      evaluationError: "spec.resourceAttributes.fieldSelector ignored due to parse error",
    });
    expect(
      await answer(
        { decision: "allow" },
        {
          resourceAttributes: {
            fieldSelector: { rawSelector: "a=b" },
            labelSelector: { requirements: [{ key: "a", operator: "Exists" }] },
          },
        },
      ),
    ).toEqual({ allowed: true });
  });
});
