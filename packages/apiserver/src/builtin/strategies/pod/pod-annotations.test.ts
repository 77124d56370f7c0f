import { describe, expect, it } from "vitest";
import { texts } from "../../../testing/workload-sample.ts";
import {
  appArmorPrefix,
  mirrorAnnotation,
  podSeccompAnnotation,
  validatePodAnnotations,
  validatePodAnnotationsUpdate,
  validateProfilesAgree,
} from "./pod-annotations.ts";

const spec = { containers: [{ name: "c" }] };
const cost = "controller.kubernetes.io/pod-deletion-cost";

describe("pod annotations", () => {
  it.each([
    ["0", 0],
    ["-1", 0],
    ["2147483647", 0],
    ["+1", 1],
    ["01", 1],
    ["x", 1],
    ["2147483648", 1],
    ["", 1],
  ])("validate %j as deletion cost", (value, count) => {
    expect(validatePodAnnotations({ [cost]: value }, spec, "a")).toHaveLength(count);
  });

  it("must name existing containers", () => {
    expect(texts(validatePodAnnotations({ [`${appArmorPrefix}x`]: "y" }, spec, "a"))).toEqual([
      `a[${appArmorPrefix}x]: Invalid value: "x": container not found`,
      `a[${appArmorPrefix}x]: Invalid value: "y": invalid AppArmor profile name: "y"`,
    ]);
  });

  it("of mirror pods require a node and are immutable", () => {
    expect(texts(validatePodAnnotations({ [mirrorAnnotation]: "m" }, spec, "a"))).toEqual([
      `a[${mirrorAnnotation}]: Invalid value: "m": must set spec.nodeName if mirror pod annotation is set`,
    ]);
    expect(texts(validatePodAnnotationsUpdate({}, { [mirrorAnnotation]: "m" }, spec, "a"))).toEqual([
      `a[${mirrorAnnotation}]: Forbidden: may not remove or update mirror pod annotation`,
    ]);
  });

  it("must agree with the corresponding fields", () => {
    expect(
      texts(
        validateProfilesAgree(
          { [podSeccompAnnotation]: "unconfined" },
          { ...spec, securityContext: { seccompProfile: { type: "RuntimeDefault" } } },
          "s",
        ),
      ),
    ).toEqual(["s.securityContext.seccompProfile.type: Forbidden: seccomp type in annotation and field must match"]);
    expect(
      texts(
        validateProfilesAgree(
          { [`${appArmorPrefix}c`]: "localhost/a" },
          { containers: [{ name: "c", securityContext: { appArmorProfile: { type: "Localhost", localhostProfile: "b" } } }] },
          "s",
        ),
      ),
    ).toEqual([
      "s.containers[0].securityContext.appArmorProfile.localhostProfile: Forbidden: apparmor profile in annotation and field must match",
    ]);
  });

  it("ignore inherited properties", () => {
    expect(validatePodAnnotations(JSON.parse('{"__proto__":"x"}') as Record<string, string>, spec, "a")).toEqual([]);
  });
});
