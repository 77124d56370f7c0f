/** From one write until the last of many watchers has its event; what an event and a watcher cost the server. */
import { processUsage } from "../processes/process-usage.ts";
import type { Times } from "./measures.ts";
import type { Target } from "./target.ts";
import { openWatches } from "./watch-connection.ts";

export interface FanOutRun {
  readonly watchers: number;
  /** 1 is a connection for each watcher with HTTP/1.1; more are watches of one HTTP/2 connection, as those of one client-go. */
  readonly perConnection: number;
  /** Measured writes, after as many warm-up writes. */
  readonly writes: number;
}

export interface FanOutTimes {
  readonly times: Times;
  /** CPU of the server, and of the measuring client, for each event delivered. */
  readonly cpuMicroseconds: number;
  readonly clientMicroseconds: number;
  /** How much the memory of the server grew with the watchers and the writes to them, per watcher. */
  readonly kilobytes: number;
}

/** Connections opened at the same time. */
const opening = 20;

export async function measureFanOut(target: Target, { watchers, perConnection, writes }: FanOutRun): Promise<FanOutTimes> {
  const { address } = target;
  const usage = (): { readonly megabytes: number; readonly cpuSeconds: number } => processUsage(address.processMark);
  // A namespace of its own: a watch begins with the objects that exist.
  const namespace = `fan-${watchers}-${perConnection}`;
  await target.send("POST", "/api/v1/namespaces", JSON.stringify({ metadata: { name: namespace } }));
  const configMaps = `/api/v1/namespaces/${namespace}/configmaps`;
  const path = `${configMaps}?watch=true`;
  let seen = 0;
  let expected = 0;
  let complete: () => void = () => undefined;
  const onEvent = (): void => {
    if (++seen === expected) complete();
  };
  const before = usage();
  const stops: (() => void)[] = [];
  const open = (watches: number): Promise<() => void> =>
    perConnection === 1 ? target.countEvents(path, onEvent) : openWatches({ address, path, watches, onEvent });
  for (let left = watchers; left > 0; left -= opening * perConnection) {
    const counts = Array.from({ length: opening }, (_, index) => Math.min(perConnection, left - index * perConnection));
    stops.push(...(await Promise.all(counts.filter((count) => count > 0).map(open))));
  }
  const write = async (name: string): Promise<number> => {
    expected += watchers;
    const all = new Promise<void>((resolve) => (complete = resolve));
    const object = JSON.stringify({ metadata: { name }, data: { key: "x".repeat(500) } });
    const start = performance.now();
    const sent = target.send("POST", configMaps, object);
    await all;
    const took = performance.now() - start;
    const { status, text } = await sent;
    if (status !== 201) throw new Error(`a write was answered with ${status}: ${text.slice(0, 300)}`);
    if (seen !== expected) throw new Error(`${seen} events were counted instead of ${expected}`);
    return took;
  };
  for (let index = 0; index < writes; index++) await write(`warm-${index}`);
  const [clientBefore, serverBefore] = [process.cpuUsage(), usage()];
  const times: number[] = [];
  for (let index = 0; index < writes; index++) times.push(await write(`fan-${index}`));
  const [clientAfter, serverAfter] = [process.cpuUsage(clientBefore), usage()];
  for (const stop of stops) stop();
  const events = writes * watchers;
  return {
    times: times.toSorted((a, b) => a - b),
    cpuMicroseconds: ((serverAfter.cpuSeconds - serverBefore.cpuSeconds) * 1e6) / events,
    clientMicroseconds: (clientAfter.user + clientAfter.system) / events,
    kilobytes: ((serverAfter.megabytes - before.megabytes) * 1024) / watchers,
  };
}
