import { describe, expect, it } from "vitest";
import { texts } from "../../../testing/workload-sample.ts";
import { validateForSystem, validateHostProcesses, validateWindowsOptions } from "./windows-options.ts";

describe("validateWindowsOptions", () => {
  it.each([
    ["", "runAsUserName cannot be an empty string"],
    ["a\\b\\c", "runAsUserName cannot contain more than one backslash"],
    ["a\tb", "runAsUserName cannot contain control characters"],
    ["..", "runAsUserName's User cannot contain only periods or spaces"],
    ["a\\", "runAsUserName's User cannot be empty"],
  ])("refuses the user name %j", (runAsUserName, problem) => {
    expect(texts(validateWindowsOptions({ runAsUserName }, "w"))).toEqual([
      `w.runAsUserName: Invalid value: ${JSON.stringify(runAsUserName)}: ${problem}`,
    ]);
  });

  it("accepts a user name with a domain", () => {
    expect(validateWindowsOptions({ runAsUserName: "example.com\\me" }, "w")).toEqual([]);
  });

  it("requires host processes in all containers, with host networking", () => {
    const containers = [{ name: "a", securityContext: { windowsOptions: { hostProcess: true } } }, { name: "b" }];
    expect(texts(validateHostProcesses({ containers }, "s"))).toEqual([
      's: Invalid value: "": If pod contains any hostProcess containers then all containers must be HostProcess containers',
      "s.hostNetwork: Invalid value: false: hostNetwork must be true if pod contains any hostProcess containers",
    ]);
  });

  it("validateForSystem refuses fields of the other operating system", () => {
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
