import { describe, expect, it } from "vitest";
import type { Attributes } from "../authorizer.ts";
import { ruleAllows } from "./rbac-rule.ts";
import type { Rule } from "./rbac-rule.ts";

const asked = (given: Partial<Attributes>): Attributes => ({
  user: { name: "alice", groups: [] },
  verb: "get",
  isResourceRequest: true,
  path: "",
  group: "",
  version: "v1",
  resource: "pods",
  subresource: "",
  namespace: "shop",
  name: "",
  ...given,
});
const pods: Rule = { verbs: ["get", "list"], apiGroups: [""], resources: ["pods"] };
const path = (text: string, verb = "get"): Attributes => asked({ isResourceRequest: false, path: text, verb });

describe("ruleAllows", () => {
  it.each<[string, Rule, Attributes, boolean]>([
    ["a listed verb, group and resource", pods, asked({}), true],
    ["another verb", pods, asked({ verb: "watch" }), false],
    ["another group", pods, asked({ group: "apps" }), false],
    ["another resource", pods, asked({ resource: "secrets" }), false],
    ["a subresource that is not listed", pods, asked({ subresource: "log" }), false],
    ["a listed subresource", { ...pods, resources: ["pods/log"] }, asked({ subresource: "log" }), true],
    ["the resource of a listed subresource", { ...pods, resources: ["pods/log"] }, asked({}), false],
    ["a subresource of all resources", { ...pods, resources: ["*/scale"] }, asked({ subresource: "scale" }), true],
    ["another subresource of all resources", { ...pods, resources: ["*/scale"] }, asked({ subresource: "status" }), false],
    ["subresources of everything", { ...pods, resources: ["*"] }, asked({ subresource: "log" }), true],
    ["all verbs, groups and resources", { verbs: ["*"], apiGroups: ["*"], resources: ["*"] }, asked({ verb: "x", group: "y" }), true],
    ["a listed name", { ...pods, resourceNames: ["web"] }, asked({ name: "web" }), true],
    ["another name", { ...pods, resourceNames: ["web"] }, asked({ name: "db" }), false],
    ["a collection, with names", { ...pods, resourceNames: ["web"] }, asked({ verb: "list" }), false],
    ["a resource, with an empty list of names", { ...pods, resourceNames: [] }, asked({ name: "db" }), true],
    ["a resource, of a rule without groups", { verbs: ["*"], resources: ["*"] }, asked({}), false],
    ["a path, of a rule for resources", { verbs: ["*"], apiGroups: ["*"], resources: ["*"] }, path("/healthz"), false],
    ["a resource, of a rule for paths", { verbs: ["*"], nonResourceURLs: ["*"] }, asked({}), false],
    ["a listed path", { verbs: ["get"], nonResourceURLs: ["/healthz"] }, path("/healthz"), true],
    ["a path below a listed one", { verbs: ["get"], nonResourceURLs: ["/healthz"] }, path("/healthz/etcd"), false],
    ["a path below a star", { verbs: ["get"], nonResourceURLs: ["/healthz/*"] }, path("/healthz/etcd"), true],
    ["the path before a star", { verbs: ["get"], nonResourceURLs: ["/healthz/*"] }, path("/healthz"), false],
    ["a path with another verb", { verbs: ["get"], nonResourceURLs: ["*"] }, path("/healthz", "post"), false],
    ["every path", { verbs: ["*"], nonResourceURLs: ["*"] }, path("/x", "post"), true],
  ])("decides about %s", (_, rule, attributes, isAllowed) => {
    expect(ruleAllows(rule, attributes)).toBe(isAllowed);
  });
});
