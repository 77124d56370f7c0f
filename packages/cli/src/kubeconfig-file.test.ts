import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodeRuntime } from "drover";
import { parseKubeconfig, printKubeconfig } from "@drover/client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { takeKubeconfigFile } from "./kubeconfig-file.ts";
import { localKubeconfig } from "./local-kubeconfig.ts";
import { startLocalServer } from "./local-server.ts";
import type { LocalServer } from "./local-server.ts";

/** Nothing listens on port 1. */
const server = { url: "https://127.0.0.1:1", authorityPem: "CA\n", admin: { certificatePem: "CERTIFICATE\n", privateKeyPem: "KEY\n" } };
const text = localKubeconfig(server, process.pid);
/** A file that an earlier `drover up` has left behind. */
const leftBehind = localKubeconfig({ ...server, authorityPem: "OLD\n" }, process.ppid);

async function whileServing(work: (running: LocalServer) => Promise<void>): Promise<void> {
  const running = await startLocalServer({
    host: "127.0.0.1",
    port: 0,
    anonymous: false,
    authorizationModes: ["Node", "RBAC"],
    runtime: nodeRuntime({ write: () => undefined }),
  });
  const ending = new AbortController();
  const end = running.run(ending.signal);
  try {
    await work(running);
  } finally {
    ending.abort();
    await end;
  }
}

describe("takeKubeconfigFile", () => {
  let folder = "";
  beforeEach(() => void (folder = realpathSync(mkdtempSync(join(tmpdir(), "drover-file-")))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const at = (name: string): string => join(folder, name);
  const problem = async (...given: Parameters<typeof takeKubeconfigFile>): Promise<string> =>
    await takeKubeconfigFile(...given).then(
      () => "none",
      (error: unknown) => (error as Error).message,
    );

  it("writes a file that only its owner can read, and removes it at the end", async () => {
    const file = await takeKubeconfigFile(at("config"));
    file.write(text);
    expect(readFileSync(at("config"), "utf8")).toBe(text);
    expect(statSync(at("config")).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(["config"]);
    file.remove();
    expect(readdirSync(folder)).toEqual([]);
  });

  it("creates a folder for the default path that only its owner can enter, and removes it at the end", async () => {
    const file = await takeKubeconfigFile(undefined, folder);
    expect(readdirSync(folder)).toEqual([]);
    file.write(text);
    expect(readdirSync(at(".drover")).toSorted()).toEqual([".gitignore", "kubeconfig"]);
    expect(statSync(at(".drover")).mode & 0o777).toBe(0o700);
    file.remove();
    expect(readdirSync(folder)).toEqual([]);
  });

  it("replaces what an earlier drover left behind, also if another program has its process id by now (SEC20)", async () => {
    writeFileSync(at("config"), leftBehind);
    const file = await takeKubeconfigFile(at("config"));
    file.write(text);
    expect([readFileSync(at("config"), "utf8"), readdirSync(folder)]).toEqual([text, ["config"]]);
    file.remove();
    // After a crash the default folder is left behind as well.
    (await takeKubeconfigFile(undefined, folder)).write(leftBehind);
    const next = await takeKubeconfigFile(undefined, folder);
    next.write(text);
    next.remove();
    expect(readdirSync(folder)).toEqual([]);
  });

  it("replaces the file of a server whose port another server has by now (SEC20)", async () => {
    await whileServing(async ({ url }) => {
      writeFileSync(at("config"), localKubeconfig({ ...server, url }, process.ppid));
      expect(await problem(at("config"))).toBe("none");
    });
  });

  it("does not take the file of a running drover up, and takes it when that has ended", async () => {
    await whileServing(async (running) => {
      writeFileSync(at("config"), localKubeconfig(running, 4711));
      expect(await problem(at("config"))).toBe(
        `${at("config")} belongs to a running drover up, process 4711; stop it first, or choose another path with --kubeconfig`,
      );
    });
    expect(await problem(at("config"))).toBe("none");
  });

  it("connects to no other machine to find that out", async () => {
    for (const url of ["https://192.0.2.1:6443", "https://example.com:6443", "https://127.0.0.1", "nowhere"]) {
      writeFileSync(at("config"), localKubeconfig({ ...server, url }, 4711));
      expect(await problem(at("config"))).toContain(`belongs to a drover up at ${url}, which is not this machine; remove the file`);
    }
  });

  it("lets the first of two that start at the same time have the file", async () => {
    for (const before of [undefined, leftBehind]) {
      rmSync(at("config"), { force: true });
      if (before !== undefined) writeFileSync(at("config"), before);
      const [first, second] = [await takeKubeconfigFile(at("config")), await takeKubeconfigFile(at("config"))];
      first.write(text);
      expect(() => second.write(leftBehind.replaceAll("drover", "other"))).toThrow(`another program has just written ${at("config")}`);
      second.remove();
      expect([readFileSync(at("config"), "utf8"), readdirSync(folder)]).toEqual([text, ["config"]]);
    }
  });

  it("never replaces a file that drover did not write", async () => {
    const added = parseKubeconfig(leftBehind);
    const withOther = printKubeconfig({ ...added, clusters: [...added.clusters, { name: "prod", cluster: { server: "https://prod" } }] });
    for (const other of ["", "apiVersion: v1\nkind: Config\nclusters: []\n", "not even yaml: [", withOther]) {
      writeFileSync(at("config"), other);
      expect(await problem(at("config"))).toContain(`${at("config")} exists and was not written by drover`);
      expect(readFileSync(at("config"), "utf8")).toBe(other);
    }
    mkdirSync(at("folder"));
    expect(await problem(at("folder"))).toContain("cannot be read");
  });

  it("follows no link, neither to the file nor to its folder (SEC17, X15, X17, S9)", async () => {
    writeFileSync(at("config"), leftBehind);
    writeFileSync(at(".gitignore"), "node_modules\n");
    for (const target of [at("config"), at("nothing")]) {
      symlinkSync(target, at("link"));
      expect(await problem(at("link"))).toContain(`${at("link")} is a link, which drover up does not follow`);
      rmSync(at("link"));
    }
    symlinkSync(".", at(".drover"));
    expect(await problem(undefined, folder)).toContain(`${at(".drover")} is a link, which drover up does not follow; remove it`);
    rmSync(at(".drover"));
    // Made after the check.
    const file = await takeKubeconfigFile(undefined, folder);
    symlinkSync(".", at(".drover"));
    expect(() => file.write(text)).toThrow("choose another path with --kubeconfig");
    file.remove();
    const late = await takeKubeconfigFile(at("late"));
    symlinkSync(at("nothing"), at("late"));
    expect(() => late.write(text)).toThrow("choose another path with --kubeconfig");
    late.remove();
    expect(lstatSync(at("late")).isSymbolicLink()).toBe(true);
    expect(readdirSync(folder).toSorted()).toEqual([".drover", ".gitignore", "config", "late"]);
    expect(readFileSync(at(".gitignore"), "utf8")).toBe("node_modules\n");
  });

  it("leaves a folder .drover and its .gitignore as the project has made them (SEC17)", async () => {
    mkdirSync(at(".drover"));
    chmodSync(at(".drover"), 0o750);
    writeFileSync(at(".drover/.gitignore"), "*.log\n");
    writeFileSync(at(".drover/notes"), "mine");
    const file = await takeKubeconfigFile(undefined, folder);
    file.write(text);
    file.remove();
    expect(readdirSync(at(".drover")).toSorted()).toEqual([".gitignore", "notes"]);
    expect(readFileSync(at(".drover/.gitignore"), "utf8")).toBe("*.log\n");
    expect(statSync(at(".drover")).mode & 0o777).toBe(0o750);
    rmSync(at(".drover/notes"));
    const again = await takeKubeconfigFile(undefined, folder);
    again.write(text);
    again.remove();
    expect(readdirSync(at(".drover"))).toEqual([".gitignore"]);
  });

  it("keeps a kubeconfig ignored by git as long as it is there", async () => {
    const file = await takeKubeconfigFile(undefined, folder);
    file.write(text);
    writeFileSync(at(".drover/kubeconfig"), "mine now");
    file.remove();
    expect(readdirSync(at(".drover")).toSorted()).toEqual([".gitignore", "kubeconfig"]);
  });

  it("removes the file that kubectl has changed, and keeps one that another process has written", async () => {
    const config = parseKubeconfig(text);
    const changed = printKubeconfig({ ...config, "current-context": "" });
    for (const [now, isKept] of [
      [changed, false],
      [leftBehind, true],
      ["mine now", true],
    ] as const) {
      const file = await takeKubeconfigFile(at("config"));
      file.write(text);
      writeFileSync(at("config"), now);
      file.remove();
      expect([now, existsSync(at("config"))]).toEqual([now, isKept]);
      rmSync(at("config"), { force: true });
    }
  });

  it("requires an existing folder", async () => {
    expect(await problem(at("no/config"))).toContain(`the folder ${at("no")} does not exist; create it`);
    writeFileSync(at("file"), "");
    expect(await problem(at("file/config"))).toContain("does not exist; create it");
  });
});
