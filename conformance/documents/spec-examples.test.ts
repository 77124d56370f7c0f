/** The examples of the specification, in both forms: on our cluster in virtual time, killed at any point; and as programs on a real one. */
import { spawn } from "node:child_process";
import type { ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { ConfigMap, Pod } from "@drover/api/core/v1";
import { createClient } from "@drover/client";
import { startCluster } from "@drover/dev-cluster";
import type { Transport } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { nodeRuntime } from "drover";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { configMapWatch } from "../../examples/configmap-watch/classic.ts";
import { configMapOperator } from "../../examples/configmap-watch/operator.ts";
import type { ExamplePlace } from "../../examples/example-place.ts";
import { frontendRecycler } from "../../examples/frontend-recycler/classic.ts";
import { frontendOperator } from "../../examples/frontend-recycler/operator.ts";
import { podNodeLogger } from "../../examples/pod-node-logger/classic.ts";
import { podNodeOperator } from "../../examples/pod-node-logger/operator.ts";
import type { ExampleForms } from "../../examples/run-example.ts";
import { configurationChanges, frontendComesUp, frontendStory, readyPods } from "./frontend-scene.ts";
import type { FrontendGround } from "./frontend-scene.ts";
import { realClusterMissing, startRealCluster } from "../servers/real-cluster.ts";
import type { RealCluster } from "../servers/real-cluster.ts";
import { realTransport } from "../servers/real-transport.ts";

const root = join(import.meta.dirname, "..", "..");
const logger: ExampleForms = { classic: podNodeLogger, operator: podNodeOperator };
const recycler: ExampleForms = { classic: frontendRecycler, operator: frontendOperator };
const watcher: ExampleForms = { classic: configMapWatch, operator: configMapOperator };

/** A cluster in virtual time, and examples that run on it until they are stopped. */
async function stage() {
  const runtime = testRuntime();
  const { clock } = runtime;
  const cluster = await startCluster({ runtime, nodes: 3 });
  const until: FrontendGround["until"] = async (what, holds) => {
    const deadline = clock.now() + 120_000;
    while (!(await holds())) {
      if (clock.now() > deadline) throw new Error(`${what}: not within two minutes`);
      await clock.advance(100);
    }
  };
  const run = (
    forms: ExampleForms,
    form: keyof ExampleForms,
    {
      say,
      through = (transport) => transport,
    }: { readonly say: ExamplePlace["say"]; readonly through?: (transport: Transport) => Transport },
  ) => {
    const place = testRuntime({ clock });
    const transport = through(cluster.transport);
    const stop = new AbortController();
    const running =
      form === "classic"
        ? forms.classic({ client: createClient({ ...place, transport, namespace: "default" }), runtime: place, say }, stop.signal)
        : forms.operator(say).runOn({ runtime: place, transport, permissions: "off" }).run(stop.signal);
    const over = { is: false };
    void running.catch(() => undefined).finally(() => (over.is = true));
    return async (): Promise<void> => {
      stop.abort(new DOMException("enough", "AbortError"));
      while (!over.is) await clock.advance(100);
    };
  };
  const end = async (): Promise<void> => {
    const stopped = cluster.stop();
    await clock.advance(60_000);
    await stopped;
  };
  const ground: FrontendGround = { client: cluster.client, namespace: "shop", until };
  return { ground, run, end, clock };
}

describe.each(["classic", "operator"] as const)("the examples on our cluster, %s", (form) => {
  it("log nodes, and replace exactly the pods that ran before the change, once", async () => {
    const { ground, run, end } = await stage();
    const told = { logger: [] as string[], recycler: [] as string[] };
    const stops = [
      run(logger, form, { say: (line) => told.logger.push(line) }),
      run(recycler, form, { say: (line) => told.recycler.push(line) }),
    ];
    await frontendStory(ground, told);
    for (const stop of stops) await stop();
    await end();
  });

  it("come to the same result wherever the recycler is killed and restarted", async () => {
    // Killed at its n-th request after the change, before or after the server processed it.
    for (let kill = 0; kill < 14; kill += process.env["DROVER_LONG"] === "1" ? 1 : 9) {
      const { ground, run, end } = await stage();
      const { client, namespace, until } = ground;
      const old = new Set((await frontendComesUp(ground)).map(({ metadata }) => metadata.uid));
      let stop = run(recycler, form, { say: () => undefined });
      await until(
        "the recycler has seen the configuration",
        async () =>
          await client.get(ConfigMap, "frontend-recycler", { namespace }).then(
            () => true,
            () => false,
          ),
      );
      await stop();
      let requests = 0;
      const killed = new AbortController();
      const dying =
        (transport: Transport): Transport =>
        async (request) => {
          const isWatch = request.path.includes("watch=");
          const isLast = !isWatch && requests++ === Math.floor(kill / 2);
          if (killed.signal.aborted && !isWatch) throw new Error("killed");
          if (isLast && kill % 2 === 0) killed.abort();
          if (killed.signal.aborted && !isWatch) throw new Error("killed");
          const response = await transport(request);
          if (isLast) killed.abort();
          if (killed.signal.aborted && !isWatch) throw new Error("killed");
          return response;
        };
      await configurationChanges(ground);
      stop = run(recycler, form, { say: () => undefined, through: dying });
      await ground.until(
        "it is killed, or done",
        async () => killed.signal.aborted || (await client.get(ConfigMap, "frontend-recycler", { namespace })).data?.["pods"] === "{}",
      );
      await stop();
      const names = new Set((await client.list(Pod, { namespace })).items.map(({ metadata }) => metadata.uid));
      stop = run(recycler, form, { say: () => undefined });
      const after = await readyPods(ground, ({ metadata }) => !old.has(metadata.uid));
      // Pods that were created between the two lives stay: each old one is replaced once.
      for (const uid of names)
        if (!old.has(uid)) expect([kill, after.map(({ metadata }) => metadata.uid)]).toEqual([kill, expect.arrayContaining([uid])]);
      await stop();
      await end();
    }
  });

  it("log what happens to ConfigMaps", async () => {
    const {
      ground: { client, until },
      run,
      end,
    } = await stage();
    const lines: string[] = [];
    const stop = run(watcher, form, { say: (line) => lines.push(line) });
    const seen = (text: string): Promise<void> => until(text, () => Promise.resolve(lines.some((line) => line.includes(text))));
    await client.create(ConfigMap, { metadata: { name: "colours", namespace: "default" }, data: { sky: "blue" } });
    await seen("ConfigMap default/colours is at version");
    await client.patch(ConfigMap, "colours", { type: "merge", body: { data: { sky: "grey" } } }, { namespace: "default" });
    await seen('{"sky":"grey"}');
    await stop();
    await end();
  });
});

describe("the examples as programs, by KUBECONFIG alone, on a real cluster", () => {
  const missing = realClusterMissing({ scheduler: true, kwok: { count: 3 } });
  let cluster: RealCluster | undefined;
  beforeAll(async () => {
    if (missing === undefined) cluster = await startRealCluster({ scheduler: true, kwok: { count: 3 } });
  }, 120_000);
  afterAll(async () => await cluster?.stop(), 60_000);

  it.for(["classic", "operator"] as const)("do the same, %s", { timeout: 180_000 }, async (form, ctx) => {
    if (cluster === undefined) {
      ctx.skip(missing);
      return;
    }
    const { clock, log } = nodeRuntime({ write: () => undefined });
    const transport = realTransport(cluster, { clock, log });
    const told = { logger: [] as string[], recycler: [] as string[] };
    const programs = [start("pod-node-logger", form, cluster, told.logger), start("frontend-recycler", form, cluster, told.recycler)];
    const until: FrontendGround["until"] = async (what, holds) => {
      const deadline = clock.now() + 60_000;
      while (!(await holds())) {
        if (clock.now() > deadline) throw new Error(`${what}: not within a minute; ${JSON.stringify(told)}`);
        await new Promise((resolve) => {
          setTimeout(resolve, 100);
        });
      }
    };
    try {
      await frontendStory(
        { client: createClient({ clock, log, transport, namespace: "default" }), namespace: `shop-${form}`, until },
        told,
      );
    } finally {
      for (const program of programs) program.kill("SIGTERM");
      await Promise.all(programs.map((program) => once(program, "close")));
      transport.close();
    }
  });

  function start(name: string, form: string, { kubeconfig }: RealCluster, lines: string[]): ChildProcessByStdio<null, Readable, Readable> {
    const child = spawn(process.execPath, [join(root, "scripts", "example.mjs"), name, form], {
      cwd: root,
      env: { ...process.env, KUBECONFIG: kubeconfig },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on("line", (line) => lines.push(line));
    return child;
  }
});
