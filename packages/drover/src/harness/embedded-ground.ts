/** Runs a harness on the embedded API server with a manual clock: nothing sleeps, and a seed determines a run. */
import { setImmediate as turn, setTimeout as pause } from "node:timers/promises";
import { definedOnly, parseDuration } from "@drover/machinery";
import { ManualClock, recordingLog, testRuntime } from "@drover/machinery/testing";
import type { Ground } from "./ground.ts";
import type { HarnessOptions } from "./harness-options.ts";
import { VirtualPace } from "./virtual-pace.ts";

/** Starts the embedded server. */
export async function embeddedGround({
  seed = 1,
  nowMs,
  namespace = "default",
  retryFor = "5m",
  waitMs = 5000,
  admissionPlugins,
  authorizationModes,
}: HarnessOptions): Promise<Ground> {
  // The server is a megabyte of code; tests that only need a clock of `drover/testing` do not load it.
  const [{ embeddedServer }, { WebhookCalls }] = await Promise.all([import("./embedded-server.ts"), import("./webhook-calls.ts")]);
  // The pace detects quiet itself: an operator that is never quiet must not block the clock.
  const webhookCalls = new WebhookCalls();
  const clock = new ManualClock({ quietTurns: 0, ...definedOnly({ nowMs }) });
  const server = await embeddedServer({
    runtime: testRuntime({ seed: `${seed} server`, clock }),
    webhooks: { handle: webhookCalls.handle },
    ...definedOnly({ admissionPlugins, authorizationModes }),
  });
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
    webhookCalls,
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
