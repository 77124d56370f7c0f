import { describe, expect, it } from "vitest";
import { texts } from "../../../testing/workload-sample.ts";
import { validateForSystem, validateHostProcesses, validateWindowsOptions } from "./windows-options.ts";

describe("pods on Windows", () => {
  it.each([
    ["", "runAsUserName cannot be an empty string"],
    ["a\\b\\c", "runAsUserName cannot contain more than one backslash"],
    ["a\tb", "runAsUserName cannot contain control characters"],
    ["..", "runAsUserName's User cannot contain only periods or spaces"],
    ["a\\", "runAsUserName's User cannot be empty"],
  ])("do not run as %j", (runAsUserName, problem) => {
    expect(texts(validateWindowsOptions({ runAsUserName }, "w"))).toEqual([
      `w.runAsUserName: Invalid value: ${JSON.stringify(runAsUserName)}: ${problem}`,
    ]);
  });

  it("run as somebody of a domain", () => {
    expect(validateWindowsOptions({ runAsUserName: "example.com\\me" }, "w")).toEqual([]);
  });

  it("are processes of the host in all containers or none, and on its network", () => {
    const containers = [{ name: "a", securityContext: { windowsOptions: { hostProcess: true } } }, { name: "b" }];
    expect(texts(validateHostProcesses({ containers }, "s"))).toEqual([
      's: Invalid value: "": If pod contains any hostProcess containers then all containers must be HostProcess containers',
      "s.hostNetwork: Invalid value: false: hostNetwork must be true if pod contains any hostProcess containers",
    ]);
  });

  it("have no settings of Linux, nor the other way round", () => {
    expect(
      texts(
        validateForSystem(
          {
            os: { name: "windows" },
            containers: [{ name: "c", securityContext: { privileged: true } }],
            hostPID: true,
            securityContext: { fsGroup: 1 },
          },
          "s",
        ),
      ),
    ).toEqual([
      "s.hostPID: Forbidden: cannot be set for a windows pod",
      "s.securityContext.fsGroup: Forbidden: cannot be set for a windows pod",
      "s.containers[0].securityContext.privileged: Forbidden: cannot be set for a windows pod",
    ]);
    expect(texts(validateForSystem({ os: { name: "linux" }, containers: [], securityContext: { windowsOptions: {} } }, "s"))).toEqual([
      "s.securityContext.windowsOptions: Forbidden: windows options cannot be set for a linux pod",
    ]);
  });
});
