/** A real etcd on loopback, without an API server. */
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { RealProgram, freePorts, programsMissing, temporaryFolder, until } from "./real-program.ts";

export interface RealEtcd {
  /** "http://127.0.0.1:40123" */
  readonly url: string;
  /** Ends it and starts it again on the same data and address; resolves when it serves. */
  readonly restart: () => Promise<void>;
  /** Ends it, and keeps its data for `restart`. */
  readonly interrupt: () => Promise<void>;
  /** Keeps a copy of its data. It is interrupted meanwhile. */
  readonly backUp: () => Promise<void>;
  /** Starts it on the copy: everything since then is lost. */
  readonly restore: () => Promise<void>;
  /** Ends it and removes its data. */
  readonly stop: () => Promise<void>;
}

/** Why no etcd can be started here; undefined when one can. */
export const realEtcdMissing: string | undefined = programsMissing("etcd");

/** Starts an etcd of one member that elects itself at once. The caller must stop it. */
export async function startRealEtcd(...flags: readonly string[]): Promise<RealEtcd> {
  const { path: folder, remove } = temporaryFolder("real-etcd");
  const [clientPort, peerPort] = await freePorts(2);
  const url = `http://127.0.0.1:${clientPort}`;
  const all = [
    ...etcdFlags(folder, url, `http://127.0.0.1:${peerPort}`, { isDurable: false }),
    "--heartbeat-interval=20",
    "--election-timeout=200",
    ...flags,
  ];
  let program: RealProgram | undefined;
  const interrupt = async (): Promise<void> => {
    await program?.end();
    program = undefined;
  };
  const start = async (): Promise<void> => {
    const started = new RealProgram("etcd", all, folder);
    program = started;
    await until([started], "etcd was", () => isHealthy(url));
  };
  const stop = async (): Promise<void> => {
    await interrupt();
    remove();
  };
  try {
    await start();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url,
    interrupt,
    stop,
    restart: async () => {
      await interrupt();
      await start();
    },
    backUp: async () => {
      await interrupt();
      cpSync(join(folder, "etcd"), join(folder, "backup"), { recursive: true });
      await start();
    },
    restore: async () => {
      await interrupt();
      rmSync(join(folder, "etcd"), { recursive: true });
      cpSync(join(folder, "backup"), join(folder, "etcd"), { recursive: true });
      await start();
    },
  };
}

export const etcdFlags = (folder: string, clientUrl: string, peerUrl: string, { isDurable }: { readonly isDurable: boolean }): string[] => [
  `--data-dir=${join(folder, "etcd")}`,
  `--listen-client-urls=${clientUrl}`,
  `--advertise-client-urls=${clientUrl}`,
  `--listen-peer-urls=${peerUrl}`,
  `--initial-advertise-peer-urls=${peerUrl}`,
  `--initial-cluster=default=${peerUrl}`,
  ...(isDurable ? [] : ["--unsafe-no-fsync"]),
  "--log-level=error",
];

async function isHealthy(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/health`);
    return response.ok && (await response.text()).includes('"true"');
  } catch {
    return false;
  }
}
