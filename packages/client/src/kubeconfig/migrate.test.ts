import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { memoryHost } from "../testing/memory-host.ts";
import { loadKubeconfig } from "./load.ts";
import { legacyKubeconfig, migrateKubeconfig } from "./migrate.ts";
import { setContext } from "./write.ts";

const [old, home] = ["/home/ada/.kube/.kubeconfig", "/home/ada/.kube/config"];
const { log } = testRuntime();

describe("a legacy kubeconfig", () => {
  it("is found where old versions of kubectl put it", () => {
    expect(legacyKubeconfig(memoryHost())).toBe(old);
    expect(legacyKubeconfig(memoryHost({}, { homeDir: undefined }))).toBeUndefined();
    const windows = { platform: "win32", homeDir: "C:\\Users\\ada", cwd: "C:\\" };
    expect(legacyKubeconfig(memoryHost({}, { ...windows, env: { HOME: "H:\\ada" } }))).toBe("H:\\ada\\.kube\\config");
    expect(legacyKubeconfig(memoryHost({}, windows))).toBeUndefined();
  });

  it("is copied on read or write if there is no other", async () => {
    const host = memoryHost({ [old]: "current-context: x" });
    expect((await loadKubeconfig({ host, log }))["current-context"]).toBe("x");
    expect([host.files.get(home), host.files.get(old)]).toEqual(["current-context: x", "current-context: x"]);
    const other = memoryHost({ [old]: "current-context: x" });
    await setContext({ host: other }, "x", { namespace: "shop" });
    expect(other.files.get(home)).toMatch(/namespace: shop[\s\S]*current-context: x/);
  });

  it("is not copied if there is another, if a path is given, or if it is not readable", async () => {
    const there = memoryHost({ [old]: "current-context: x", [home]: "current-context: z" });
    expect((await loadKubeconfig({ host: there, log }))["current-context"]).toBe("z");
    const named = memoryHost({ [old]: "current-context: x" }, { env: { KUBECONFIG: "/none" } });
    expect((await loadKubeconfig({ host: named, log }))["current-context"]).toBe("");
    for (const file of [{ [old]: { fails: "denied" } as const }, { [old]: "x", [home]: { fails: "denied" } as const }]) {
      const host = memoryHost(file);
      await migrateKubeconfig(host, home);
      expect(host.trace.filter((line) => line.startsWith("write"))).toEqual([]);
    }
  });

  it("that cannot be copied is an error with a fix", async () => {
    await expect(migrateKubeconfig(memoryHost({ [old]: { fails: "not-a-file" } }), home)).rejects.toThrow(
      "~/.kube/.kubeconfig is the kubeconfig of an old kubectl and cannot be copied: it could not be read; move it yourself, or set KUBECONFIG",
    );
    const host = memoryHost({ [old]: "x" });
    const readOnly = { ...host, writeFile: (path: string) => memoryHost({ [path]: { fails: "denied" } }).writeFile(path, "") };
    await expect(migrateKubeconfig(readOnly, home)).rejects.toThrow("cannot be copied: ~/.kube/config could not be written");
  });
});
