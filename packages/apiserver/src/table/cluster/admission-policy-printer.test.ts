import { MutatingAdmissionPolicy, ValidatingAdmissionPolicy } from "@drover/api/admissionregistration/v1";
import { describe, expect, it } from "vitest";
import { printed } from "../../testing/printed.ts";

describe("admission policy tables", () => {
  it("have the number of validations or mutations, and paramKind", () => {
    expect(
      printed(ValidatingAdmissionPolicy, {
        spec: { validations: [{ expression: "true" }], paramKind: { apiVersion: "v1", kind: "ConfigMap" } },
      }),
    ).toEqual({ Name: "web", Validations: 1, ParamKind: "v1/ConfigMap", Age: "5m" });
    expect(printed(MutatingAdmissionPolicy, { spec: {} })).toEqual({ Name: "web", Mutations: 0, ParamKind: "<unset>", Age: "5m" });
  });
});
