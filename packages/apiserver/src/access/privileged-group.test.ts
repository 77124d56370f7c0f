import { expect, it } from "vitest";
import { privilegedGroup } from "./privileged-group.ts";
import { mastersGroup } from "./system-names.ts";

const authorizer = privilegedGroup(mastersGroup);
const admin = { name: "ann", groups: [mastersGroup] };
const other = { name: "bob", groups: ["system:authenticated"] };
const metrics = {
  verb: "get",
  isResourceRequest: false,
  path: "/metrics",
  group: "",
  version: "",
  resource: "",
  subresource: "",
  namespace: "",
  name: "",
};

it("privilegedGroup allows everything to members and has no opinion on others", async () => {
  expect(await authorizer.authorize({ ...metrics, user: admin })).toEqual({ decision: "allow" });
  expect(await authorizer.authorize({ ...metrics, user: other })).toEqual({ decision: "no-opinion" });
});

it("privilegedGroup adds no rules to a rules review, as kube-apiserver adds none", async () => {
  expect(await authorizer.rulesFor(admin, "default")).toEqual({ resourceRules: [], nonResourceRules: [], incomplete: false });
});
