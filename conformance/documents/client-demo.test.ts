/** The program in the README, run as a reader would run it: it reports what kubectl does to a ConfigMap. */
import { execFile, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { programPath, programsMissing } from "../servers/real-program.ts";
import { describeOnServers } from "../servers/servers.ts";
import type { SuiteServer } from "../servers/suite-server.ts";

const root = join(import.meta.dirname, "..", "..");
const program = join(root, "examples", "configmap-watch", "watch.ts");

describeOnServers("the demo in the README of the client", ({ missing: serverMissing, start: startServer }) => {
  const missing = serverMissing ?? programsMissing("kubectl");
  let server: SuiteServer | undefined;
  let folder = "";
  let running: ChildProcess | undefined;
  beforeAll(async () => {
    if (missing !== undefined) return;
    folder = mkdtempSync(join(tmpdir(), "drover-demo-"));
    server = await startServer();
  }, 90_000);
  afterAll(async () => {
    running?.kill("SIGKILL");
    await server?.stop();
    if (folder !== "") rmSync(folder, { recursive: true, force: true });
  }, 30_000);

  const run = promisify(execFile);
  const kubectl = (...args: readonly string[]): Promise<unknown> =>
    run(programPath("kubectl"), [...args], { cwd: folder, env: { HOME: folder, KUBECONFIG: server?.kubeconfig } });

  it("reports what kubectl does, as it happens", { timeout: 60_000 }, async (ctx) => {
    if (missing !== undefined) ctx.skip(missing);
    for (const colour of ["blue", "green"])
      writeFileSync(
        join(folder, `${colour}.yaml`),
        `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: demo }\ndata: { colour: ${colour} }\n`,
      );
    const child = spawn(process.execPath, ["--conditions=drover-source", "--import", "tsx", program], {
      cwd: root,
      env: { ...process.env, KUBECONFIG: server?.kubeconfig },
      stdio: ["ignore", "pipe", "inherit"],
    });
    running = child;
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const hear = async (start: string): Promise<string> => {
      for (;;) {
        const { value, done } = (await lines.next()) as IteratorResult<string, undefined>;
        if (done === true) throw new Error(`the program ended before it said "${start}"`);
        if (value.startsWith(start)) return value;
      }
    };
    expect(await hear("watching")).toMatch(/^watching default from version \d+$/);
    await kubectl("apply", "-f", "blue.yaml");
    expect(await hear("ADDED demo")).toBe("ADDED demo { colour: 'blue' }");
    await kubectl("apply", "-f", "green.yaml");
    expect(await hear("MODIFIED demo")).toBe("MODIFIED demo { colour: 'green' }");
    await kubectl("delete", "-f", "green.yaml");
    expect(await hear("DELETED demo")).toBe("DELETED demo { colour: 'green' }");
    const ended = once(child, "exit");
    child.kill("SIGINT");
    expect(await ended).toEqual([null, "SIGINT"]);
  });
});

describe("the demo", () => {
  it.each(["examples/README.md", "packages/client/README.md"])("is what %s shows", (readme) => {
    expect(readFileSync(join(root, readme), "utf8").includes(readFileSync(program, "utf8"))).toBe(true);
  });
});
