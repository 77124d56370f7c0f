/** The program in the README of the controller, run as a reader would run it, prints what the page says. */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { ConfigMap, Namespace, Secret } from "@drover/api/core/v1";
import { exists, waitFor } from "@drover/client";
import { connect } from "drover";
import type { Connection } from "drover";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bundledProgram } from "./bundled-program.ts";
import { kubeconfigText } from "../servers/real-login.ts";
import { describeOnServers } from "../servers/servers.ts";
import type { SuiteServer } from "../servers/suite-server.ts";

const root = join(import.meta.dirname, "..", "..");
const readme = readFileSync(join(root, "packages", "controller", "README.md"), "utf8");
const block = (language: string): string => new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "s").exec(readme)?.[1] ?? "";
const masked = (line: string): string =>
  line
    .replace(/\d\d:\d\d:\d\d\.\d{3}/, "<time>")
    .replace(/run \w+-(\d+)/g, "run <id>-$1")
    .replace(/\d[\d.]* (ms|s)\b/g, "<duration>")
    .replace(/version \d+/g, "version <n>");

describeOnServers("the README of the controller", ({ kind, missing, start }) => {
  const folder = join(root, "node_modules", ".cache", `drover-controller-readme-${kind}`);
  let server: SuiteServer | undefined;
  let connection: Connection;
  let running: ChildProcess | undefined;

  beforeAll(async () => {
    if (missing !== undefined) return;
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "readme.mts"), block("ts"));
    server = await start();
    connection = await connect({ kubeconfig: server.kubeconfig, namespace: "shop" });
    await connection.client.create(Namespace, { metadata: { name: "shop" } });
    writeFileSync(join(folder, "kubeconfig"), kubeconfigText(server, "shop", { token: server.token }));
  }, 90_000);
  afterAll(async () => {
    running?.kill("SIGKILL");
    if (server === undefined) return;
    await connection.client.delete(Namespace, "shop");
    await connection.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }, 30_000);

  it("has a program that explains what it did, and why", { timeout: 60_000 }, async (ctx) => {
    if (missing !== undefined) ctx.skip(missing);
    const { client } = connection;
    await client.create(ConfigMap, { metadata: { name: "web", labels: { copy: "yes" } }, data: { colour: "blue" } });
    const program = await bundledProgram(join(folder, "bundle"), join(folder, "readme.mts"));
    const child = spawn(process.execPath, [program], {
      cwd: root,
      env: { ...process.env, KUBECONFIG: join(folder, "kubeconfig") },
      stdio: ["ignore", "pipe", "pipe"],
    });
    running = child;
    const said: string[] = [];
    createInterface({ input: child.stdout }).on("line", (line) => said.push(line));
    const errors: string[] = [];
    createInterface({ input: child.stderr }).on("line", (line) => errors.push(line));
    const runs = async (count: number): Promise<void> => {
      const deadline = Date.now() + 30_000;
      while (!said.some((line) => line.startsWith(`shop/web in copies ran ${count} times`) && line.endsWith("it is done."))) {
        if (Date.now() > deadline || child.exitCode !== null)
          throw new Error(`it did not run ${count} times: ${errors.slice(-5).join("\n")}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    await waitFor(client, Secret, "web", exists, { timeoutMs: 30_000 });
    await runs(2);
    await client.patch(Secret, "web", { type: "merge", body: { data: { colour: "cmVk" } } }, { fieldManager: "kubectl-edit" });
    await runs(4);
    expect((await client.get(Secret, "web")).data).toEqual({ colour: "Ymx1ZQ==" });
    const last = said.slice(said.findLastIndex((line) => line.endsWith("it is done.")));
    expect(last.map(masked)).toEqual(block("text").trimEnd().split("\n").map(masked));
    const ended = once(child, "exit");
    child.kill("SIGINT");
    expect(await ended).toEqual([0, null]);
  });
});
