/** The embedded API server in this process, on a clock that is turned by hand: nothing sleeps, and a run follows from its seed. */
import { setImmediate as turn, setTimeout as pause } from "node:timers/promises";
import { parseDuration } from "@drover/machinery";
import { ManualClock, recordingLog, testRuntime } from "@drover/machinery/testing";
import type { Ground } from "./ground.ts";
import type { HarnessOptions } from "./harness-options.ts";
import { VirtualPace } from "./virtual-pace.ts";

export async function embeddedGround({
  seed = 1,
  nowMs,
  namespace = "default",
  retryFor = "5m",
  waitMs = 5000,
}: HarnessOptions): Promise<Ground> {
  // A server is a megabyte of code: whoever wants nothing but a clock of `drover/testing` does not load it.
  const [{ createApiServer }, { nodeHost }] = await Promise.all([import("@drover/apiserver"), import("@drover/apiserver/node")]);
  // The pace looks itself whether all is quiet: an operator that never is must not keep the clock from saying so.
  const clock = new ManualClock({ quietTurns: 0, ...(nowMs === undefined ? {} : { nowMs }) });
  const server = await createApiServer({ runtime: testRuntime({ seed: `${seed} server`, clock }), host: nodeHost });
  const log = recordingLog(clock);
  if (namespace !== "default")
    await server.handle({
      method: "POST",
      path: "/api/v1/namespaces",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ metadata: { name: namespace } }),
    });
  const immediately = (): Promise<void> => turn();
  return {
    kind: "embedded",
    transport: server.handle,
    namespace,
    log,
    turn: immediately,
    pace: new VirtualPace({
      clock,
      turn: immediately,
      realTime: () => performance.now(),
      pause: (ms) => pause(ms),
      retryForMs: parseDuration(retryFor),
      waitMs,
    }),
    runtime: (life) => ({ ...testRuntime({ seed: `${seed} life ${life}`, clock }), log }),
    close: () => {
      server.close();
      return Promise.resolve();
    },
  };
}
