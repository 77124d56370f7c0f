/**
 * The READMEs of client and cache as programs: every block compiles, runs in order against a real cluster, and prints
 * what the page says.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { Deployment } from "@drover/api/apps/v1";
import { Namespace, Pod, ServiceAccount } from "@drover/api/core/v1";
import { conditionTrue, waitFor } from "@drover/client";
import { connect } from "drover";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defaultsThatDiffer, listedPackages, optionsPage, optionsWithoutDefault, readOptions } from "./client-options-page.ts";
import { printsAs, readmeBlocks } from "./client-readme-blocks.ts";
import { realClusterMissing, startRealCluster } from "../servers/real-cluster.ts";
import type { RealCluster } from "../servers/real-cluster.ts";

const root = join(import.meta.dirname, "..", "..");
const client = join(root, "packages", "client");
const readme = readFileSync(join(client, "README.md"), "utf8");
const cacheReadme = readFileSync(join(root, "packages", "cache", "README.md"), "utf8");
const blocks = [...readmeBlocks(readme), ...readmeBlocks(cacheReadme)].map((block, index) => ({
  ...block,
  file: `${String(index).padStart(2, "0")}.ts`,
}));
const options = readOptions(root, ["drover", "client"]);
const together = blocks.filter(({ apart }) => apart === undefined);
const missing = realClusterMissing({ scheduler: true, kwok: {} });

describe("the READMEs of client and cache", () => {
  let folder = "";
  beforeAll(() => {
    // Inside the repository, so that packages resolve as in a reader's program.
    mkdirSync(join(root, "node_modules", ".cache"), { recursive: true });
    folder = mkdtempSync(join(root, "node_modules", ".cache", "drover-readme-"));
    for (const { file, program } of blocks) writeFileSync(join(folder, file), program);
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("have blocks, and name the test of those that are not run with the others", () => {
    expect(together.length).toBeGreaterThan(14);
    expect(blocks.filter(({ apart }) => apart !== undefined).map(({ title, apart }) => [title, apart])).toEqual([
      ["Watching", expect.stringMatching(/^run by conformance\/documents\/client-demo\.test\.ts/)],
    ]);
  });

  it("have blocks that compile", { timeout: 60_000 }, (ctx) => {
    if (process.env["DROVER_LONG"] !== "1")
      ctx.skip("compiles for five seconds: DROVER_LONG=1 npx vitest run conformance/documents/client-readme");
    const compilerOptions = { noUnusedLocals: false, noEmit: true };
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({
        extends: join(root, "tsconfig.json"),
        compilerOptions,
        files: blocks.map(({ file }) => file),
        include: [],
        exclude: [],
      }),
    );
    const { stdout, status } = spawnSync(join(root, "node_modules", ".bin", "tsc"), ["-p", folder, "--pretty", "false"], {
      cwd: root,
      encoding: "utf8",
    });
    expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
  });

  it("have the numbers of the code in their tables", () => {
    expect(defaultsThatDiffer(readme, options)).toEqual([]);
    expect(defaultsThatDiffer("| `pageSize` | | 501 |\n| `callsMax` | | 64 |\n| `keepAliveMs` | | 46 s |", options)).toEqual([
      "| `pageSize` | | 501 |",
      "| `keepAliveMs` | | 46 s |",
    ]);
  });

  it('docs/options.md lists every option and its default (npx vitest run conformance -t "every option" -u writes it anew)', async () => {
    expect(optionsWithoutDefault(options)).toEqual([]);
    await expect(optionsPage(readOptions(root, listedPackages))).toMatchFileSnapshot(join(root, "docs", "options.md"));
  });

  it("have blocks that print what the page says, on a real cluster", { timeout: 180_000 }, async (ctx) => {
    if (missing !== undefined) ctx.skip(missing);
    const page = createServer((_, response) => response.end("hello from port 80")).listen(0, "127.0.0.1");
    await once(page, "listening");
    const logFile = join(folder, "web-0.log");
    writeFileSync(logFile, "2026-01-01T00:00:00Z stdout F ready\n");
    const cluster = await startRealCluster({
      scheduler: true,
      kwok: {
        config: [
          { kind: "ClusterExec", metadata: { name: "all" }, spec: { execs: [{ local: {} }] } },
          { kind: "ClusterLogs", metadata: { name: "all" }, spec: { logs: [{ logsFile: logFile }] } },
          {
            kind: "ClusterPortForward",
            metadata: { name: "all" },
            spec: { forwards: [{ ports: [80], target: { address: "127.0.0.1", port: (page.address() as AddressInfo).port } }] },
          },
        ],
      },
    });
    try {
      await furnish(cluster);
      expect(await run(cluster)).toEqual(together.map(({ title, file }) => ({ block: `${file} ${title}`, asSaid: true })));
    } finally {
      await cluster.stop();
      page.close();
    }
  });

  /** All blocks in one process, one after the other; the output of each is compared with the page. */
  async function run({ url, ca, token }: RealCluster): Promise<readonly object[]> {
    const kubeconfig = join(folder, "kubeconfig");
    const context = { cluster: "c", user: "u", namespace: "shop" };
    writeFileSync(
      kubeconfig,
      JSON.stringify({
        apiVersion: "v1",
        kind: "Config",
        "current-context": "shop",
        contexts: ["shop", "staging"].map((name) => ({ name, context })),
        clusters: [{ name: "c", cluster: { server: url, "certificate-authority-data": Buffer.from(ca).toString("base64") } }],
        users: [{ name: "u", user: { token } }],
      }),
      { mode: 0o600 },
    );
    const mark = (file: string): string => `\u0000${file}\n`;
    writeFileSync(
      join(folder, "all.mjs"),
      together.map(({ file }) => `process.stdout.write(${JSON.stringify(mark(file))});\nawait import("./${file}");\n`).join(""),
    );
    const child = spawn(process.execPath, ["--conditions=drover-source", "--import", "tsx", join(folder, "all.mjs")], {
      cwd: root,
      env: { ...process.env, KUBECONFIG: kubeconfig, NO_COLOR: "1" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let [printed, complaints] = ["", ""];
    child.stdout.on("data", (bytes: Buffer) => (printed += bytes.toString("utf8")));
    child.stderr.on("data", (bytes: Buffer) => (complaints += bytes.toString("utf8")));
    const [code] = (await once(child, "close")) as [number | null];
    expect({ code, complaints, printed: code === 0 ? "" : printed }).toEqual({ code: 0, complaints: "", printed: "" });
    return together.map(({ title, file, output = "" }) => {
      const [, said = ""] = printed.split(mark(file));
      const [own = ""] = said.split("\u0000");
      return { block: `${file} ${title}`, asSaid: printsAs(output, own) || { printed: own, expected: output } };
    });
  }
});

/** What the page assumes: a namespace with a Deployment, a Pod, a service account and a custom kind. */
async function furnish({ kubeconfig }: RealCluster): Promise<void> {
  await using cluster = await connect({ kubeconfig, namespace: "shop" });
  const own = cluster.client;
  await own.create(Namespace, { metadata: { name: "shop" } });
  const spec = { containers: [{ name: "web", image: "registry.example/web:1" }] };
  const labels = { app: "deployed" };
  await own.create(Deployment, {
    metadata: { name: "web", labels: { app: "web" } },
    spec: { replicas: 2, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  });
  await own.create(Pod, { metadata: { name: "web-0", labels: { app: "web" } }, spec });
  await own.create(ServiceAccount, { metadata: { name: "robot" } });
  const image = { type: "object", properties: { image: { type: "string" } } };
  const schema = {
    openAPIV3Schema: {
      type: "object",
      properties: { spec: image, status: { type: "object", properties: { ready: { type: "integer" } } } },
    },
  };
  await own.create(CustomResourceDefinition, {
    metadata: { name: "webapps.demo.drover.dev" },
    spec: {
      group: "demo.drover.dev",
      scope: "Namespaced",
      names: { kind: "WebApp", plural: "webapps", singular: "webapp" },
      versions: [{ name: "v1", served: true, storage: true, subresources: { status: {} }, schema }],
    },
  });
  await waitFor(own, CustomResourceDefinition, "webapps.demo.drover.dev", conditionTrue("Established"), { timeoutMs: 30_000 });
  await waitFor(own, Pod, "web-0", conditionTrue("Ready"), { timeoutMs: 60_000 });
  await waitFor(own, Deployment, "web", conditionTrue("Available"), { timeoutMs: 60_000 });
}
