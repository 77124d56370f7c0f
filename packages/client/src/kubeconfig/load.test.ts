import { ManualClock, recordingLog } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { isKubeconfigError } from "./kubeconfig-error.ts";
import { kubeconfigFiles, loadKubeconfig } from "./load.ts";
import { memoryHost } from "../testing/memory-host.ts";

const context = (name: string): string => `current-context: ${name}\ncontexts: [{ name: ${name}, context: { namespace: ${name} } }]\n`;
const failure = async (promise: Promise<unknown>): Promise<readonly string[]> =>
  promise.then(
    () => [],
    (error: unknown) => (isKubeconfigError(error) ? error.problems : Promise.reject(error as Error)),
  );

describe("kubeconfigFiles", () => {
  it("returns the given file, whatever KUBECONFIG contains", () => {
    expect(kubeconfigFiles({ host: memoryHost({}, { env: { KUBECONFIG: "/a" } }), path: "/b" })).toEqual({
      files: ["/b"],
      namedBy: "option",
    });
  });

  it("returns the files of KUBECONFIG in order, without duplicates", () => {
    expect(kubeconfigFiles({ host: memoryHost({}, { env: { KUBECONFIG: "/b:/a:/b:" } }) })).toEqual({
      files: ["/b", "/a"],
      namedBy: "KUBECONFIG",
    });
  });

  it("returns the file in the home directory if KUBECONFIG is not set or empty, and none without a home directory", () => {
    for (const env of [{}, { KUBECONFIG: "" }])
      expect(kubeconfigFiles({ host: memoryHost({}, { env }), path: "" })).toEqual({ files: ["/home/ada/.kube/config"], namedBy: "home" });
    expect(kubeconfigFiles({ host: memoryHost({}, { homeDir: undefined }) }).files).toEqual([]);
  });
});

describe("loadKubeconfig", () => {
  const log = recordingLog(new ManualClock());

  it("merges the files of KUBECONFIG; the first wins", async () => {
    const host = memoryHost({ "/1": context("one"), "/2": context("two") }, { env: { KUBECONFIG: "/2:/1" } });
    const config = await loadKubeconfig({ host, log });
    expect(config["current-context"]).toBe("two");
    expect(config.contexts.map(({ name, origin }) => [name, origin?.file])).toEqual([
      ["two", "/2"],
      ["one", "/1"],
    ]);
  });

  it("reads only the given file", async () => {
    const host = memoryHost({ "/1": context("one"), "/2": "broken: [" }, { env: { KUBECONFIG: "/2" } });
    expect((await loadKubeconfig({ host, log, path: "/1" })).contexts).toHaveLength(1);
    expect(host.trace).toEqual(["read /1"]);
  });

  it("rejects a given file that is missing", async () => {
    expect(await failure(loadKubeconfig({ host: memoryHost(), log, path: "/home/ada/x" }))).toEqual([
      "~/x: there is no such file; check the path of the kubeconfig",
    ]);
  });

  it("skips missing files of KUBECONFIG, and warns only if all are missing", async () => {
    const quiet = recordingLog(new ManualClock());
    await loadKubeconfig({ host: memoryHost({ "/1": "" }, { env: { KUBECONFIG: "/0:/1" } }), log: quiet });
    expect(quiet.entries).toEqual([]);
    await loadKubeconfig({ host: memoryHost({}, { env: { KUBECONFIG: "/0:/1" } }), log: quiet });
    expect(quiet.entries).toMatchObject([{ level: "warn", fields: { files: ["/0", "/1"] } }]);
  });

  it("logs nothing about a home directory without a kubeconfig", async () => {
    const quiet = recordingLog(new ManualClock());
    expect((await loadKubeconfig({ host: memoryHost(), log: quiet })).contexts).toEqual([]);
    expect(quiet.entries).toEqual([]);
  });

  it("reports the problems of all files at once", async () => {
    const host = memoryHost(
      { "/1": "clusters: 7", "/home/ada/2": { fails: "denied" }, "/3": { fails: "not-a-file" }, "/4": "users: [{ name: 1 }]" },
      { env: { KUBECONFIG: "/1:/home/ada/2:/3:/4" } },
    );
    expect(await failure(loadKubeconfig({ host, log }))).toEqual([
      "/1: clusters: must be a list, not a number",
      "~/2: is not readable by this user; check its owner and mode",
      "/3: is not a regular file; use a file",
      "/4: users[0].name: must be text, not a number; put it in quotes",
    ]);
  });

  it("rejects bytes that are not UTF-8", async () => {
    const host = { ...memoryHost(), readFile: () => Promise.resolve(Uint8Array.of(0xff, 0xfe, 0x61)) };
    expect(await failure(loadKubeconfig({ host, log, path: "/a" }))).toEqual(["/a: is not UTF-8 text; save it as UTF-8"]);
  });

  it("makes paths absolute unless paths is 'as-written'", async () => {
    const host = memoryHost({ "/k/config": "clusters: [{ name: a, cluster: { certificate-authority: ca } }]" });
    expect((await loadKubeconfig({ host, log, path: "/k/config" })).clusters[0]?.cluster["certificate-authority"]).toBe("/k/ca");
    expect(
      (await loadKubeconfig({ host, log, path: "/k/config", paths: "as-written" })).clusters[0]?.cluster["certificate-authority"],
    ).toBe("ca");
  });

  it("passes on failures that are not file errors", async () => {
    const host = { ...memoryHost(), readFile: () => Promise.reject(new RangeError("odd")) };
    await expect(loadKubeconfig({ host, log, path: "/a" })).rejects.toThrow(RangeError);
  });

  it("works the same on Windows: a list with semicolons, paths with backslashes, the user's home directory", async () => {
    const windows = { platform: "win32", cwd: "C:\\work", homeDir: "C:\\Users\\ada" };
    const text = (name: string): string =>
      `clusters: [{ name: ${name}, cluster: { certificate-authority: 'pki\\ca.crt' } }]\nusers: [{ name: ${name}, user: { client-key: 'D:/k.pem', tokenFile: '..\\t', exec: { command: '.\\login.exe' } } }, { name: ${name}-2, user: { exec: { command: login.exe } } }]\n`;
    const host = memoryHost(
      { "C:\\a\\config": text("one"), "conf\\config": text("two") },
      { ...windows, env: { KUBECONFIG: "C:\\a\\config;conf\\config;C:\\a\\config" } },
    );
    const { clusters, users } = await loadKubeconfig({ host, log });
    expect(clusters.map(({ cluster }) => cluster["certificate-authority"])).toEqual(["C:\\a\\pki\\ca.crt", "C:\\work\\conf\\pki\\ca.crt"]);
    expect(users[0]?.user).toMatchObject({ "client-key": "D:\\k.pem", tokenFile: "C:\\t", exec: { command: "C:\\a\\login.exe" } });
    expect(users[1]?.user.exec?.command).toBe("login.exe");
    expect(kubeconfigFiles({ host: memoryHost({}, windows) })).toEqual({ files: ["C:\\Users\\ada\\.kube\\config"], namedBy: "home" });
  });
});
