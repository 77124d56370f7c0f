import { printFieldError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { validateAdmissionRule } from "./admission-rule.ts";

const good = { operations: ["CREATE" as const], apiGroups: [""], apiVersions: ["v1"], resources: ["pods"] };
const resources = (...list: string[]): string[] => validateAdmissionRule({ ...good, resources: list }, "r").map(printFieldError);

describe("validateAdmissionRule", () => {
  it("requires all lists, and * to be alone", () => {
    expect(validateAdmissionRule(good, "r")).toEqual([]);
    expect(validateAdmissionRule({ ...good, apiGroups: ["*", "apps"], apiVersions: [] }, "r").map(printFieldError)).toEqual([
      'r.apiGroups: Invalid value: ["*","apps"]: if \'*\' is present, must not specify other API groups',
      "r.apiVersions: Required value",
    ]);
  });

  it("refuses resources that others already include", () => {
    expect([resources("*", "pods/status"), resources("pods/*", "nodes")]).toEqual([[], []]);
    expect(resources("pods/*", "pods/status")).toEqual([
      "r.resources[1]: Invalid value: \"pods/status\": if 'pods/*' is present, must not specify pods/status",
    ]);
    expect(resources("*", "pods")).toEqual([
      'r.resources: Invalid value: ["*","pods"]: if \'*\' is present, must not specify other resources without subresources',
    ]);
    expect(resources("*/*", "pods")).toEqual([
      'r.resources: Invalid value: ["*/*","pods"]: if \'*/*\' is present, must not specify other resources',
    ]);
  });
});
