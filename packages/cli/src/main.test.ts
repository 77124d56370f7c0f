/** The command as it is published: bundled, in its own process. */
import { spawn, spawnSync } from "node:child_process";
import type { ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
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
import type { Readable } from "node:stream";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "drover";
import { Namespace } from "drover/kinds";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { usageOf } from "./usage.ts";
import { version } from "./version.ts";

const isLong = process.env["DROVER_LONG"] === "1";
const root = join(import.meta.dirname, "..", "..", "..");

describe("the drover command", () => {
  let program = "";
  let bundle = "";
  let folder = "";
  let cache = "";
  const names = ["kubectl-drover", "kubectl_complete-drover"];
  const children = new Set<ChildProcessByStdio<null, Readable, Readable>>();

  beforeAll(() => {
    bundle = mkdtempSync(join(tmpdir(), "drover-bundle-"));
    const { status, stderr } = spawnSync(
      process.execPath,
      [
        join(root, "scripts", "bundle-program.mjs"),
        "--command",
        bundle,
        "drover=packages/cli/src/main.ts",
        ...names.map((name) => `${name}:drover`),
      ],
      { cwd: root, encoding: "utf8" },
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    program = join(bundle, "bin", "drover.js");
    cache = mkdtempSync(join(tmpdir(), "drover-cache-"));
    // Two seconds alone, and more than vitest's ten beside other suites.
  }, 60_000);
  afterAll(() => {
    rmSync(bundle, { recursive: true });
    rmSync(cache, { recursive: true });
  });
  beforeEach(() => void (folder = realpathSync(mkdtempSync(join(tmpdir(), "drover-main-")))));
  afterEach(() => {
    for (const child of children) child.kill("SIGKILL");
    children.clear();
    rmSync(folder, { recursive: true });
  });

  const environment = (): NodeJS.ProcessEnv => ({ ...process.env, XDG_CACHE_HOME: cache });
  const run = (...words: string[]): object => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], {
      cwd: folder,
      env: environment(),
      encoding: "utf8",
    });
    return { status, stdout, stderr };
  };
  /** Starts it and waits for its greeting. */
  const start = async (
    ...words: string[]
  ): Promise<{
    readonly child: ChildProcessByStdio<null, Readable, Readable>;
    readonly exit: Promise<unknown[]>;
    readonly output: () => string;
    readonly url: string;
  }> => {
    const child = spawn(process.execPath, [program, "up", ...words], {
      cwd: folder,
      env: environment(),
      stdio: ["ignore", "pipe", "pipe"],
    });
    children.add(child);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    const exit = once(child, "close");
    while (!output.includes("Ctrl-C")) if ((await Promise.race([once(child.stdout, "data"), exit])).length === 2) throw new Error(output);
    return { child, exit, output: () => output, url: /https:\S+(?=,)/.exec(output)?.[0] ?? "" };
  };

  it("prints its version and help, and rejects unknown arguments", () => {
    expect(run("--version")).toEqual({ status: 0, stdout: `${version}\n`, stderr: "" });
    expect(run("--help")).toEqual({ status: 0, stdout: usageOf("drover"), stderr: "" });
    expect(run("up", "--prot", "1")).toEqual({
      status: 2,
      stdout: "",
      stderr:
        'drover: drover up has no option "--prot"; it has --host, --port, --kubeconfig, --anonymous, --authorization-mode, --allow-everyone, --enable-admission-plugins, --disable-admission-plugins, --nodes, --instant, --apply, --run, --greeting, --json, --quiet, --audit-policy-file, --audit-log-path, --audit-log-maxsize, --audit-log-maxbackup, --audit-log-maxage, --data, --etcd, --etcd-prefix, --etcd-cafile, --etcd-certfile, --etcd-keyfile, --encryption-provider-config, --help\n',
    });
    expect(run()).toMatchObject({ status: 2, stdout: "" });
    expect(run("migrate")).toMatchObject({ status: 2, stdout: "" });
    expect(run("migrate", "--all", "--kubeconfig", "none")).toMatchObject({
      status: 1,
      stdout: "",
      stderr: expect.stringContaining("drover: cannot read the definitions of the cluster: ") as string,
    });
    expect(run("up", "--host=192.0.2.1")).toEqual({
      status: 1,
      stdout: "",
      stderr: "drover: this machine has no address 192.0.2.1; --host 127.0.0.1 always works\n",
    });
  });

  it("is a plugin of kubectl: its help and messages name the commands so, and kubectl completes them", () => {
    for (const name of names) symlinkSync(join(bundle, "bin", `${name}.js`), join(folder, name));
    for (const name of names) chmodSync(join(bundle, "bin", `${name}.js`), 0o755);
    const kubectl = (...words: string[]): object => {
      const [name = "", ...rest] = words;
      const { status, stdout, stderr } = spawnSync(join(folder, name), rest, { env: environment(), encoding: "utf8" });
      return { status, stdout, stderr };
    };
    expect(kubectl("kubectl-drover", "--help")).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("\n  kubectl drover up  ") as string,
    });
    expect(kubectl("kubectl-drover", "up", "x")).toEqual({
      status: 2,
      stdout: "",
      stderr: 'kubectl drover: kubectl drover up takes only options, not "x"; see kubectl drover up --help\n',
    });
    expect(kubectl("kubectl_complete-drover", "explain", "DRV0310")).toEqual({
      status: 0,
      stdout: "DRV0310\tThe server refused the connection\n:4\n",
      stderr: "",
    });
    const plugin = spawnSync("kubectl", ["drover", "explain", "DRV0310"], {
      env: { ...environment(), PATH: `${folder}:${process.env["PATH"] ?? ""}` },
      encoding: "utf8",
    });
    // Not every machine has kubectl.
    if (plugin.error === undefined) expect([plugin.status, plugin.stderr, plugin.stdout.slice(0, 8)]).toEqual([0, "", "DRV0310 "]);
  });

  it("writes kinds from a file, and reports what is missing", () => {
    writeFileSync(
      join(folder, "crd.yaml"),
      JSON.stringify({
        apiVersion: "apiextensions.k8s.io/v1",
        kind: "CustomResourceDefinition",
        metadata: { name: "widgets.shop.example.com" },
        spec: {
          group: "shop.example.com",
          scope: "Namespaced",
          names: { kind: "Widget", plural: "widgets" },
          versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
        },
      }),
    );
    expect(run("kinds", "crd.yaml")).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('export const Widget: Kind<Widget, "Namespaced", never> = {') as string,
      stderr: "",
    });
    expect(run("kinds", "crd.yaml", "--out", "src")).toEqual({
      status: 0,
      stdout: `Wrote shop.example.com/v1.ts to ${join(folder, "src")}.\n`,
      stderr: "",
    });
    expect(run("kinds", "other.yaml")).toMatchObject({
      status: 1,
      stdout: "",
      stderr: expect.stringContaining("drover: other.yaml cannot be read: ENOENT") as string,
    });
    expect(run("kinds")).toMatchObject({ status: 2, stdout: "" });
  });

  it.for(isLong ? (["SIGINT", "SIGTERM", "SIGHUP"] as const) : (["SIGTERM"] as const))(
    "serves until %s, then ends with 0 and leaves nothing behind",
    async (signal) => {
      const { child, exit, output, url } = await start();
      const kubeconfig = join(folder, ".drover", "kubeconfig");
      expect(output()).toContain(`\n  export KUBECONFIG=${kubeconfig}\n  kubectl get nodes\n`);
      expect(statSync(kubeconfig).mode & 0o777).toBe(0o600);
      const cluster = await connect({ kubeconfig });
      expect(cluster.access.server).toBe(url);
      expect((await cluster.client.list(Namespace)).items).toHaveLength(4);
      // An open watch does not keep the server from stopping.
      const watch = cluster.client.watch(Namespace)[Symbol.asyncIterator]();
      for (let event = 0; event < 5; event++) await watch.next();
      child.kill(signal);
      child.kill(signal);
      expect(await exit).toEqual([0, null]);
      expect(await watch.next()).toEqual({ done: true, value: undefined });
      await cluster.close();
      expect(output().endsWith("\nEnded.\n")).toBe(true);
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  it.runIf(isLong)("warns of an address that other machines reach, and opens none to everyone unless told to (SEC21)", async () => {
    expect(run("up", "--host", "0.0.0.0", "--anonymous")).toEqual({
      status: 2,
      stdout: "",
      stderr:
        "drover: --anonymous with --host 0.0.0.0 lets everyone on your network read and change everything; use --host 127.0.0.1, or add --allow-everyone if you mean it\n",
    });
    for (const [words, warning] of [
      [[], "drover: warning: --host 0.0.0.0 listens on every address of this machine; "],
      [
        ["--anonymous", "--allow-everyone"],
        "drover: WARNING: --host 0.0.0.0 listens on every address of this machine, and with --anonymous ",
      ],
    ] as const) {
      const { child, exit, output } = await start("--host", "0.0.0.0", ...words);
      child.kill("SIGINT");
      await exit;
      expect(output()).toContain(warning);
    }
  });

  it("contains no compiled code, and keeps its own in the user's cache folder (SEC14, SEC23)", async () => {
    const programs = ["drover", "code-cache", ...names].map((name) => `bin/${name}.js`);
    const files = readdirSync(bundle, { recursive: true, encoding: "utf8" }).filter((path) => statSync(join(bundle, path)).isFile());
    expect(
      files.filter(
        (path) => !programs.includes(path) && !/^(?:bin\/chunks\/[\w-]+\.cjs|data\/[\w.-]+|THIRD-PARTY-NOTICES\.txt)$/.test(path),
      ),
    ).toEqual([]);
    expect(readFileSync(join(bundle, "THIRD-PARTY-NOTICES.txt"), "utf8")).toMatch(/^ws \d[^]*Permission is hereby granted/m);
    const upAndDown = async (): Promise<void> => {
      const { child, exit } = await start("--nodes", "0");
      child.kill("SIGINT");
      expect(await exit).toEqual([0, null]);
    };
    await upAndDown();
    const code = join(cache, "drover", "code");
    const before = readdirSync(code).map((name) => [name, statSync(join(code, name)).mtimeMs]);
    expect(before.length).toBeGreaterThan(2);
    expect(statSync(code).mode & 0o777).toBe(0o700);
    await upAndDown();
    // The engine took all of it: nothing was written again.
    expect(readdirSync(code).map((name) => [name, statSync(join(code, name)).mtimeMs])).toEqual(before);
    if (!isLong) return;
    // Nothing of it is needed.
    rmSync(join(cache, "drover"), { recursive: true });
    writeFileSync(join(cache, "drover"), "");
    await upAndDown();
    rmSync(join(cache, "drover"));
  });

  it.runIf(isLong)("leaves the project's own files in .drover as they are (SEC17)", async () => {
    const ignore = join(folder, ".drover", ".gitignore");
    mkdirSync(join(folder, ".drover"));
    writeFileSync(ignore, "*.log\n");
    const { child, exit } = await start();
    expect(readFileSync(ignore, "utf8")).toBe("*.log\n");
    child.kill("SIGINT");
    await exit;
    expect([readdirSync(join(folder, ".drover")), readFileSync(ignore, "utf8")]).toEqual([[".gitignore"], "*.log\n"]);
  });

  it.runIf(isLong)("shows no escape sequences of others: programs, objects, arguments and files (SEC19)", async () => {
    const escape = "\u001b";
    writeFileSync(join(folder, "a.json"), `{"a":"${escape}[2J`);
    expect(run("up", `--${escape}[2J`)).toMatchObject({ status: 2, stderr: expect.stringContaining(String.raw`--\x1b[2J`) as string });
    expect(run("kinds", `${escape}[2J`)).toMatchObject({ status: 1, stderr: expect.not.stringContaining(escape) as string });
    expect(run("kinds", "a.json")).toMatchObject({ status: 1, stderr: expect.not.stringContaining(escape) as string });
    const { child, exit, output } = await start(
      "--run",
      String.raw`printf 'seen\033[2J\033]0;t\007 \033[31mall\n'; exec 2>&1; kubectl-\033`,
    );
    await vi.waitUntil(() => output().includes("has exited with code"), 10_000);
    child.kill("SIGINT");
    await exit;
    expect(output()).toMatch(/ printf +seen all\n/);
    expect(output()).not.toContain(escape);
  });

  it("ends quietly, with cleanup, when the reader of its output is gone (SEC5)", async () => {
    const { child, exit, output } = await start();
    child.stdout.destroy();
    // The next line that it prints finds no reader.
    const cluster = await connect({ kubeconfig: join(folder, ".drover", "kubeconfig") });
    await cluster.client.create(Namespace, { metadata: { name: "shop" } }).catch(() => undefined);
    expect(await exit).toEqual([0, null]);
    await cluster.close();
    expect(output()).not.toContain("EPIPE");
    expect(readdirSync(folder)).toEqual([]);
  });

  it("reports a port or kubeconfig that is in use, and does not touch them", async () => {
    const { child, exit, url } = await start("--kubeconfig", "first");
    const { port } = new URL(url);
    expect(run("up", "--kubeconfig", "second", "--port", port)).toEqual({
      status: 1,
      stdout: "",
      stderr: `drover: port ${port} on 127.0.0.1 is in use by another program; choose another with --port, or omit --port for any free one [DRV0801]\n`,
    });
    expect(run("up", "--kubeconfig", "first")).toEqual({
      status: 1,
      stdout: "",
      stderr: `drover: ${join(folder, "first")} belongs to a running drover up, process ${child.pid}; stop it first, or choose another path with --kubeconfig [DRV0802]\n`,
    });
    expect(readdirSync(folder)).toEqual(["first"]);
    child.kill("SIGINT");
    expect(await exit).toEqual([0, null]);
    expect(readdirSync(folder)).toEqual([]);
  });
});
