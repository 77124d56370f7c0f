import { describe, expect, it } from "vitest";
import type { Attributes } from "./authorizer.ts";
import { forbidden } from "./forbidden.ts";

const attributes: Attributes = {
  user: { name: "alice", groups: [] },
  verb: "get",
  isResourceRequest: true,
  path: "",
  group: "",
  version: "v1",
  resource: "pods",
  subresource: "",
  namespace: "default",
  name: "x",
};

// All texts were recorded from a real server with RBAC.
describe("forbidden", () => {
  it("names the object, user, verb, resource and namespace in the 403", () => {
    const { status, headers } = forbidden(attributes, {});
    expect(status).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      reason: "Forbidden",
      code: 403,
      details: { name: "x", kind: "pods" },
      message: 'pods "x" is forbidden: User "alice" cannot get resource "pods" in API group "" in the namespace "default"',
    });
    expect(headers).toEqual({ "x-content-type-options": "nosniff" });
  });

  it("words the 403 for subresources, collections, cluster scope and API groups", () => {
    const message = (changes: Partial<Attributes>): string => forbidden({ ...attributes, ...changes }, {}).message;
    expect(message({ subresource: "log", namespace: 'de"fault' })).toBe(
      'pods "x" is forbidden: User "alice" cannot get resource "pods/log" in API group "" in the namespace "de\\"fault"',
    );
    expect(message({ verb: "list", resource: "nodes", namespace: "", name: "" })).toBe(
      'nodes is forbidden: User "alice" cannot list resource "nodes" in API group "" at the cluster scope',
    );
    expect(message({ group: "apps", resource: "deployments" })).toBe(
      'deployments.apps "x" is forbidden: User "alice" cannot get resource "deployments" in API group "apps" in the namespace "default"',
    );
  });

  it("words the 403 for paths and escapes HTML", () => {
    const { status } = forbidden({ ...attributes, isResourceRequest: false, path: '/a<b>&"c', resource: "", name: "" }, {});
    expect(status.message).toBe('forbidden: User "alice" cannot get path "/a&lt;b&gt;&amp;\\"c"');
    expect(status.details).toEqual({});
  });

  it("appends the authorizer's reason", () => {
    expect(forbidden(attributes, { reason: "RBAC: <none>" }).message.endsWith('in the namespace "default": RBAC: <none>')).toBe(true);
  });
});
