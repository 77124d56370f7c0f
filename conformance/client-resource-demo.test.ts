/** The example of the README: kubectl applies, changes and deletes a ConfigMap, and the client sees it, from the kubeconfig to the last event. */
import { execFile } from "node:child_process";
import { X509Certificate, createPrivateKey } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { clusterTransport, createClient, findAccess, nodeTransport } from "@drover/client";
import { nodeHost, nodeRuntime } from "drover";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { printConfigMaps } from "./client-resource-demo.ts";
import { realServerMissing, startRealServer } from "./real-server.ts";
import type { RealServer } from "./real-server.ts";

const kubectlPath = join(process.env["KUBEBUILDER_ASSETS"] ?? "", "kubectl");
const missing = realServerMissing ?? (existsSync(kubectlPath) ? undefined : "needs kubectl in KUBEBUILDER_ASSETS");

describe("the demo", () => {
  const folder = mkdtempSync(join(tmpdir(), "drover-demo-"));
  const kubeconfig = join(folder, "config");
  let server: RealServer | undefined;
  beforeAll(async () => {
    if (missing !== undefined) return;
    server = await startRealServer();
    writeFileSync(kubeconfig, JSON.stringify({
      apiVersion: "v1", kind: "Config", "current-context": "demo",
      clusters: [{ name: "demo", cluster: { server: server.url, "certificate-authority-data": Buffer.from(server.caPem).toString("base64") } }],
      users: [{ name: "admin", user: { token: server.token } }],
      contexts: [{ name: "demo", context: { cluster: "demo", user: "admin" } }],
    }), { mode: 0o600 });
  }, 90_000);
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  }, 30_000);

  const run = promisify(execFile);
  const kubectl = (...args: readonly string[]): Promise<unknown> => run(kubectlPath, ["--kubeconfig", kubeconfig, ...args], { env: { HOME: folder } });
  const apply = (value: string): Promise<unknown> => {
    const file = join(folder, `${value}.yaml`);
    writeFileSync(file, `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: demo, namespace: default }\ndata: { colour: ${value} }\n`);
    return kubectl("apply", "-f", file);
  };

  it("sees what kubectl does, as it happens", { timeout: 60_000 }, async (ctx) => {
    if (missing !== undefined) {
      ctx.skip(missing);
      return;
    }
    const runtime = nodeRuntime({ write: () => undefined });
    const host = nodeHost();
    const access = await findAccess({ host, log: runtime.log, path: kubeconfig });
    const transport = clusterTransport(access, {
      ...runtime, host, connect: nodeTransport, userAgent: "drover-demo",
      isPair: (certificate, key) => new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key.reveal())),
    });
    const client = createClient({ ...runtime, transport, namespace: access.namespace });

    const lines: string[] = [];
    const heard: { readonly start: string; readonly resolve: () => void }[] = [];
    const hear = (start: string): Promise<void> => new Promise((resolve) => { heard.push({ start, resolve }); });
    const print = (line: string): void => {
      lines.push(line);
      for (const { start, resolve } of heard) if (line.startsWith(start)) resolve();
    };
    const steps: readonly (readonly [string, () => Promise<unknown>])[] = [
      ['ADDED demo {"colour":"blue"}', () => apply("blue")],
      ['MODIFIED demo {"colour":"green"}', () => apply("green")],
      ['DELETED demo {"colour":"green"}', () => kubectl("delete", "configmap", "demo")],
    ];
    const controller = new AbortController();
    const started = hear("watching");
    const watching = printConfigMaps(client, print, controller.signal);
    watching.catch(() => undefined);
    await Promise.race([started, watching]);
    for (const [line, act] of steps) await Promise.race([Promise.all([hear(line), act()]), watching]);
    controller.abort(new Error("seen enough"));
    await expect(watching).rejects.toThrow("seen enough");
    expect(lines.filter((line) => line.includes("demo"))).toEqual(steps.map(([line]) => line));
    transport.close();
  });

  it("is what the README shows", () => {
    const source = readFileSync(join(import.meta.dirname, "client-resource-demo.ts"), "utf8");
    const shown = source.slice(source.indexOf("export async function"));
    expect(readFileSync(join(import.meta.dirname, "..", "packages", "client", "README.md"), "utf8")).toContain(shown.trim());
  });
});
