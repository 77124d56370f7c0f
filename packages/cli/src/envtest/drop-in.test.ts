/** The folder of `drover envtest path`, as test frameworks use it: bundled, with processes of its own. */
import { spawn, spawnSync } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { get, request } from "node:https";
import { get as getPlain } from "node:http";

const root = join(import.meta.dirname, "..", "..", "..", "..");
let home = "";
let program = "";
let env: NodeJS.ProcessEnv = {};
const children: ChildProcess[] = [];

beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "drover-envtest-")));
  program = join(home, "a folder", "bin", "drover.js");
  env = { ...process.env, XDG_CACHE_HOME: join(home, "cache") };
  const words = [join(root, "scripts", "bundle-program.mjs"), "--command", join(home, "a folder"), "drover=packages/cli/src/main.ts"];
  const { status, stderr } = spawnSync(process.execPath, words, { cwd: root, encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
}, 120_000);
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});
afterAll(() => rmSync(home, { recursive: true }));

const assets = (): string => spawnSync(process.execPath, [program, "envtest", "path"], { env, encoding: "utf8" }).stdout.trim();
const start = (path: string, words: readonly string[]): ChildProcess => {
  const child = spawn(path, words, { env, stdio: ["ignore", "ignore", "pipe"] });
  children.push(child);
  return child;
};
const ended = async (child: ChildProcess): Promise<unknown> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return child.exitCode ?? child.signalCode;
};
const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
};
const statusOf = (url: string, { method = "GET", body = "" } = {}): Promise<number | undefined> =>
  new Promise((resolve) => {
    const options = {
      agent: false,
      method,
      rejectUnauthorized: false,
      headers: { authorization: "Bearer secret", "content-type": "application/json" },
    };
    const sent = url.startsWith("https") ? (method === "GET" ? get(url, options) : request(url, options)) : getPlain(url, { agent: false });
    sent.on("response", (response) => (response.resume(), resolve(response.statusCode))).on("error", () => resolve(undefined));
    sent.end(body);
  });
const healthy = (url: string): Promise<void> =>
  vi.waitFor(async () => expect(await statusOf(url)).toBe(200), { timeout: 60_000, interval: 20 });

describe("drover envtest path", { timeout: 120_000 }, () => {
  it("prints only the path, also through a link and with several at once", async () => {
    const link = join(home, "drover");
    symlinkSync(program, link);
    const outputs = await Promise.all(
      Array.from({ length: 4 }, async (_, index) => {
        const child = spawn(process.execPath, [index % 2 === 0 ? program : link, "envtest", "path"], {
          env,
          stdio: ["ignore", "pipe", "inherit"],
        });
        let text = "";
        child.stdout.setEncoding("utf8").on("data", (chunk: string) => void (text += chunk));
        expect(await ended(child)).toBe(0);
        return text;
      }),
    );
    expect(new Set(outputs)).toEqual(new Set([`${assets()}\n`]));
    expect(readdirSync(assets()).toSorted()).toEqual(["etcd", "kube-apiserver", "kubectl"]);
  });

  it("starts a control plane that keeps its data in the folder of etcd, and leaves no process and no lock behind", async () => {
    const folder = assets();
    const [etcdPort, port] = [await freePort(), await freePort()];
    const url = `http://127.0.0.1:${etcdPort}`;
    const data = join(home, "etcd");
    const tokens = join(home, "tokens");
    writeFileSync(tokens, "secret,admin,1,system:masters\n");
    const etcd = start(join(folder, "etcd"), [`--listen-client-urls=${url}`, `--data-dir=${data}`, "--unsafe-no-fsync=true"]);
    const flags = [`--etcd-servers=${url}`, `--secure-port=${port}`, `--token-auth-file=${tokens}`, "--authorization-mode=RBAC"];
    const server = `https://127.0.0.1:${port}`;
    const maps = `${server}/api/v1/namespaces/default/configmaps`;
    // Started before etcd is healthy: it waits.
    for (const [signal, code] of [
      ["SIGTERM", 0],
      ["SIGINT", 0],
      ["SIGKILL", "SIGKILL"],
      ["SIGTERM", 0],
    ] as const) {
      const running = start(join(folder, "kube-apiserver"), flags);
      await healthy(`${server}/healthz`);
      const name = `m${children.length}`;
      if (children.length > 2) expect(await statusOf(`${maps}/m${children.length - 1}`)).toBe(200);
      expect(await statusOf(maps, { method: "POST", body: JSON.stringify({ metadata: { name } }) })).toBe(201);
      running.kill(signal);
      expect(await ended(running)).toBe(code);
      expect(await statusOf(`${server}/healthz`)).toBeUndefined();
    }
    await healthy(`${url}/health`);
    etcd.kill("SIGTERM");
    expect(await ended(etcd)).toBe(0);
    expect(readdirSync(join(data, "drover", "%2Fregistry")).toSorted()).toEqual(["identity.json", "store"]);
  });

  it("ends with the process that started it, also if that one was killed", async () => {
    const port = await freePort();
    const folder = join(home, "orphan");
    mkdirSync(folder);
    const words = [`--listen-client-urls=http://127.0.0.1:${port}`, `--data-dir=${folder}`];
    // The second child keeps the shell from becoming etcd itself.
    const parent = start("/bin/sh", ["-c", '"$0" "$@" & wait', join(assets(), "etcd"), ...words]);
    await healthy(`http://127.0.0.1:${port}/health`);
    parent.kill("SIGKILL");
    await vi.waitFor(async () => expect(await statusOf(`http://127.0.0.1:${port}/health`)).toBeUndefined(), { timeout: 30_000 });
  });

  it("refuses a flag by name with the code 2", async () => {
    const child = start(join(assets(), "kube-apiserver"), ["--oidc-issuer-url=a"]);
    let text = "";
    child.stderr?.setEncoding("utf8").on("data", (chunk: string) => void (text += chunk));
    await once(child, "close");
    expect([child.exitCode, text]).toEqual([2, expect.stringContaining("drover apiserver has no flag --oidc-issuer-url")]);
  });
});
