import { describe, expect, it } from "vitest";
import type { Attributes } from "../../access/authorizer.ts";
import { admissionEnvironment } from "../admission/admission-environment.ts";
import { compileAdmissionExpression } from "../admission/admission-expression.ts";
import { checkText } from "../testing/evaluate-text.ts";
import { authorizerValue, resourceCheckValue } from "./authorizers.ts";

const environment = admissionEnvironment({ hasParams: false, hasAuthorizer: true });
const user = { name: "ann", groups: ["dev"] };

/** Evaluates a text; every verb but "get" is denied. */
function ask(text: string): { readonly outcome: unknown; readonly cost: number; readonly asked: readonly Attributes[] } {
  const asked: Attributes[] = [];
  const decide = (attributes: Attributes) => {
    asked.push(attributes);
    return { decision: attributes.verb === "get" ? "allow" : "deny", reason: `may ${attributes.verb}` } as const;
  };
  const compiled = compileAdmissionExpression(text, environment);
  if ("problem" in compiled) throw new Error(compiled.problem);
  const resource = { group: "apps", resource: "deployments", subresource: "scale", namespace: "shop", name: "web" };
  const values = new Map([
    ["authorizer", authorizerValue(user, decide)],
    ["authorizer.requestResource", resourceCheckValue(user, decide, resource)],
  ]);
  return { ...compiled.program(values, 1_000_000), asked };
}

describe("authorizer functions of CEL", () => {
  it("ask about a resource, a path, and the resource of the request", () => {
    expect(ask("authorizer.group('apps').resource('deployments').namespace('a').name('b').check('get').allowed()")).toMatchObject({
      outcome: true,
      asked: [
        { user, verb: "get", isResourceRequest: true, group: "apps", version: "*", resource: "deployments", namespace: "a", name: "b" },
      ],
    });
    expect(ask("authorizer.path('/healthz').check('put').reason()")).toMatchObject({
      outcome: "may put",
      asked: [{ isResourceRequest: false, path: "/healthz", verb: "put" }],
    });
    expect(ask("authorizer.requestResource.check('delete').allowed()")).toMatchObject({
      outcome: false,
      asked: [{ group: "apps", resource: "deployments", subresource: "scale", namespace: "shop", name: "web" }],
    });
  });

  it("ask as a service account", () => {
    const { asked } = ask("authorizer.serviceAccount('shop', 'robot').path('/x').check('get').allowed()");
    expect(asked[0]?.user).toEqual({
      name: "system:serviceaccount:shop:robot",
      groups: ["system:serviceaccounts", "system:serviceaccounts:shop"],
    });
    expect(ask("authorizer.serviceAccount('shop', 'Robot').path('/x')").outcome).toMatchObject({ message: "Invalid service account name" });
    expect(ask("authorizer.serviceAccount('a.b', 'x').path('/x')").outcome).toMatchObject({ message: "Invalid service account namespace" });
  });

  it("refuse empty paths and resources", () => {
    expect(ask("authorizer.path(' ')").outcome).toMatchObject({ message: "path must not be empty" });
    expect(ask("authorizer.group('').resource('')").outcome).toMatchObject({ message: "resource must not be empty" });
  });

  it("cost so much that an expression can afford two checks", () => {
    expect(ask("authorizer.path('/a').check('get').allowed()").cost).toBe(350_003);
    const three = ["a", "b", "c"].map((path) => `authorizer.path('/${path}').check('get').allowed()`).join(" && ");
    expect(ask(three).outcome).toMatchObject({ message: "operation cancelled: actual cost limit exceeded" });
  });

  it("are declared for rules, but no value of a rule has their type", () => {
    expect(() => checkText("'x'.check('get')")).toThrow("found no matching overload for 'check' applied to 'string.(string)'");
    expect(() => checkText("authorizer.path('/x').check('get').allowed()")).toThrow(
      /^ERROR: <input>:1:1: undeclared reference to 'authorizer' \(in container ''\)\n[^\n]*\n[^\n]*$/,
    );
  });
});
