/**
 * The clusters on which programs of others run: `drover up`, the command as it is published, and in the long mode a
 * real cluster, which shows that a test asks for what Kubernetes does. Each program gets the kubeconfig of its own
 * service account.
 *
 *     softwareClusters → start → SoftwareCluster → kubectl, kubeconfigOf, start
 */
import { execFile } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { bundledProgram } from "../documents/bundled-program.ts";
import { realClusterMissing, startRealCluster } from "../servers/real-cluster.ts";
import { RealProgram, programPath, programsMissing, temporaryFolder, until } from "../servers/real-program.ts";

/** What a command printed, both streams together. */
export interface Printed {
  readonly code: number;
  readonly output: string;
}

export interface SoftwareCluster {
  /** A folder for files of the test, removed at the end. */
  readonly folder: string;
  /** Runs kubectl as administrator; throws when it fails. */
  readonly kubectl: (...args: readonly string[]) => Promise<string>;
  /** Runs a program to its end, with any exit code. */
  readonly run: (path: string, args: readonly string[], kubeconfig?: string) => Promise<Printed>;
  /** Applies manifests as administrator; throws when that fails. */
  readonly apply: (...objects: readonly object[]) => Promise<string>;
  /** Writes a kubeconfig with a token of a service account and returns its path. */
  readonly kubeconfigOf: (namespace: string, serviceAccount: string) => Promise<string>;
  /** Starts a program that runs until the end of the test. */
  readonly start: (name: string, path: string, args: readonly string[]) => RealProgram;
  /** Ends such a program before the end of the test. */
  readonly end: (program: RealProgram) => Promise<void>;
  /** Waits until kubectl prints a text that matches; fails with the last one, and with the output of a program that has ended. */
  readonly eventually: (expected: RegExp, ...args: readonly string[]) => Promise<string>;
  readonly stop: () => Promise<void>;
}

/** The path of a program that `npm run assets` built to run on our cluster. */
export const softwarePath = (name: string): string => join(process.env["DROVER_REAL_SOFTWARE"] ?? "", name);

/** Why a test that needs these programs, and kubectl, cannot run here; undefined when it can. */
export function softwareMissing(...names: readonly string[]): string | undefined {
  const folder = process.env["DROVER_REAL_SOFTWARE"] ?? "";
  const missing = names.filter((name) => folder === "" || !existsSync(join(folder, name)));
  return missing.length === 0 ? programsMissing("kubectl") : `needs ${missing.join(", ")} in DROVER_REAL_SOFTWARE: npm run assets`;
}

const commandMs = 120_000;
// The real garbage collector notices new kinds every 30 seconds.
const eventuallyMs = 90_000;

/** A kind of cluster, and why it is not available here. */
export interface ClusterSource {
  readonly name: string;
  readonly missing: string | undefined;
  /** Whether the annotation `drover.dev/forward-to` of a Service leads calls of its webhooks to a port of this machine. */
  readonly forwardsServices: boolean;
  readonly start: () => Promise<SoftwareCluster>;
}

const real = { scheduler: true, kwok: { count: 2 } };

/** @param options - `long`: whether the real cluster has its turn */
export const softwareClusters = ({ long }: { readonly long: boolean }): readonly ClusterSource[] => [
  { name: "drover up", missing: undefined, forwardsServices: true, start: startDroverUp },
  {
    name: "a real cluster",
    forwardsServices: false,
    missing: long ? realClusterMissing(real) : "the real cluster has its turn in the long mode: DROVER_LONG=1",
    start: async () => {
      const { kubeconfig, stop } = await startRealCluster(real);
      const { path: folder, remove } = temporaryFolder("real-software");
      return clusterAt(kubeconfig, folder, [], () => stop().finally(remove));
    },
  },
];

/** `drover up` with an admission plug-in that operators must satisfy on some platforms. */
async function startDroverUp(): Promise<SoftwareCluster> {
  const { path: folder, remove } = temporaryFolder("real-software");
  const kubeconfig = join(folder, "kubeconfig");
  const command = await bundledProgram(join(folder, "bundle"), "packages/cli/src/main.ts");
  const flags = ["--quiet", "--instant", "--kubeconfig", kubeconfig, "--enable-admission-plugins=OwnerReferencesPermissionEnforcement"];
  const up = new RealProgram("drover", [command, "up", ...flags], folder, { path: process.execPath });
  const cluster = clusterAt(kubeconfig, folder, [up], () => Promise.resolve(remove()));
  try {
    await until([up], "drover up was", () => Promise.resolve(up.tail(100).includes("Ctrl-C")));
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

/** @param programs - programs that are running already; @param stopMore - called when all have ended */
function clusterAt(kubeconfig: string, folder: string, programs: RealProgram[], stopMore: () => Promise<void>): SoftwareCluster {
  const start: SoftwareCluster["start"] = (name, path, args) => {
    const program = new RealProgram(name, args, folder, { path });
    programs.push(program);
    return program;
  };
  const end: SoftwareCluster["end"] = async (program) => {
    programs.splice(programs.indexOf(program), 1);
    await program.end();
  };
  const stop = async (): Promise<void> => {
    for (const program of programs.toReversed()) await end(program);
    await stopMore();
  };
  const run: SoftwareCluster["run"] = (path, args, config = kubeconfig) =>
    new Promise((resolve) => {
      const env = { PATH: process.env["PATH"], HOME: folder, KUBECONFIG: config };
      execFile(path, args, { env, cwd: folder, timeout: commandMs, maxBuffer: 1 << 24 }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: `${stdout}${stderr}` }),
      );
    });
  const kubectl: SoftwareCluster["kubectl"] = async (...args) => {
    const { code, output } = await run(programPath("kubectl"), args);
    if (code !== 0) throw new Error(`kubectl ${args.join(" ")}: ${output}`);
    return output;
  };
  const apply: SoftwareCluster["apply"] = (...objects) => {
    const file = join(folder, "objects.json");
    writeFileSync(file, JSON.stringify({ apiVersion: "v1", kind: "List", items: objects }));
    return kubectl("apply", "-f", file);
  };
  const kubeconfigOf: SoftwareCluster["kubeconfigOf"] = async (namespace, serviceAccount) => {
    const token = await kubectl("create", "token", serviceAccount, "--namespace", namespace, "--duration=1h");
    const { clusters } = JSON.parse(await kubectl("config", "view", "--raw", "--minify", "-o", "json")) as {
      readonly clusters: readonly [{ readonly cluster: object }];
    };
    const file = join(folder, `${namespace}-${serviceAccount}.kubeconfig`);
    const config = tokenKubeconfig(clusters[0].cluster, token.trim(), namespace);
    writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
    return file;
  };
  const eventually: SoftwareCluster["eventually"] = async (expected, ...args) => {
    const deadline = performance.now() + eventuallyMs;
    for (;;) {
      const { output } = await run(programPath("kubectl"), args);
      if (expected.test(output)) return output;
      for (const program of programs) program.check();
      if (performance.now() > deadline)
        throw new Error(
          `kubectl ${args.join(" ")} does not print ${expected}:\n${output}\n${programs.map((each) => each.tail()).join("\n")}`,
        );
      await delay(200);
    }
  };
  return { folder, kubectl, run, apply, kubeconfigOf, start, end, eventually, stop };
}

function tokenKubeconfig(cluster: object, token: string, namespace: string): object {
  const name = "account";
  return {
    apiVersion: "v1",
    kind: "Config",
    "current-context": name,
    clusters: [{ name, cluster }],
    users: [{ name, user: { token } }],
    contexts: [{ name, context: { cluster: name, user: name, namespace } }],
  };
}
