import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "drover";
import { ConfigMap, Namespace, Node } from "drover/kinds";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isCommandError } from "./command-error.ts";
import type { UpOptions } from "./command-line.ts";
import { up } from "./up.ts";

const usual: Omit<UpOptions, "kubeconfig"> = {
  host: "127.0.0.1",
  port: 0,
  anonymous: false,
  authorizationModes: ["Node", "RBAC"],
  enableAdmissionPlugins: [],
  disableAdmissionPlugins: [],
  nodes: 1,
  instant: true,
  apply: [],
  run: [],
  greeting: undefined,
  output: "text",
  audit: undefined,
  data: undefined,
  etcd: undefined,
};

describe("drover up", () => {
  let folder = "";
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "drover-up-"))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it("reports ready with nodes and objects, prints earlier changes after that, and leaves nothing behind", async () => {
    const [kubeconfig, manifest] = [join(folder, "config"), join(folder, "objects.json")];
    writeFileSync(
      manifest,
      JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings" }, data: { colour: "blue" } }),
    );
    const ending = new AbortController();
    let said = "";
    let greeted: () => void = () => undefined;
    const greeting = new Promise<void>((resolve) => void (greeted = resolve));
    const running = up(
      { ...usual, kubeconfig, apply: [manifest] },
      {
        signal: ending.signal,
        warn: () => expect.unreachable(),
        hasColor: false,
        write: (text) => {
          said += text;
          greeted();
        },
      },
    );
    await Promise.race([greeting, running]);
    const cluster = await connect({ kubeconfig });
    const { client } = cluster;
    expect((await client.list(Namespace)).items.map(({ metadata }) => metadata.name)).toEqual([
      "default",
      "kube-node-lease",
      "kube-public",
      "kube-system",
    ]);
    expect((await client.list(Node)).items.map(({ metadata, spec }) => [metadata.name, spec?.taints])).toEqual([["node-1", undefined]]);
    expect((await client.get(ConfigMap, "settings", { namespace: "default" })).data).toEqual({ colour: "blue" });
    await cluster.close();
    ending.abort();
    await running;
    expect(said).toMatch(/^Kubernetes is ready [^]*export KUBECONFIG=[^]*applied ConfigMap default\/settings\n[^]*Ended\.\n$/);
    expect(existsSync(kubeconfig)).toBe(false);
  });

  it("has written every event of its audit log when it ends", async () => {
    const [kubeconfig, policyFile, logPath] = ["config", "policy.yaml", "audit.log"].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    writeFileSync(
      policyFile,
      `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- {level: Metadata, resources: [{group: "", resources: [configmaps]}]}
`,
    );
    const ending = new AbortController();
    let greeted: () => void = () => undefined;
    const greeting = new Promise<void>((resolve) => void (greeted = resolve));
    const running = up(
      { ...usual, kubeconfig, audit: { policyFile, logPath, maxSizeMb: 100, maxBackups: 1, maxAgeDays: 1 } },
      { signal: ending.signal, warn: () => expect.unreachable(), hasColor: false, write: () => greeted() },
    );
    await Promise.race([greeting, running]);
    const cluster = await connect({ kubeconfig });
    await cluster.client.create(ConfigMap, { metadata: { name: "audited", namespace: "default" } });
    await cluster.close();
    ending.abort();
    await running;
    const events = readFileSync(logPath, "utf8")
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as object);
    expect(events).toContainEqual(
      expect.objectContaining({
        verb: "create",
        user: expect.objectContaining({ username: "kubernetes-admin" }) as object,
        sourceIPs: ["127.0.0.1"],
        objectRef: { resource: "configmaps", namespace: "default", name: "audited", apiVersion: "v1" },
        responseStatus: { metadata: {}, code: 201 },
      }),
    );
  });

  it("stops when the signal aborts before the cluster starts", async () => {
    const kubeconfig = join(folder, "config");
    let said = "";
    const ending = new AbortController();
    const running = up(
      { ...usual, kubeconfig },
      { signal: ending.signal, warn: () => expect.unreachable(), hasColor: false, write: (text) => void (said += text) },
    );
    await vi.waitUntil(() => existsSync(kubeconfig), { timeout: 10_000, interval: 5 });
    ending.abort();
    await running;
    expect([said, existsSync(kubeconfig)]).toEqual(["\nEnded.\n", false]);
  });

  it("does not report ready if an object cannot be applied", async () => {
    const [kubeconfig, manifest] = [join(folder, "config"), join(folder, "objects.json")];
    writeFileSync(manifest, JSON.stringify({ apiVersion: "v1", kind: "Nothing", metadata: { name: "x" } }));
    await expect(
      up(
        { ...usual, kubeconfig, apply: [manifest] },
        { signal: new AbortController().signal, warn: () => expect.unreachable(), hasColor: false, write: () => expect.unreachable() },
      ),
    ).rejects.toThrow("Nothing x cannot be applied");
    expect(existsSync(kubeconfig)).toBe(false);
  });

  it("starts nothing for admission plug-ins that cannot run, and names the flag within 80 columns", async () => {
    const start = async (enable: string[], disable: string[]): Promise<string> => {
      const options = { ...usual, kubeconfig: join(folder, "config"), enableAdmissionPlugins: enable, disableAdmissionPlugins: disable };
      const place = { signal: new AbortController().signal, warn: () => undefined, hasColor: false, write: () => undefined };
      return await up(options, place).then(
        () => "started",
        (error: unknown) => (isCommandError(error) ? error.message : "another error"),
      );
    };
    expect(await start(["EventRateLimit"], [])).toContain("--enable-admission-plugins: EventRateLimit cannot run here:");
    expect(await start(["Priority"], ["Priority"])).toContain("Priority is in both --enable-admission-plugins");
    const unknown = await start([], ["Nope"]);
    expect(unknown).toContain('--disable-admission-plugins: unknown plug-in "Nope"');
    for (const line of `drover: ${unknown}`.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    expect(existsSync(join(folder, "config"))).toBe(false);
  });

  it("starts nothing if the kubeconfig file belongs to another program", async () => {
    const kubeconfig = join(folder, "config");
    writeFileSync(kubeconfig, "mine");
    await expect(
      up(
        { ...usual, kubeconfig },
        { signal: new AbortController().signal, warn: () => expect.unreachable(), hasColor: false, write: () => expect.unreachable() },
      ),
    ).rejects.toThrow("was not written by drover");
  });
});
