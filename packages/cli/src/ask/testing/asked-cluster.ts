/**
 * Operators in pods of an embedded server, and the commands that ask them, for tests. The operators run in this process, with real leases.
 *
 *     askedCluster() → startOperator("op-0"), ask("status", "--deployment", "op")
 */
import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createApiServer } from "@drover/apiserver";
import { nodeHost } from "@drover/apiserver/node";
import { Deployment } from "@drover/api/apps/v1";
import { ConfigMap, Namespace, Pod } from "@drover/api/core/v1";
import { connect, nodeRuntime, operator } from "drover";
import type { Connection, RunOptions, RunnableOperator } from "drover";
import { isCommandError } from "../../command-error.ts";
import { parseCommandLine } from "../../command-line.ts";
import { ask } from "../ask.ts";
import type { AskPlace } from "../reach-operator.ts";
import { kubelet } from "./kubelet.ts";
import type { PodPort } from "./kubelet.ts";

export interface Asked {
  readonly code: number;
  readonly output: string;
  readonly warnings: string;
}

export interface AskedCluster {
  readonly connection: Connection;
  /** Ports of the pods; tests change them. */
  readonly ports: Map<string, PodPort>;
  /** Paths of forwarded ports. */
  readonly paths: string[];
  readonly createPod: (name: string, status?: NonNullable<Pod["status"]>) => Promise<void>;
  /** Creates a ready pod and runs an operator "in" it. @param version - written to each copy; "v1" if absent */
  readonly startOperator: (pod: string, options?: RunOptions, version?: string) => Promise<void>;
  /** Runs a command as `main` does; a `CommandError` becomes code 1 with its message as warning. */
  readonly ask: (...words: string[]) => Promise<Asked>;
  readonly end: () => Promise<void>;
}

const selected = { app: "op" } as const;
const ready = (): NonNullable<Pod["status"]> => ({ phase: "Running", conditions: [{ type: "Ready", status: "True" }] });

/** Reconciles ConfigMaps: nothing but a copy of those with a label. */
function copier(version: string): RunnableOperator {
  const app = operator({ name: "copier" });
  app.controller(ConfigMap, {
    name: "maps",
    when: ({ metadata: { labels } }) => labels?.["copy"] !== undefined,
    owns: { copy: ConfigMap },
    desired: ({ object }) => ({ copy: { metadata: { name: `${object.metadata.name ?? ""}-copy` }, data: { version } } }),
  });
  return app;
}

/** Returns a cluster with the Deployment "op" in the namespace "shop", and no pods. */
export async function askedCluster(): Promise<AskedCluster> {
  const runtime = nodeRuntime({ logLevel: "error" });
  const server = await createApiServer({ runtime, host: nodeHost });
  const [ports, paths] = [new Map<string, PodPort>(), new Array<string>()];
  const open = (): Promise<Connection> =>
    connect({
      access: { server: "https://api.example", trust: {}, namespace: "default", credentials: [] } as never,
      runtime,
      sockets: {
        transport: () =>
          Object.assign((request: Parameters<typeof server.handle>[0]) => server.handle(request), { close: () => undefined }),
        webSocket: () => kubelet(ports, paths),
      },
    });
  const connection = await open();
  const { client } = connection;
  await client.create(Namespace, { metadata: { name: "shop" } });
  const template = { metadata: { labels: { ...selected } }, spec: { containers: [{ name: "op", image: "op" }] } };
  await client.create(Deployment, {
    metadata: { name: "op", namespace: "shop" },
    spec: { selector: { matchLabels: { ...selected } }, template },
  });
  const stop = new AbortController();
  const ends: Promise<unknown>[] = [];
  const servers: Server[] = [];
  const createPod = async (name: string, status = ready()): Promise<void> => {
    await client.create(Pod, { metadata: { name, namespace: "shop", labels: { ...selected } }, spec: template.spec });
    await client.resource(Pod).status.patch(name, { type: "merge", body: { status } }, { namespace: "shop" });
    ports.set(name, undefined);
  };
  return {
    connection,
    ports,
    paths,
    createPod,
    startOperator: async (pod, options = {}, version = "v1") => {
      await createPod(pod);
      const running = copier(version).run({ connection, runtime, permissions: "off", debug: false, signal: stop.signal, ...options });
      ends.push(running);
      const http = createServer((request, response) => {
        running.ask(request.url ?? "").then(
          (answer) => response.end(JSON.stringify(answer)),
          (error: unknown) => response.writeHead(400).end(String(error)),
        );
      });
      servers.push(http);
      await new Promise<void>((resolve) => void http.listen(0, "127.0.0.1", () => resolve()));
      ports.set(pod, (http.address() as AddressInfo).port);
    },
    ask: (...words) => askAs({ env: {}, clock: runtime.clock, terminal: undefined, connect: open, signal: stop.signal }, words),
    end: async () => {
      stop.abort();
      await Promise.all(ends);
      for (const http of servers) http.close();
      await connection.close();
    },
  };
}

async function askAs(place: Omit<AskPlace, "write" | "warn">, words: readonly string[]): Promise<Asked> {
  const command = parseCommandLine(words);
  if (command.name !== "ask") throw new Error(JSON.stringify(command));
  let [output, warnings] = ["", ""];
  const write = (text: string): void => void (output += text);
  const warn = (text: string): void => void (warnings += `${text}\n`);
  try {
    return { code: await ask(command.options, { ...place, write, warn }), output, warnings };
  } catch (error) {
    if (!isCommandError(error)) throw error;
    return { code: 1, output, warnings: `${warnings}${error.message}\n` };
  }
}
