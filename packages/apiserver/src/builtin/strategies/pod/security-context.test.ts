import { describe, expect, it } from "vitest";
import { samplePod, texts } from "../../../testing/workload-sample.ts";
import { podSpecOf } from "./pod-spec.ts";
import { validateAppArmor, validateHostUsers, validatePodSecurityContext, validateSecurityContext } from "./security-context.ts";

const own = (context: Parameters<typeof validateSecurityContext>[0]): string[] =>
  texts(validateSecurityContext(context, "s", { hostUsers: true }));
const ofPod = (spec: Parameters<typeof samplePod>[0]): string[] => texts(validatePodSecurityContext(podSpecOf(samplePod(spec)), "s"));

describe("validateSecurityContext", () => {
  it("allows privileged containers", () => {
    expect(own({ privileged: true })).toEqual([]);
  });

  it("refuses contradictory settings", () => {
    expect(own({ privileged: true, allowPrivilegeEscalation: false })).toEqual([
      's: Invalid value: {"Capabilities":null,"Privileged":true,"SELinuxOptions":null,"WindowsOptions":null,"RunAsUser":null,"RunAsGroup":null,"RunAsNonRoot":null,"ReadOnlyRootFilesystem":null,' +
        '"AllowPrivilegeEscalation":false,"ProcMount":null,"SeccompProfile":null,"AppArmorProfile":null}: cannot set `allowPrivilegeEscalation` to false and `privileged` to true',
    ]);
  });

  it("validates user and group ids", () => {
    expect(own({ runAsUser: -1, runAsGroup: 2 ** 31 })).toEqual([
      "s.runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive",
      "s.runAsGroup: Invalid value: 2147483648: must be between 0 and 2147483647, inclusive",
    ]);
  });

  it("validates seccomp and AppArmor profiles", () => {
    expect(own({ seccompProfile: { type: "Localhost" } })).toEqual([
      "s.seccompProfile.localhostProfile: Required value: must be set when seccomp type is Localhost",
    ]);
    expect(texts(validateAppArmor({ type: "RuntimeDefault", localhostProfile: "x" }, "a"))).toEqual([
      'a.localhostProfile: Invalid value: "x": can only be set when AppArmor type is Localhost',
    ]);
  });
});

describe("validatePodSecurityContext", () => {
  it("refuses shareProcessNamespace with hostPID", () => {
    expect(ofPod({ shareProcessNamespace: true, hostPID: true })).toEqual([
      "s.shareProcessNamespace: Invalid value: true: ShareProcessNamespace and HostPID cannot both be enabled",
    ]);
  });

  it("validates sysctls", () => {
    expect(
      ofPod({
        hostNetwork: true,
        securityContext: {
          sysctls: [
            { name: "net/ipv4/x", value: "" },
            { name: "kernel.sem", value: "" },
          ],
        },
      }),
    ).toEqual(["s.sysctls[0].name: Invalid value: \"net/ipv4/x\": may not be specified when 'hostNetwork' is true"]);
    expect(ofPod({ hostIPC: true, securityContext: { sysctls: [{ name: "kernel.sem", value: "" }] } })).toEqual([
      "s.sysctls[0].name: Invalid value: \"kernel.sem\": may not be specified when 'hostIPC' is true",
    ]);
  });

  it("refuses host namespaces with user namespaces", () => {
    expect(
      texts(
        validateHostUsers(
          {
            containers: [{ name: "c", volumeDevices: [{ name: "v", devicePath: "/" }] }],
            hostUsers: false,
            hostNetwork: true,
            hostPID: true,
          },
          "s",
        ),
      ),
    ).toEqual([
      "s.hostNetwork: Forbidden: when `hostUsers` is false",
      "s.HostPID: Forbidden: when `hostUsers` is false",
      "s.containers[0].volumeDevices: Forbidden: when `hostUsers` is false",
    ]);
  });
});
