/** An operator as a process on the server of `drover up`, asked by every command, as a person would. */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApiServer } from "@drover/apiserver";
import { listen, nodeHost } from "@drover/apiserver/node";
import type { Listener } from "@drover/apiserver/node";
import { nodeTransport } from "@drover/client";
import { connect, createClient, nodeRuntime } from "drover";
import type { Client } from "drover";
import { ConfigMap, Pod } from "drover/kinds";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask } from "../../packages/cli/src/ask/ask.ts";
import { kubelet } from "../../packages/cli/src/ask/testing/kubelet.ts";
import type { PodPort } from "../../packages/cli/src/ask/testing/kubelet.ts";
import { tape } from "../../packages/cli/src/ask/tape.ts";
import { reconcile } from "../../packages/cli/src/ask/reconcile.ts";
import { parseCommandLine } from "../../packages/cli/src/command-line.ts";
import { bundledProgram } from "../documents/bundled-program.ts";

const canary = "canary-51c8";

describe.skipIf(process.platform === "win32")("a running operator", () => {
  const runtime = nodeRuntime({ logLevel: "error" });
  let folder = "";
  let child: ChildProcess;
  let errors = "";
  let listener: Listener;
  let client: Client;
  let kubeconfig = "";
  const ports = new Map<string, PodPort>();

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "drover-ask-"));
    mkdirSync(join(folder, "run"), { mode: 0o700 });
    const program = await bundledProgram(join(folder, "program"), join(import.meta.dirname, "ask-program.ts"));
    const server = await createApiServer({ runtime, host: nodeHost });
    listener = await listen({ connection: () => server.handle, tls: "none", clock: runtime.clock, log: runtime.log });
    client = createClient({ ...runtime, namespace: "default", transport: server.handle });
    kubeconfig = join(folder, "kubeconfig");
    writeFileSync(
      kubeconfig,
      JSON.stringify({
        apiVersion: "v1",
        kind: "Config",
        "current-context": "c",
        clusters: [{ name: "c", cluster: { server: listener.url } }],
        users: [{ name: "u", user: {} }],
        contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
      }),
    );
    const create = (name: string, rest: object = {}, data: Record<string, string> = {}): Promise<unknown> =>
      client.create(ConfigMap, {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name, namespace: "default", ...rest },
        data: { password: canary, ...data },
      });
    await create("good");
    await create("failing", {}, { do: "fail" });
    await create("stopped", {}, { do: "stop" });
    await create("excluded", { labels: { excluded: "yes" } });
    await create("paused", { annotations: { "drover.dev/paused": "true" } });
    await create("kept", { finalizers: ["other.example/backup"] });
    await client.delete(ConfigMap, "kept");
    child = spawn(process.execPath, [program], {
      stdio: ["ignore", "ignore", "pipe"],
      env: { ...process.env, KUBECONFIG: kubeconfig, XDG_RUNTIME_DIR: join(folder, "run"), DROVER_DEBUG: "0", DROVER_LOG_FORMAT: "json" },
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => (errors += text));
    // Until the failing object has been retried.
    while (!(await run("queue", "--json")).output.includes("connection refused")) {
      if (child.exitCode !== null) throw new Error(errors);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }, 120_000);
  afterAll(async () => {
    child.kill("SIGKILL");
    await listener.run(AbortSignal.abort());
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs a command as `main` does. */
  async function run(...words: string[]): Promise<{ readonly code: number; readonly output: string; readonly warnings: string }> {
    const command = parseCommandLine(words);
    if (command.name !== "ask" && command.name !== "tape" && command.name !== "reconcile") throw new Error(JSON.stringify(command));
    let [output, warnings] = ["", ""];
    const place = {
      write: (text: string) => void (output += text),
      warn: (text: string) => void (warnings += text),
      env: { XDG_RUNTIME_DIR: join(folder, "run") },
      clock: runtime.clock,
      terminal: undefined,
      connect: () => connect({ kubeconfig, runtime, sockets: { transport: nodeTransport, webSocket: () => kubelet(ports) } }),
      signal: new AbortController().signal,
    };
    const code = await (command.name === "ask"
      ? ask(command.options, place)
      : command.name === "tape"
        ? tape(command.options, place)
        : reconcile(command.options, place));
    return { code, output, warnings };
  }

  it("answers status, queue and requests, in 80 columns", async () => {
    const status = await run("status");
    expect([status.code, status.output]).toEqual([0, expect.stringMatching(/^asked \(drover \S+\): running for /)]);
    expect(status.output).toContain("problem  1 of maps fails and is retried");
    const queue = await run("queue");
    expect(queue.output).toMatch(/^default\/failing +maps +(waiting|running|ready) /m);
    expect(queue.output.replaceAll(/\n +/g, " ")).toContain(
      "failed POST https://dns.example.com/records: connection refused".replace("failed ", ""),
    );
    const requests = await run("requests");
    expect(requests.output).toMatch(/ok +PATCH|ok +POST/);
    for (const { output } of [status, queue, requests]) for (const line of output.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });

  it.each([
    ["good", /it is done\.|ran /],
    ["failing", /retry \d+ is due in|it is running|about to run/],
    ["stopped", /it failed and a retry cannot help: the zone does not exist/],
    ["excluded", /when of the controller returns false/],
    ["paused", /kubectl annotate configmaps paused -n default drover\.dev\/paused-/],
    ["kept", /other\.example\/backup/],
  ])("answers why %s runs or does not", async (name, words) => {
    const { code, output } = await run("why", `cm/${name}`);
    expect([code, output.replaceAll(/\n +/g, " ")]).toEqual([0, expect.stringMatching(words)]);
  });

  it("answers tree and trace, and finds no object that does not exist", async () => {
    expect((await run("tree", "configmap/good")).output).toMatch(/^ConfigMap\/default\/good.*\n└─ Secret\/default\/good/);
    expect((await run("trace", "cm", "good")).output).toMatch(/run \S+ of maps for default\/good/);
    expect((await run("why", "cm/none")).code).toBe(1);
    await expect(run("why", "pods/none")).rejects.toThrow("it watches");
    await expect(run("tree", "cm/none")).rejects.toThrow("has no object default/none");
    expect(await run("status", "--operator", "other")).toMatchObject({
      code: 3,
      output: "",
      warnings: expect.stringContaining("asked") as string,
    });
  });

  it("is reached in a pod through a forwarded port, also by a trace that goes on", async () => {
    const spec = { containers: [{ name: "op", image: "op" }] };
    await client.create(Pod, { metadata: { name: "asked-0", namespace: "default" }, spec });
    await client.resource(Pod).status.patch("asked-0", { type: "merge", body: { status: { phase: "Running" } } });
    ports.set("asked-0", Number(/"address":"127\.0\.0\.1:(\d+)"/.exec(errors)?.[1]));
    expect((await run("status", "--pod", "asked-0")).output).toMatch(/^asked \(drover /);
    expect((await run("why", "cm/good", "--pod", "asked-0")).code).toBe(0);
    expect((await run("trace", "cm/good", "--pod", "default/asked-0")).output).toMatch(/run \S+ of maps for default\/good/);
  });

  it("reconciles an object or all when asked, waits for the result, and shows who asked", async () => {
    const good = await run("reconcile", "cm/good", "--wait");
    expect([good.code, good.output.replaceAll(/\n +/g, " ")]).toEqual([
      0,
      expect.stringMatching(/run \S+ of maps for default\/good, .*: done.*asked by drover reconcile \(request 1\)/),
    ]);
    expect((await run("why", "cm/good")).output.replaceAll(/\n +/g, " ")).toContain("asked by drover reconcile (request 1)");
    const failing = await run("reconcile", "cm/failing", "--wait", "--timeout", "30");
    expect([failing.code, failing.output.replaceAll(/\n +/g, " ")]).toEqual([1, expect.stringContaining("failed, again in")]);
    const all = await run("reconcile", "--all", "--wait");
    expect([all.code, all.output]).toEqual([1, expect.stringMatching(/Reconciled \d+ objects of maps: 2 failed\.\n$/)]);
    expect(await run("reconcile", "cm", "good", "--json")).toMatchObject({
      code: 0,
      output: expect.stringContaining('"keys":1') as string,
    });
    await expect(run("reconcile", "cm/none")).rejects.toThrow("has no object default/none");
    await expect(run("reconcile", "secret/good")).rejects.toThrow("does not reconcile Secret");
  });

  it("plans what the code would change, without writing", async () => {
    const nothing = await run("diff", "cm/good");
    expect([nothing.code, nothing.output]).toEqual([0, "default/good in maps: nothing would change, 1 object is as desired\n"]);
    expect((await run("diff", "cm/paused")).output.replaceAll(/\n +/g, " ")).toContain(
      "nothing would be applied: the annotation drover.dev/paused",
    );
    const whole = await run("plan");
    expect([whole.code, whole.output]).toEqual([
      0,
      expect.stringMatching(/^Planned \d+ objects: 0 to change, \d+ without anything to apply\.\n$/),
    ]);
    expect(JSON.parse((await run("plan", "--json", "--limit", "1")).output)).toMatchObject({ planned: 1, isCut: true });
    await expect(run("diff", "cm/none")).rejects.toThrow("has no object default/none");
    await expect(run("diff", "secret/good")).rejects.toThrow("does not reconcile Secret");
  });

  it("saves its tape to a file, which is shown and compared", async () => {
    const [before, after] = [join(folder, "before"), join(folder, "after")];
    const saved = await run("tape", "save", before, "cm/good");
    expect([saved.code, saved.output]).toEqual([0, expect.stringMatching(/^Saved \d+ runs of asked to /)]);
    const shown = await run("tape", "show", before, "configmaps/good", "-n", "default");
    expect(shown.output).toMatch(/run \S+ of maps for default\/good[^]*because {2}ConfigMap default\/good/);
    expect((await run("tape", "show", before, "cm/failing")).output).toBe("");
    await expect(run("tape", "save", before)).rejects.toThrow("exists; remove it");
    await client.patch(ConfigMap, "good", { type: "merge", body: { data: { more: "1" } } });
    while (!(await run("trace", "cm/good")).output.includes("data[more]")) await new Promise((resolve) => setTimeout(resolve, 50));
    await run("tape", "save", after, "cm/good");
    expect(await run("tape", "diff", before, before)).toMatchObject({ code: 0, output: "1 object has the same runs, 0 differ.\n" });
    const { code, output } = await run("tape", "diff", before, after);
    expect([code, output]).toEqual([1, expect.stringMatching(/^default\/good in maps: run \d+ is only in B /)]);
    for (const file of [before, after]) expect(readFileSync(file, "utf8")).not.toContain(canary);
  });

  it("refuses other hosts, and shows no secret to anyone", async () => {
    const address = /"address":"(127\.0\.0\.1:\d+)"/.exec(errors)?.[1] ?? "";
    const answered = await new Promise<number>((resolve, reject) => {
      const [host, port] = address.split(":");
      request({ host, port, path: "/debug/drover/status", headers: { host: "evil.example" } }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      })
        .on("error", reject)
        .end();
    });
    expect(answered).toBe(403);
    await client.patch(ConfigMap, "good", { type: "merge", body: { data: { password: `${canary}-2` } } });
    const questions = [["status"], ["queue"], ["requests"], ["trace"], ["why", "cm/good"], ["why", "secret/good"], ["tree", "cm/good"]];
    while (!(await run("why", "cm/good")).output.includes("[redacted]")) await new Promise((resolve) => setTimeout(resolve, 50));
    for (const question of questions)
      for (const form of [[], ["--json"]]) {
        const { output } = await run(...question, ...form);
        for (const secret of [canary, Buffer.from(canary).toString("base64").slice(0, 12)])
          expect([question, output.includes(secret)]).toEqual([question, false]);
      }
    expect(errors).not.toContain(canary);
  });

  it("writes a snapshot on SIGUSR1, and removes its file at the end", async () => {
    child.kill("SIGUSR1");
    while (!errors.includes('"problems":')) await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill("SIGTERM");
    await once(child, "exit");
    expect([child.exitCode, readdirSync(join(folder, "run", "drover"))]).toEqual([0, []]);
    expect((await run("status")).code).toBe(3);
  });
});
