/**
 * A real cluster on loopback for as long as a test needs it: a real API server, and on top of it the controllers, on demand a scheduler
 * and nodes that kwok plays.
 *
 *     startRealServer → kube-controller-manager (→ kube-scheduler, kwok) → RealCluster
 *
 * The programs are looked for in the folder that KUBEBUILDER_ASSETS names; `npm run assets` builds them.
 */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startRealServer } from "./real-server.ts";
import type { RealServer } from "./real-server.ts";

export interface RealClusterOptions {
  /** Whether pods are given nodes. @default false */
  readonly scheduler?: boolean;
  /** Nodes that pretend to run pods. @default none: pods stay pending */
  readonly kwok?: RealNodes;
}

export interface RealNodes {
  /** How many there are, named node-0, node-1 … @default 1 */
  readonly count?: number;
  /**
   * Further objects of kwok's configuration. `ClusterExec`, `ClusterLogs`, `ClusterAttach` and `ClusterPortForward` say what its kubelet
   * answers; a local exec runs programs on this machine, for whoever reaches the port on loopback.
   * @default none
   */
  readonly config?: readonly Readonly<Record<string, unknown>>[];
}

export interface RealCluster extends RealServer {
  /** A file for kubectl and its like, with the administrator's token; gone when the cluster is. */
  readonly kubeconfig: string;
}

const assets = process.env["KUBEBUILDER_ASSETS"] ?? "";
const startTimeoutMs = 60_000;

/** Why no such cluster can be started here; undefined when one can. */
export function realClusterMissing({ scheduler = false, kwok }: RealClusterOptions = {}): string | undefined {
  const programs = ["etcd", "kube-apiserver", "kube-controller-manager", ...(scheduler ? ["kube-scheduler"] : []), ...(kwok === undefined ? [] : ["kwok"])];
  const missing = programs.filter((program) => assets === "" || !existsSync(join(assets, program)));
  return missing.length === 0 ? undefined : `needs ${missing.join(", ")} in KUBEBUILDER_ASSETS: npm run assets`;
}

/** Starts a cluster and waits until its controllers work and its nodes are ready. Whoever starts it must stop it. */
export async function startRealCluster({ scheduler = false, kwok }: RealClusterOptions = {}): Promise<RealCluster> {
  const server = await startRealServer();
  const folder = mkdtempSync(join(tmpdir(), "drover-real-cluster-"));
  const programs: Program[] = [];
  const stop = async (): Promise<void> => {
    // All at once, and the server they talk to only after them, so that none spends its last seconds on trying again.
    await Promise.all(programs.map((program) => program.end()));
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  const start = (name: string, args: readonly string[]): void => void programs.push(new Program(name, args, folder));
  try {
    const kubeconfig = writeKubeconfig(folder, server);
    const [managerPort, kubeletPort] = [await freePort(), await freePort()];
    start("kube-controller-manager", [
      `--kubeconfig=${kubeconfig}`, "--leader-elect=false", "--authentication-skip-lookup", "--bind-address=127.0.0.1", `--secure-port=${managerPort}`, `--cert-dir=${folder}`,
      "--allocate-node-cidrs=false", "--kube-api-qps=1000", "--kube-api-burst=2000",
    ]);
    if (scheduler) start("kube-scheduler", [`--kubeconfig=${kubeconfig}`, "--leader-elect=false", "--authentication-skip-lookup", "--secure-port=0", "--kube-api-qps=1000", "--kube-api-burst=2000"]);
    // The controllers make a service account for every namespace; once it is there they work.
    await until(programs, "the controllers", async () => (await server.send({ method: "GET", path: "/api/v1/namespaces/default/serviceaccounts/default" })).status === 200);
    if (kwok !== undefined) {
      start("kwok", kwokFlags(folder, kubeconfig, kubeletPort, kwok));
      await addNodes(server, programs, kwok.count ?? 1);
    }
    return { ...server, kubeconfig, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function kwokFlags(folder: string, kubeconfig: string, port: number, { config = [] }: RealNodes): string[] {
  const stages = readFileSync(join(dirname(fileURLToPath(import.meta.url)), "real-cluster-stages.yaml"), "utf8");
  const file = join(folder, "kwok.yaml");
  writeFileSync(file, [stages, ...config.map((document) => JSON.stringify({ apiVersion: "kwok.x-k8s.io/v1alpha1", ...document }))].join("\n---\n"));
  // The API server speaks TLS with nodes and does not ask who they are; the controllers' own certificate will do.
  const certificate = join(folder, "kube-controller-manager");
  return [
    `--kubeconfig=${kubeconfig}`, `--config=${file}`, "--manage-all-nodes", "--node-ip=127.0.0.1", `--node-port=${port}`, `--server-address=127.0.0.1:${port}`,
    "--node-lease-duration-seconds=40", `--tls-cert-file=${certificate}.crt`, `--tls-private-key-file=${certificate}.key`,
  ];
}

async function addNodes(server: RealServer, programs: readonly Program[], count: number): Promise<void> {
  const names = Array.from({ length: count }, (_, index) => `node-${index}`);
  for (const name of names) {
    const { status, body } = await server.send({ method: "POST", path: "/api/v1/nodes", headers: { "content-type": "application/json" }, body: JSON.stringify({ metadata: { name, labels: { "kubernetes.io/hostname": name } } }) });
    if (status !== 201) throw new Error(`creating ${name} failed with ${status}: ${body}`);
  }
  await until(programs, "the nodes", async () => {
    const { body } = await server.send({ method: "GET", path: "/api/v1/nodes" });
    const { items } = JSON.parse(body) as { readonly items: readonly { readonly spec: { readonly taints?: readonly unknown[] }; readonly status: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] } }[] };
    const ready = items.filter(({ spec, status }) => (spec.taints ?? []).length === 0 && status.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True") === true);
    return ready.length >= count;
  });
}

function writeKubeconfig(folder: string, { url, token, ca }: RealServer): string {
  const file = join(folder, "kubeconfig");
  writeFileSync(file, JSON.stringify({
    apiVersion: "v1", kind: "Config", "current-context": "real",
    clusters: [{ name: "real", cluster: { server: url, "certificate-authority-data": Buffer.from(ca).toString("base64") } }],
    users: [{ name: "admin", user: { token } }],
    contexts: [{ name: "real", context: { cluster: "real", user: "admin" } }],
  }), { mode: 0o600 });
  return file;
}

/** A program that runs; what it says is kept for the error when it ends too soon. */
class Program {
  readonly #name: string;
  readonly #log: string;
  readonly #child: ChildProcess;

  constructor(name: string, args: readonly string[], folder: string) {
    this.#name = name;
    this.#log = join(folder, `${name}.log`);
    const output = openSync(this.#log, "w");
    this.#child = spawn(join(assets, name), args, { stdio: ["ignore", output, output] });
    closeSync(output);
  }

  /** Throws when it has ended. */
  check(): void {
    const { exitCode, signalCode } = this.#child;
    if (exitCode === null && signalCode === null) return;
    throw new Error(`${this.#name} ended with ${exitCode ?? signalCode}:\n${this.tail()}`);
  }

  tail(): string {
    return readFileSync(this.#log, "utf8").split("\n").slice(-20).join("\n");
  }

  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#child.kill("SIGTERM");
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), 5000);
    await ended;
    clearTimeout(timer);
  }
}

async function until(programs: readonly Program[], what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + startTimeoutMs;
  while (performance.now() < deadline) {
    for (const program of programs) program.check();
    if (await holds()) return;
    await delay(100);
  }
  throw new Error(`${what} were not ready after ${startTimeoutMs} ms:\n${programs.map((program) => program.tail()).join("\n")}`);
}

async function freePort(): Promise<number> {
  const server = await new Promise<ReturnType<typeof createServer>>((resolve) => {
    const listening = createServer().listen(0, "127.0.0.1", () => resolve(listening));
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
