/** `npm start`: the first lines of the README, literally, with its kubectl lines in another terminal; and how it ends. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, readFileSync, readdirSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { printsAs } from "./client-readme-blocks.ts";
import { kubectls } from "../kubectl/kubectl.ts";
import { temporaryFolder } from "../servers/real-program.ts";

const root = join(import.meta.dirname, "..", "..");
const own = join(root, ".drover");
const [, lines = "", output = ""] = /```sh\n(.*?)```\n\n```text\n(.*?)```\n/s.exec(readFileSync(join(root, "README.md"), "utf8")) ?? [];

describe("the README's first lines", () => {
  it("are in the README", () => expect(lines).toMatch(/^export KUBECONFIG=\$PWD\/\.drover\/kubeconfig\nkubectl /));

  it.for(kubectls)("work with npm start and $name", { timeout: 60_000 }, async ({ path, missing }, ctx) => {
    if (missing !== undefined) ctx.skip(missing);
    if (existsSync(own)) ctx.skip("an npm start is running in this folder");
    const home = temporaryFolder("start-home");
    const npm = spawn("npm", ["start"], { cwd: root, stdio: ["ignore", "pipe", "pipe"], detached: true });
    // When the last program of the group has closed its output.
    const exit = once(npm, "close");
    let said = "";
    try {
      for (const stream of [npm.stdout, npm.stderr]) stream.setEncoding("utf8").on("data", (text: string) => (said += text));
      // Until the recycler has recorded the configuration: a reader needs longer than that to type the first line.
      while (!/frontend-recycler +created ConfigMap/.test(said))
        if ((await Promise.race([once(npm.stdout, "data"), exit])).length === 2) throw new Error(said);
      expect(said).toContain(`  export KUBECONFIG=${join(own, "kubeconfig")}\n  kubectl get pods -o wide `);
      const env = { HOME: home.path, PATH: [dirname(path), process.env["PATH"]].join(delimiter) };
      const printed = spawnSync("sh", ["-c", `exec 2>&1\n${lines}`], { cwd: root, env, encoding: "utf8", timeout: 30_000 }).stdout;
      expect([printed, printsAs(output, printed)]).toEqual([printed, true]);
    } finally {
      // To every program of the group, as a terminal does.
      process.kill(-(npm.pid ?? 0), "SIGINT");
      home.remove();
      await exit;
    }
    // The typed commands, what the examples did, and why controllers acted.
    for (const line of [
      /kubectl +changed ConfigMap default\/frontend-config\n/,
      /frontend-recycler +ConfigMap default\/frontend-config has changed: deleting 3 pods\n/,
      /pod-node-logger +pod default\/frontend-\S+ is on node-\d\n/,
      /replicaset +created 3 Pods for \S+, because ReplicaSet \S+ was created by deployment-controller\n/,
    ])
      expect(said).toMatch(line);
    expect([said.endsWith("\nEnded.\n"), existsSync(own)]).toEqual([true, false]);
  });
});

describe("npm start -- --data DIR", () => {
  const newest = kubectls[0];

  it("finds the cluster of its first start, whose kubeconfig still works", { timeout: 120_000 }, async (ctx) => {
    if (newest?.missing !== undefined) ctx.skip(newest.missing);
    const place = temporaryFolder("start-data");
    const [data, kubeconfig, copy] = ["data", "kubeconfig", "copy"].map((name) => join(place.path, name)) as [string, string, string];
    const kubectl = (...words: readonly string[]): string =>
      spawnSync(newest?.path ?? "", ["--kubeconfig", copy, ...words], { encoding: "utf8", timeout: 30_000 }).stdout;
    /** Runs it until `act` has ended. */
    const started = async (act: () => void): Promise<string> => {
      const npm = spawn("npm", ["start", "--", "--data", data, "--kubeconfig", kubeconfig], {
        cwd: root,
        stdio: ["ignore", "pipe", "pipe"],
        detached: true,
      });
      const exit = once(npm, "close");
      let said = "";
      try {
        for (const stream of [npm.stdout, npm.stderr]) stream.setEncoding("utf8").on("data", (text: string) => (said += text));
        while (!said.includes("export KUBECONFIG="))
          if ((await Promise.race([once(npm.stdout, "data"), exit])).length === 2) throw new Error(said);
        act();
      } finally {
        process.kill(-(npm.pid ?? 0), "SIGINT");
        await exit;
      }
      return said;
    };
    try {
      let uid = "";
      await started(() => {
        cpSync(kubeconfig, copy);
        expect(kubectl("create", "configmap", "kept", "--from-literal=a=b")).toBe("configmap/kept created\n");
        uid = kubectl("get", "namespace", "kube-system", "-o", "jsonpath={.metadata.uid}");
        expect(uid).not.toBe("");
      });
      await started(() => {
        expect(kubectl("get", "configmap", "kept", "-o", "jsonpath={.data.a}")).toBe("b");
        expect(kubectl("get", "namespace", "kube-system", "-o", "jsonpath={.metadata.uid}")).toBe(uid);
      });
    } finally {
      place.remove();
    }
  });
});

/** The cluster and the examples of `npm start`, as a supervisor or CI ends them: a signal to one process, not to a terminal's group. */
describe.skipIf(process.platform === "win32")("npm start", () => {
  const endings = [
    ...(["SIGTERM", "SIGINT", "SIGHUP", "SIGKILL"] as const).map((signal) => ({ signal, to: "npm start" })),
    { signal: "SIGKILL", to: "start.mjs" },
    { signal: "SIGKILL", to: "drover.js up" },
  ] as const;

  it.for(endings)("ends with everything it has started on $signal to $to (SEC25)", { timeout: 60_000 }, async ({ signal, to }, ctx) => {
    if (process.env["DROVER_LONG"] !== "1")
      ctx.skip("takes six seconds for each signal: DROVER_LONG=1 npx vitest run conformance/documents/start");
    const place = temporaryFolder("start-end");
    const npm = spawn("npm", ["start", "--", "--kubeconfig", join(place.path, "kubeconfig")], {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const exit = once(npm, "exit");
    let said = "";
    for (const stream of [npm.stdout, npm.stderr]) stream.setEncoding("utf8").on("data", (text: string) => (said += text));
    let all: readonly RunningProgram[] = [];
    try {
      await vi.waitUntil(
        () => ["pod-node-logger ", "frontend-recycler "].every((name) => said.includes(name)) || npm.exitCode !== null,
        40_000,
      );
      all = programsBelow(npm.pid ?? 0);
      expect([said, all.filter(({ words }) => /(?:drover|pod-node-logger|frontend-recycler)\.js/.test(words)).length]).toEqual([said, 5]);
      const target = all.find(({ words }) => words.includes(to));
      process.kill(target?.pid ?? 0, signal);
      // Five seconds for requests, three for programs, and the time to notice.
      await vi.waitUntil(() => all.every(isGone), { timeout: 12_000, interval: 50 });
      if (to !== "drover.js up") expect(readdirSync(place.path)).toEqual([]);
      await exit;
    } finally {
      for (const program of all) if (!isGone(program)) process.kill(program.pid, "SIGKILL");
      place.remove();
    }
  });
});

interface RunningProgram {
  readonly pid: number;
  readonly words: string;
}

/** The process and its descendants. */
function programsBelow(pid: number): readonly RunningProgram[] {
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" });
  const rows = stdout.split("\n").map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []);
  const below = (parent: number): readonly RunningProgram[] =>
    rows.flatMap(([, child = "", of = "", words = ""]) =>
      Number(of) === parent ? [{ pid: Number(child), words }, ...below(Number(child))] : [],
    );
  return [...rows.filter(([, first]) => Number(first) === pid).map(([, , , words = ""]) => ({ pid, words })), ...below(pid)];
}

/** Also the group that it led: programs of --run have one each. */
function isGone({ pid }: RunningProgram): boolean {
  return [pid, -pid].every((target) => {
    try {
      return !process.kill(target, 0);
    } catch {
      return true;
    }
  });
}
