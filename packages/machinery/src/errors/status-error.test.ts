import { describe, expect, it } from "vitest";
import { fieldInvalid, fieldRequired } from "../field/field-error.ts";
import {
  newApplyConflict,
  newFailure,
  newForbidden,
  newInternalError,
  newInvalid,
  newMethodNotSupported,
  newNotFound,
  newTooLargeResourceVersion,
  newUnauthorized,
} from "./status-error.ts";

describe("Status constructors", () => {
  it("write each member as the server does", () => {
    expect(JSON.stringify(newNotFound({ group: "apps", resource: "deployments" }, "web"))).toBe(
      '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"deployments.apps \\"web\\" not found","reason":"NotFound","details":{"name":"web","group":"apps","kind":"deployments"},"code":404}',
    );
    expect(JSON.stringify(newFailure(500, "", "oops"))).toBe(
      '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"oops","code":500}',
    );
    expect(JSON.stringify(newTooLargeResourceVersion("99999999", "342", 1))).toBe(
      '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Timeout: Too large resource version: 99999999, current: 342","reason":"Timeout","details":{"causes":[{"reason":"ResourceVersionTooLarge","message":"Too large resource version"}],"retryAfterSeconds":1},"code":504}',
    );
  });

  it("name every invalid field", () => {
    const one = newInvalid({ group: "", kind: "Pod" }, "web-0", [fieldRequired("spec.containers")]);
    expect(one.message).toBe('Pod "web-0" is invalid: spec.containers: Required value');
    const two = newInvalid({ group: "apps", kind: "Deployment" }, "web", [
      fieldRequired("spec.selector"),
      fieldInvalid("spec.replicas", -1, "must be greater than or equal to 0"),
    ]);
    expect(two.message).toBe(
      'Deployment.apps "web" is invalid: [spec.selector: Required value, spec.replicas: Invalid value: -1: must be greater than or equal to 0]',
    );
    expect(two.details).toEqual({
      name: "web",
      group: "apps",
      kind: "Deployment",
      causes: [
        { reason: "FieldValueRequired", message: "Required value", field: "spec.selector" },
        { reason: "FieldValueInvalid", message: "Invalid value: -1: must be greater than or equal to 0", field: "spec.replicas" },
      ],
    });
    expect(newInvalid({ group: "", kind: "" }, "", []).message).toBe(' "" is invalid');
  });

  it("name the forbidden object, resource or path", () => {
    expect(newForbidden({ group: "", resource: "pods" }, "x", 'User "alice" cannot get resource').message).toBe(
      'pods "x" is forbidden: User "alice" cannot get resource',
    );
    expect(newForbidden({ group: "", resource: "pods" }, "", "no").message).toBe("pods is forbidden: no");
    expect(newForbidden({ group: "", resource: "" }, "", 'User "alice" cannot get path "/metrics"').message).toBe(
      'forbidden: User "alice" cannot get path "/metrics"',
    );
    expect(newMethodNotSupported({ group: "ex.io", resource: "widgets" }, "create").message).toBe(
      'create is not supported on resources of kind "widgets.ex.io"',
    );
    expect(newUnauthorized().message).toBe("not authorized");
  });

  it("omit empty members, and keep given details", () => {
    expect(newApplyConflict([], "m").details).toEqual({});
    expect(newInternalError("").details).toEqual({ causes: [{}] });
  });
});
