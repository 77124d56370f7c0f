import { expect, it } from "vitest";

import { emptyObject, managerAt } from "./apply-scope.ts";
import type { ApplyScope } from "./apply-scope.ts";

const scope: ApplyScope = { apiVersion: "apps/v1", kind: "Deployment", typeOf: () => undefined };

it("emptyObject returns an object before any field is set", () => {
  expect(emptyObject(scope)).toEqual({ apiVersion: "apps/v1", kind: "Deployment" });
  expect(emptyObject({ ...scope, emptyObject: { spec: {} } })).toEqual({ spec: {} });
});

it("managerAt identifies a writer, with or without a name", () => {
  expect(managerAt(scope, "a", "Apply")).toEqual({ manager: "a", operation: "Apply", apiVersion: "apps/v1", subresource: "" });
  expect(managerAt({ ...scope, subresource: "status" }, "", "Update")).toEqual({
    manager: "unknown",
    operation: "Update",
    apiVersion: "apps/v1",
    subresource: "status",
  });
});
