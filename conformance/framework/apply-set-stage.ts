/**
 * Where suites of apply sets run: our server in this process, on a clock that moves only when nothing else can happen,
 * or the real one, in real time.
 *
 *     ServerSource → applyStage → transport, runtime, play
 */
import { createApiServer } from "@drover/apiserver";
import { nodeHost } from "@drover/apiserver/node";
import type { Runtime, Transport } from "@drover/machinery";
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import { nodeRuntime } from "drover";
import type { ServerSource } from "../servers/servers.ts";

export interface ApplyStage {
  readonly transport: Transport;
  readonly runtime: Runtime;
  /** Runs a test, and everything in it that waits for the clock. */
  readonly play: (work: () => Promise<void>) => Promise<void>;
  readonly end: () => Promise<void>;
}

export async function applyStage({ kind, start }: Pick<ServerSource, "kind" | "start">): Promise<ApplyStage> {
  return kind === "ours" ? await manualStage() : await realStage(start);
}

async function manualStage(): Promise<ApplyStage> {
  const clock = new ManualClock();
  const runtime = testRuntime({ clock });
  const server = await createApiServer({ runtime, host: nodeHost });
  const play: ApplyStage["play"] = async (work) => {
    const state = { isOver: false };
    const playing = work().finally(() => (state.isOver = true));
    playing.catch(() => undefined);
    while (!state.isOver) await clock.advance(10);
    await playing;
  };
  return { transport: server.handle, runtime, play, end: () => Promise.resolve(server.close()) };
}

async function realStage(start: ServerSource["start"]): Promise<ApplyStage> {
  const runtime = nodeRuntime({ write: () => undefined });
  const server = await start();
  const transport = server.transport(runtime);
  const end = async (): Promise<void> => {
    transport.close();
    await server.stop();
  };
  return { transport, runtime, play: (work) => work(), end };
}
