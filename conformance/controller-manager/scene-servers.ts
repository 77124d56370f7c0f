/**
 * The servers on which suites of single controllers run: our own, with a clock that the test moves, and the real one,
 * in real time.
 *
 *     describeScenes("…", ({ missing, open }) => …)   open() → SceneServer → runControllers(server, …) → until(…), end()
 */
import { createClient } from "@drover/client";
import { poll } from "@drover/machinery";
import { nodeRuntime } from "drover";
import { describe } from "vitest";
import { openManualScene, waitMaxMs } from "../../packages/controller-manager/src/testing/controllers-scene.ts";
import type { SceneServer } from "../../packages/controller-manager/src/testing/controllers-scene.ts";
import { realServerMissing, startRealServer } from "../servers/real-server.ts";
import { realTransport } from "../servers/real-transport.ts";

export interface SceneSource {
  readonly kind: "ours" | "real";
  /** Why this server is missing; undefined when it is available. */
  readonly missing: string | undefined;
  readonly open: () => Promise<SceneServer>;
}

async function openRealScene(): Promise<SceneServer> {
  const server = await startRealServer();
  const runtime = nodeRuntime({ write: () => undefined });
  const transport = realTransport(server, runtime);
  return {
    runtime,
    transport,
    client: createClient({ transport, clock: runtime.clock, log: runtime.log, namespace: "default" }),
    calm: (ms = 0) => new Promise((resolve) => void runtime.clock.timer(Math.min(ms, 700), resolve)),
    until: (what, holds) =>
      poll(runtime.clock, { interval: 25, timeout: waitMaxMs, immediate: true }, async () => holds()).catch((error: unknown) => {
        throw new Error(`it is still not so: ${what}`, { cause: error });
      }),
    close: async () => {
      transport.close();
      await server.stop();
    },
  };
}

const sources: readonly SceneSource[] = [
  { kind: "ours", missing: undefined, open: openManualScene },
  { kind: "real", missing: realServerMissing, open: openRealScene },
];

/** Defines the tests of a suite once for each server. */
export function describeScenes(name: string, suite: (source: SceneSource) => void): void {
  for (const source of sources) describe(`${name}, on ${source.kind === "ours" ? "our server" : "the real server"}`, () => suite(source));
}
