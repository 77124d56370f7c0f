/** A program with real threads, as a process of its own, against our API server: what only real threads show. */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createApiServer } from "@drover/apiserver";
import { listen, nodeHost } from "@drover/apiserver/node";
import type { Listener } from "@drover/apiserver/node";
import { createClient, nodeRuntime } from "drover";
import type { Client } from "drover";
import { ConfigMap, Lease, Namespace } from "drover/kinds";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundledProgram } from "../documents/bundled-program.ts";
import type { ThreadProgramSettings } from "./thread-program.ts";

const names: readonly string[] = Array.from({ length: 12 }, (_, n) => `map-${n}`);
const namespace = "shop";
const isLong = process.env["DROVER_LONG"] === "1";

interface Line {
  readonly msg: string;
  readonly thread?: number;
  readonly address?: string;
}

describe("a program with two threads", () => {
  const runtime = nodeRuntime({ logLevel: "error" });
  const running = new Set<ChildProcess>();
  let folder = "";
  let program = "";
  let listener: Listener;
  let client: Client;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "drover-threads-"));
    program = await bundledProgram(join(folder, "program"), join(import.meta.dirname, "thread-program.ts"));
    const server = await createApiServer({ runtime, host: nodeHost });
    listener = await listen({ connection: () => server.handle, tls: "none", clock: runtime.clock, log: runtime.log });
    client = createClient({ ...runtime, namespace, transport: server.handle });
    await client.create(Namespace, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  }, 60_000);
  afterAll(async () => {
    for (const child of running) child.kill("SIGKILL");
    await listener.run(AbortSignal.abort());
    rmSync(folder, { recursive: true, force: true });
  });

  /** Starts the program, with objects that no program has reconciled. */
  async function start(settings: Partial<ThreadProgramSettings> = {}) {
    await client.deleteCollection(ConfigMap, { namespace });
    for (const name of names) await client.create(ConfigMap, { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace } });
    const given: ThreadProgramSettings = { server: listener.url, threads: 2, graceMs: 3000, ...settings };
    const child = spawn(process.execPath, [program, JSON.stringify(given)], { stdio: ["ignore", "ignore", "pipe"] });
    running.add(child);
    const exited = once(child, "exit").finally(() => running.delete(child));
    const lines: Line[] = [];
    const texts: string[] = [];
    createInterface({ input: child.stderr }).on("line", (line) => {
      texts.push(line);
      if (line.startsWith("{")) lines.push(JSON.parse(line) as Line);
    });
    const stop = async (): Promise<number> => {
      child.kill("SIGTERM");
      const [code] = (await exited) as [number];
      return code;
    };
    return { child, exited, lines, texts, stop };
  }

  async function annotations(): Promise<ReadonlyMap<string, Readonly<Record<string, string>>>> {
    const { items } = await client.list(ConfigMap, { namespace });
    return new Map(items.map(({ metadata }) => [metadata.name ?? "", metadata.annotations ?? {}]));
  }

  /** Polls: the program is another process. */
  async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
    while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
  }

  const reconciled = async (): Promise<boolean> => [...(await annotations()).values()].every((found) => found["by"] !== undefined);
  const set = (name: string, data: Readonly<Record<string, string>>): Promise<unknown> =>
    client.patch(ConfigMap, name, { type: "merge", body: { data } }, { namespace });
  const ofThread = async (thread: string): Promise<readonly string[]> =>
    [...(await annotations())].flatMap(([name, found]) => (found["by"] === thread ? [name] : []));

  it("reconciles disjoint keys, joins metrics, names threads in logs, and drains all of them on SIGTERM", async () => {
    const { lines, stop } = await start();
    await until(reconciled);
    const [first, second] = [await ofThread("1"), await ofThread("2")];
    expect([first.length + second.length, first.length > 0, second.length > 0]).toEqual([names.length, true, true]);
    const { address = "" } = lines.find(({ msg }) => msg === "serving probes and metrics") ?? {};
    expect((await fetch(`http://${address}/readyz`)).status).toBe(200);
    const metrics = await (await fetch(`http://${address}/metrics`)).text();
    for (const thread of ["1", "2"])
      expect(metrics).toMatch(new RegExp(`^controller_runtime_reconcile_total\\{thread="${thread}",.*result="success"\\} [1-9]`, "mu"));
    for (const [index, name] of ["slow-a", "slow-b", "slow-c", "slow-d"].entries())
      await client.create(ConfigMap, {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name, namespace },
        data: { do: "slow", at: String(index) },
      });
    await until(async () => [...(await annotations()).values()].filter((found) => found["began"] === "yes").length === 4);
    expect(await stop()).toBe(0);
    expect(await reconciled()).toBe(true);
    expect(new Set(lines.flatMap(({ msg, thread }) => (msg === "program ended" ? [thread ?? 0] : [])))).toEqual(new Set([0, 1, 2]));
  }, 60_000);

  it.runIf(isLong)(
    "starts a thread again that crashed or exited, and gives it its keys back, while the other thread continues",
    async () => {
      const { lines, stop } = await start();
      await until(reconciled);
      const own = await ofThread("1");
      const [crashing = "", exiting = ""] = own;
      await client.patch(
        ConfigMap,
        crashing,
        { type: "merge", body: { metadata: { annotations: { by: null } }, data: { do: "crash" } } },
        { namespace },
      );
      await until(() => lines.some(({ msg, thread }) => msg === "thread crashed, starting it again" && thread === 1));
      for (const name of names) if (name !== exiting) await set(name, { at: "1" });
      await until(async () => [...(await annotations())].every(([name, found]) => name === exiting || found["at"] === "1"));
      await client.patch(
        ConfigMap,
        exiting,
        { type: "merge", body: { metadata: { annotations: { by: null } }, data: { do: "exit" } } },
        { namespace },
      );
      await until(() => lines.filter(({ msg }) => msg === "thread crashed, starting it again").length === 2);
      for (const name of names) await set(name, { at: "2" });
      await until(async () => [...(await annotations()).values()].every((found) => found["at"] === "2"));
      expect(await stop()).toBe(0);
    },
    60_000,
  );

  it("keeps the lease and the other thread while one thread is in an endless loop, and terminates it on stop", async () => {
    const { texts, stop } = await start({ lease: { name: "spin", identity: "me", onLostLease: "end" } });
    await until(reconciled);
    const [spinning = ""] = await ofThread("1");
    const others = await ofThread("2");
    await set(spinning, { do: "spin" });
    await until(async () => (await annotations()).get(spinning)?.["spinning"] !== undefined);
    const transitions = async (): Promise<unknown> => (await client.get(Lease, "spin", { namespace })).spec?.renewTime;
    const before = await transitions();
    for (const name of others) await set(name, { at: "1" });
    await until(async () => {
      const found = await annotations();
      return others.every((name) => found.get(name)?.["at"] === "1") && (await transitions()) !== before;
    });
    expect(await stop()).toBe(1);
    expect(texts.join("\n")).toContain("within grace period of 3s: thread 1 of 2");
  }, 60_000);

  it.runIf(isLong)(
    "fences both threads while another holds the lease, and continues when it has the lease again",
    async () => {
      const { lines, stop } = await start({ lease: { name: "lost", identity: "me", onLostLease: "standAgain" } });
      await until(reconciled);
      const take = async (holderIdentity: string): Promise<void> => {
        await client.patch(Lease, "lost", { type: "merge", body: { spec: { holderIdentity } } }, { namespace });
      };
      await take("another");
      await until(() => lines.some(({ msg }) => msg === "stopped leading"));
      const readAt = await annotations();
      for (const name of names) await set(name, { at: "1" });
      await new Promise((resolve) => setTimeout(resolve, 500));
      expect([...(await annotations()).values()].map((found) => found["at"])).toEqual([...readAt.values()].map((found) => found["at"]));
      await until(async () => [...(await annotations()).values()].every((found) => found["at"] === "1"));
      expect(await stop()).toBe(0);
    },
    60_000,
  );
});
