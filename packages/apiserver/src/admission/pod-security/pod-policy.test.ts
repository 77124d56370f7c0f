import { printFieldErrors } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { isOpen, openPolicy, policyOfLabels, printLevelVersion } from "./pod-policy.ts";

const policy = (labels: Readonly<Record<string, string>>): Readonly<Record<string, string>> => {
  const prefixed = Object.fromEntries(Object.entries(labels).map(([key, value]) => [`pod-security.kubernetes.io/${key}`, value]));
  const { enforce, audit, warn, errors } = policyOfLabels(prefixed);
  const print = { enforce: printLevelVersion(enforce), audit: printLevelVersion(audit), warn: printLevelVersion(warn) };
  return errors.length === 0 ? print : { ...print, errors: printFieldErrors(errors) };
};
const open = "privileged:latest";

describe("the pod security policy of labels", () => {
  it("allows everything without labels", () => {
    expect(policyOfLabels(undefined)).toEqual(openPolicy);
    expect(isOpen(openPolicy)).toBe(true);
    expect(isOpen({ ...openPolicy, audit: { level: "baseline", version: 1 } })).toBe(false);
  });

  it("warns about what is enforced unless labels say otherwise", () => {
    expect(policy({ enforce: "restricted", "enforce-version": "v1.25" })).toEqual({
      enforce: "restricted:v1.25",
      audit: open,
      warn: "restricted:v1.25",
    });
    expect(policy({ enforce: "baseline", "warn-version": "v1.30" })["warn"]).toBe("baseline:v1.30");
    expect(policy({ enforce: "baseline", warn: "privileged" })["warn"]).toBe(open);
    expect(policy({ enforce: "privileged", "enforce-version": "v1.1" })).toEqual({ enforce: "privileged:v1.1", audit: open, warn: open });
  });

  it("enforces the strictest level for an invalid one, and names each invalid label", () => {
    const path = "metadata.labels[pod-security.kubernetes.io/enforce]";
    expect(policy({ enforce: "Strict" })).toEqual({
      enforce: "restricted:latest",
      audit: open,
      warn: open,
      errors: `${path}: Invalid value: "Strict": must be one of privileged, baseline, restricted`,
    });
    for (const version of ["1.25", "v1.025", "v2.1", "", "v1.99999999999999999999"])
      expect(policy({ "warn-version": version })["errors"]).toContain('must be "latest" or "v1.x"');
    expect(policy({ audit: "x", "audit-version": "v1.2" })["audit"]).toBe("privileged:v1.2");
  });
});
