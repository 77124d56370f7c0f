import { ApiError, fieldInvalid, newForbidden, newInvalid, newNotFound, newUnauthorized } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { failureFix } from "./failure-fix.ts";

const pods = { group: "", resource: "pods" };

describe("failureFix", () => {
  it("names the right that is missing", () => {
    const refused = (why: string): Error => new Error("apply", { cause: new ApiError(newForbidden(pods, "web", why)) });
    expect(failureFix(refused('User "x" cannot patch resource "deployments" in API group "apps" in the namespace "shop"'))).toEqual({
      fix: "allow the operator to patch deployments.apps; app.roles() lists all it needs",
      code: "DRV0422",
    });
    expect(failureFix(refused('User "x" cannot get resource "pods" in API group "" in the namespace "shop"'))).toMatchObject({
      fix: "allow the operator to get pods; app.roles() lists all it needs",
    });
    expect(failureFix(refused("exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1"))).toMatchObject({
      fix: expect.stringContaining("ResourceQuota") as string,
      code: "DRV0423",
    });
    expect(failureFix(refused("a webhook says no"))).toBeUndefined();
  });

  it("knows immutable fields, missing kinds and rejected credentials, and nothing about other errors", () => {
    const kind = { group: "apps", kind: "Deployment" };
    expect(failureFix(new ApiError(newInvalid(kind, "web", [fieldInvalid("spec.selector", "x", "field is immutable")])))?.fix).toContain(
      "onImmutable",
    );
    expect(
      failureFix(new ApiError({ ...newNotFound(pods, "x"), message: "the server could not find the requested resource" }))?.fix,
    ).toContain("CustomResourceDefinition");
    expect(failureFix(new ApiError(newUnauthorized("Unauthorized")))?.fix).toContain("credentials");
    expect([failureFix(new ApiError(newNotFound(pods, "x"))), failureFix(new Error("x")), failureFix(undefined)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
