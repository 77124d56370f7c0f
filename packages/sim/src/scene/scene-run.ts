/**
 * Plays a scene in a world: between two of its steps, decisions say how much time passes and what else happens to the cluster.
 *
 *     Scene, World → runScene → error of the scene, if any
 */
import { createClient } from "@drover/client";
import { parseDuration } from "@drover/machinery";
import type { HttpRequest, HttpResponse } from "@drover/machinery";
import { recordingLog } from "@drover/machinery/testing";
import { harnessVerbs } from "drover/testing";
import { Life } from "../world/life.ts";
import { lifeClock } from "../world/life-clock.ts";
import type { World } from "../world/world.ts";
import type { Scene, Stage } from "./scene.ts";

/** Milliseconds before a step of the scene; choice 0 is the first. */
const waits: readonly number[] = [2, 40, 700, 15_000];
/** Virtual time that `settled` waits, and that a scene may take. */
const settleMs = 600_000;
const sceneMs = 24 * 3_600_000;

/** What happens beside the scene; choice n is the n-th. */
const incidents = ["restart", "compaction", "cut-watches", "pause", "clock-ahead", "clock-back", "stop"] as const;
const shares: readonly number[] = [0.25, 0.2, 0.25, 0.1, 0.05, 0.05, 0.1];

/** Resolves with the error that the scene threw; undefined if it ended. */
export async function runScene(scene: Scene, world: World, namespace: string): Promise<{ readonly error: unknown } | undefined> {
  const { timeline, commits, trace } = world;
  const user = new Life("user", 1);
  const clock = lifeClock(timeline, user);
  const after = (ms: number): Promise<void> => new Promise((resolve) => void timeline.after(ms, user, resolve));
  let steps = 0;
  const transport = async (request: HttpRequest): Promise<HttpResponse> => {
    if (request.method !== "GET") {
      const point = `user step ${++steps}`;
      const { unrest } = world.profile;
      await incident(point, world);
      await after(waits[world.decide(`${point} waits`, [unrest * 0.5, unrest * 0.3, unrest * 0.2])] ?? 2);
      trace.note(user, `${request.method} ${request.path}`);
    }
    const response = await commits.serve(undefined, request, world.server.handle);
    await after(1);
    return response;
  };
  const client = createClient({ transport, clock, log: recordingLog(clock), namespace, fieldManager: "user" });
  let wanted: (() => void) | undefined;
  let wantedUntilMs = 0;
  const stage: Stage = {
    ...harnessVerbs(client),
    settled: () =>
      new Promise((resolve) => {
        wanted = resolve;
        wantedUntilMs = timeline.elapsedMs + settleMs;
      }),
    wait: (duration) => after(parseDuration(duration)),
  };
  const state: { outcome?: { readonly error?: unknown } } = {};
  await timeline.within(user, () => {
    scene(stage).then(
      () => (state.outcome = {}),
      (error: unknown) => (state.outcome = { error }),
    );
  });
  const untilMs = timeline.elapsedMs + sceneMs;
  while (state.outcome === undefined) {
    const resolve = wanted;
    if (resolve !== undefined && (timeline.elapsedMs >= wantedUntilMs || world.active().length === 0)) {
      wanted = undefined;
      await timeline.within(user, resolve);
      continue;
    }
    if (!(await timeline.step(untilMs)))
      return {
        error: new Error("the scene waits for something that never happens in the simulation: a timer, a file or a socket of its own"),
      };
  }
  return "error" in state.outcome ? { error: state.outcome.error } : undefined;
}

async function incident(point: string, { decide, profile, processes, server, timeline, trace }: World): Promise<void> {
  const choice = decide(
    point,
    shares.map((share) => share * profile.unrest),
  );
  const what = incidents[choice - 1];
  if (what === undefined) return;
  trace.note(undefined, `incident: ${what}`);
  for (const process of processes) {
    const { current } = process;
    if (what === "restart") process.crash("is killed");
    else if (current === undefined) continue;
    else if (what === "cut-watches") current.network.cutStreams("connection reset");
    else if (what === "pause") current.life.pausedUntilMs = timeline.elapsedMs + 40_000;
    else if (what === "clock-ahead") current.life.wallOffsetMs += 3_600_000;
    else if (what === "clock-back") current.life.wallOffsetMs -= 3_600_000;
    else if (what === "stop") process.stop();
    else if (what === "compaction") {
      current.network.cutStreams("connection reset");
      await server.compact();
    }
  }
}
