import { describe, expect, it } from "vitest";
import { FileError } from "../host.ts";
import { editKubeconfigFile, withKubeconfigLocks } from "./edit-file.ts";
import { parseKubeconfig } from "./kubeconfig-text.ts";
import { memoryHost } from "../testing/memory-host.ts";

describe("editKubeconfigFile", () => {
  it("reads, changes and writes under the lock", async () => {
    const host = memoryHost({ "/k": "current-context: a\nfuture: 1\n" });
    await editKubeconfigFile(host, "/k", (config) => ({ ...config, "current-context": "b" }));
    expect(host.trace).toEqual(["lock /k", "read /k", "write /k", "unlock /k"]);
    const written = parseKubeconfig(host.files.get("/k") as string);
    expect([written["current-context"], written.other?.reveal()]).toEqual(["b", { future: 1 }]);
  });

  it("creates a missing file, and writes nothing if nothing changes", async () => {
    const host = memoryHost();
    await editKubeconfigFile(host, "/new", (config) => config);
    expect(host.files.size).toBe(0);
    await editKubeconfigFile(host, "/new", (config) => ({ ...config, "current-context": "b" }));
    expect(host.files.get("/new")).toContain("current-context: b");
  });

  it("never overwrites a file it could not read", async () => {
    const host = memoryHost({ "/k": "clusters: 7" });
    await expect(editKubeconfigFile(host, "/k", (config) => ({ ...config, "current-context": "b" }))).rejects.toThrow("must be a list");
    expect(host.files.get("/k")).toBe("clusters: 7");
    expect(host.trace.at(-1)).toBe("unlock /k");
  });

  it("reports that a file cannot be written", async () => {
    const host = { ...memoryHost({ "/k": "" }), writeFile: () => Promise.reject(new FileError("/k", "denied", "no")) };
    await expect(editKubeconfigFile(host, "/k", (config) => ({ ...config, "current-context": "b" }))).rejects.toThrow(
      "/k: could not be written; check the permissions of the file and its directory",
    );
  });
});

describe("withKubeconfigLocks", () => {
  it("takes the locks in the order of names and releases them in reverse", async () => {
    const host = memoryHost();
    await withKubeconfigLocks(host, ["/b", "/c", "/a"], () => Promise.resolve(host.trace.push("work")));
    expect(host.trace).toEqual(["lock /a", "lock /b", "lock /c", "work", "unlock /c", "unlock /b", "unlock /a"]);
  });

  it("reports a lock held by another program, and releases its own", async () => {
    const host = memoryHost({ "/home/ada/b.lock": "" });
    await expect(withKubeconfigLocks(host, ["/a", "/home/ada/b"], () => Promise.resolve())).rejects.toMatchObject({
      reason: "locked",
      message: "~/b: another program is changing it; if none is, remove ~/b.lock",
    });
    expect(host.trace).toEqual(["lock /a", "unlock /a"]);
  });

  it("passes on failures of the work", async () => {
    const failure = new RangeError("of the work");
    await expect(withKubeconfigLocks(memoryHost(), ["/a"], () => Promise.reject(failure))).rejects.toBe(failure);
  });
});
