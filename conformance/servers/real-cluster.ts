/**
 * A real cluster on loopback for as long as a test needs it: a real API server with controllers and, on demand, a
 * scheduler and nodes simulated by kwok.
 *
 *     startRealServer → kube-controller-manager (→ kube-scheduler, kwok) → RealCluster
 *
 * The programs come from the folder that KUBEBUILDER_ASSETS names; `npm run assets` builds them.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { RealProgram, freePorts, programsMissing, temporaryFolder, until } from "./real-program.ts";
import { startRealServer } from "./real-server.ts";
import type { RealServer } from "./real-server.ts";

export interface RealClusterOptions {
  /** Whether to start a scheduler. @default false */
  readonly scheduler?: boolean;
  /** Nodes that pretend to run pods. @default none: pods stay pending */
  readonly kwok?: RealNodes;
  /** Names of controllers that do not run. @default none: all controllers that are on by default run */
  readonly without?: readonly string[];
  /** Starts controllers in place of kube-controller-manager, and returns how to stop them. @default kube-controller-manager */
  readonly manager?: (server: RealServer) => () => Promise<void>;
}

export interface RealNodes {
  /** Number of nodes, named node-0, node-1 … @default 1 */
  readonly count?: number;
  /** kwok simulates nodes while they have this label; the first ones have it. @default all nodes */
  readonly label?: string;
  /**
   * Further objects of kwok's configuration. `ClusterExec`, `ClusterLogs`, `ClusterAttach` and `ClusterPortForward`
   * define what its kubelet answers; a local exec runs programs on this machine for every client of the port on
   * loopback. @default none
   */
  readonly config?: readonly Readonly<Record<string, unknown>>[];
}

export type RealCluster = RealServer;

/** Why no such cluster can be started here; undefined when one can. */
export function realClusterMissing({ scheduler = false, kwok }: RealClusterOptions = {}): string | undefined {
  return programsMissing(
    "etcd",
    "kube-apiserver",
    "kube-controller-manager",
    ...(scheduler ? ["kube-scheduler"] : []),
    ...(kwok === undefined ? [] : ["kwok"]),
  );
}

/** Starts a cluster and waits until its controllers work and its nodes are ready. The caller must stop it. */
export async function startRealCluster({ scheduler = false, kwok, without = [], manager }: RealClusterOptions = {}): Promise<RealCluster> {
  const server = await startRealServer();
  const { path: folder, remove } = temporaryFolder("real-cluster");
  const programs: RealProgram[] = [];
  let endManager = (): Promise<void> => Promise.resolve();
  const stop = async (): Promise<void> => {
    // All at once, and the server after them, so that none spends its last seconds on retries.
    await Promise.all([endManager(), ...programs.map((program) => program.end())]);
    await server.stop();
    remove();
  };
  const start = (name: string, args: readonly string[]): void => void programs.push(new RealProgram(name, args, folder));
  try {
    const { kubeconfig } = server;
    const [managerPort, kubeletPort = 0] = await freePorts(2);
    if (manager !== undefined) endManager = manager(server);
    else
      start("kube-controller-manager", [
        `--kubeconfig=${kubeconfig}`,
        "--leader-elect=false",
        "--authentication-skip-lookup",
        "--bind-address=127.0.0.1",
        `--secure-port=${managerPort}`,
        `--cert-dir=${folder}`,
        "--allocate-node-cidrs=false",
        "--kube-api-qps=1000",
        "--kube-api-burst=2000",
        `--controllers=${["*", ...without.map((name) => `-${name}`)].join(",")}`,
      ]);
    if (scheduler)
      start("kube-scheduler", [
        `--kubeconfig=${kubeconfig}`,
        "--leader-elect=false",
        "--authentication-skip-lookup",
        "--secure-port=0",
        "--kube-api-qps=1000",
        "--kube-api-burst=2000",
      ]);
    // The controllers create a service account in every namespace, so its existence shows that they work.
    await until(
      programs,
      "the controllers were",
      async () => (await server.send({ method: "GET", path: "/api/v1/namespaces/default/serviceaccounts/default" })).status === 200,
    );
    if (kwok !== undefined) {
      start("kwok", kwokFlags({ folder, kubeconfig, port: kubeletPort, hasCertificate: manager === undefined }, kwok));
      await addNodes(server, programs, kwok);
    }
    return { ...server, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function kwokFlags(
  {
    folder,
    kubeconfig,
    port,
    hasCertificate,
  }: { readonly folder: string; readonly kubeconfig: string; readonly port: number; readonly hasCertificate: boolean },
  { config = [], label }: RealNodes,
): string[] {
  const stages = readFileSync(join(dirname(fileURLToPath(import.meta.url)), "real-cluster-stages.yaml"), "utf8");
  const file = join(folder, "kwok.yaml");
  writeFileSync(
    file,
    [stages, ...config.map((document) => JSON.stringify({ apiVersion: "kwok.x-k8s.io/v1alpha1", ...document }))].join("\n---\n"),
  );
  // The API server uses TLS with nodes and does not verify them, so the controllers' own certificate is enough.
  const certificate = join(folder, "kube-controller-manager");
  return [
    `--kubeconfig=${kubeconfig}`,
    `--config=${file}`,
    label === undefined ? "--manage-all-nodes" : `--manage-nodes-with-label-selector=${label}`,
    "--node-ip=127.0.0.1",
    `--node-port=${port}`,
    `--server-address=127.0.0.1:${port}`,
    "--node-lease-duration-seconds=40",
    ...(hasCertificate ? [`--tls-cert-file=${certificate}.crt`, `--tls-private-key-file=${certificate}.key`] : []),
  ];
}

async function addNodes(server: RealServer, programs: readonly RealProgram[], { count = 1, label }: RealNodes): Promise<void> {
  const labelled = label === undefined ? {} : { [label]: "true" };
  const names = Array.from({ length: count }, (_, index) => `node-${index}`);
  for (const name of names) {
    const { status, body } = await server.send({
      method: "POST",
      path: "/api/v1/nodes",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ metadata: { name, labels: { "kubernetes.io/hostname": name, ...labelled } } }),
    });
    if (status !== 201) throw new Error(`creating ${name} failed with ${status}: ${body}`);
  }
  await until(programs, "the nodes were", async () => {
    const { body } = await server.send({ method: "GET", path: "/api/v1/nodes" });
    const { items } = JSON.parse(body) as {
      readonly items: readonly {
        readonly spec: { readonly taints?: readonly unknown[] };
        readonly status: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
      }[];
    };
    const ready = items.filter(
      ({ spec, status }) =>
        (spec.taints ?? []).length === 0 && status.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True") === true,
    );
    return ready.length >= count;
  });
}
