import type { PodSpec } from "@drover/api/core/v1";
import { compareBytes } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { baselineChecks, reasonsText, restrictedChecks, violationsOf, violationText } from "./evaluate-pod.ts";
import type { PodSecurityLevel, PodSecurityVersion } from "./pod-policy.ts";

const container = (extra: object = {}, name = "c"): PodSpec["containers"][number] => ({ name, image: "c", ...extra });
const reasons = (
  level: PodSecurityLevel,
  spec: Partial<PodSpec>,
  version: PodSecurityVersion = "latest",
  annotations: Readonly<Record<string, string>> = {},
): string => reasonsText(violationsOf({ level, version }, { annotations, spec: { containers: [container()], ...spec } }));
const tight = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ["ALL"] },
  runAsNonRoot: true,
  seccompProfile: { type: "RuntimeDefault" },
};

describe("the Pod Security Standards", () => {
  it("check in order of the ids", () => {
    for (const checks of [baselineChecks, restrictedChecks]) {
      const ids = checks.map(({ id }) => id);
      expect(ids).toEqual(ids.toSorted(compareBytes));
      for (const { versions } of checks) {
        const minors = versions.map(({ since }) => since);
        expect(minors).toEqual(minors.toSorted((a, b) => a - b));
      }
    }
  });

  it("allow everything at privileged, a plain pod at baseline, a tight one at restricted", () => {
    expect(reasons("privileged", { hostPID: true })).toBe("");
    expect(reasons("baseline", {})).toBe("");
    expect(reasons("restricted", { containers: [container({ securityContext: tight })] })).toBe("");
    expect(reasons("restricted", {})).toBe(
      "allowPrivilegeEscalation != false, unrestricted capabilities, runAsNonRoot != true, seccompProfile",
    );
  });

  it("have fewer checks in older versions", () => {
    expect(reasons("restricted", {}, 0)).toBe("runAsNonRoot != true");
    expect(reasons("restricted", {}, 8)).toBe("allowPrivilegeEscalation != false, runAsNonRoot != true");
    expect(reasons("restricted", {}, 19)).toBe("allowPrivilegeEscalation != false, runAsNonRoot != true, seccompProfile");
    const probed = { containers: [container({ livenessProbe: { httpGet: { port: 80, host: "h" } } })] };
    expect([33, 34, 99].map((version) => reasons("baseline", probed, version))).toEqual([
      "",
      "probe or lifecycle host",
      "probe or lifecycle host",
    ]);
    expect(reasons("baseline", {}, 18, { "seccomp.security.alpha.kubernetes.io/pod": "unconfined" })).toBe("seccompProfile");
    expect(reasons("baseline", {}, 19, { "seccomp.security.alpha.kubernetes.io/pod": "unconfined" })).toBe("");
  });

  it("replace a check of baseline by a stricter one of restricted", () => {
    const volumes = [{ name: "v", hostPath: { path: "/" } }];
    const containers = [container({ securityContext: tight })];
    expect(reasons("baseline", { volumes, containers })).toBe("hostPath volumes");
    expect(reasons("restricted", { volumes, containers })).toBe("restricted volume types");
  });

  it("relax for Windows and for user namespaces", () => {
    expect(reasons("restricted", { os: { name: "windows" } })).toBe("runAsNonRoot != true");
    expect(reasons("restricted", { os: { name: "windows" } }, 24)).toContain("unrestricted capabilities");
    const containers = [container({ securityContext: { ...tight, runAsNonRoot: false, runAsUser: 0 } })];
    expect(reasons("restricted", { hostUsers: false, containers })).toBe("");
    expect(reasons("restricted", { hostUsers: false, containers }, 34)).toBe("runAsNonRoot != true, runAsUser=0");
  });

  it("name the containers, volumes and values", () => {
    const spec: PodSpec = {
      initContainers: [container({ securityContext: { privileged: true } }, "i")],
      containers: [
        container({ securityContext: { privileged: true, capabilities: { add: ["SYS_ADMIN", "NET_RAW"] } } }, "a"),
        container(
          {
            ports: [
              { containerPort: 1, hostPort: 90 },
              { containerPort: 2, hostPort: 8 },
            ],
          },
          "b",
        ),
      ],
      securityContext: { sysctls: [{ name: "kernel.msgmax", value: "1" }], seLinuxOptions: { user: "u" } },
    };
    expect(violationText(violationsOf({ level: "baseline", version: "latest" }, { annotations: {}, spec }))).toBe(
      'non-default capabilities (container "a" must not include "NET_RAW", "SYS_ADMIN" in securityContext.capabilities.add), ' +
        'hostPort (container "b" uses hostPorts 8, 90), ' +
        'privileged (containers "i", "a" must not set securityContext.privileged=true), ' +
        "seLinuxOptions (pod set forbidden securityContext.seLinuxOptions: user may not be set), " +
        "forbidden sysctls (kernel.msgmax)",
    );
  });
});
