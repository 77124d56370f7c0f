import { expect, it } from "vitest";

import { emptyObject, managerAt } from "./apply-scope.ts";
import type { ApplyScope } from "./apply-scope.ts";

const scope: ApplyScope = { apiVersion: "apps/v1", kind: "Deployment", typeOf: () => undefined };

it("knows what an object is before anybody has set a field", () => {
  expect(emptyObject(scope)).toEqual({ apiVersion: "apps/v1", kind: "Deployment" });
  expect(emptyObject({ ...scope, emptyObject: { spec: {} } })).toEqual({ spec: {} });
});

it("knows who a writer is, with or without a name", () => {
  expect(managerAt(scope, "a", "Apply")).toEqual({ manager: "a", operation: "Apply", apiVersion: "apps/v1", subresource: "" });
  expect(managerAt({ ...scope, subresource: "status" }, "", "Update")).toEqual({
    manager: "unknown",
    operation: "Update",
    apiVersion: "apps/v1",
    subresource: "status",
  });
});
