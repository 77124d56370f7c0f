/**
 * Row 8: how long a watch follows a server that is gone, with default options.
 *
 *     npm run soak -- half-open        two and a half minutes
 *
 * Dead peer: the server is in a network of its own whose packets are dropped. Stuck peer: a proxy that forwards nothing more, while the
 * kernel goes on to acknowledge. Meanwhile 500 objects change; all of them must be reconciled afterwards, without a list.
 */
import { setTimeout as delay } from "node:timers/promises";
import { startChild } from "./parts/child.ts";
import type { Child } from "./parts/child.ts";
import { verdictOf } from "./parts/figure.ts";
import type { Figure, Measure } from "./parts/figure.ts";
import { FaultProxy } from "./parts/fault-proxy.ts";
import { lostKeys } from "./parts/load-scene.ts";
import { networkNamespace } from "./parts/network-namespace.ts";
import type { InformerPhase, Revisions } from "./parts/scene.ts";

const objects = 200;
const patienceMs = 240_000;
const command = "npm run soak -- half-open";

interface Finding {
  readonly detectedMs: number;
  readonly lost: number;
  readonly lists: number;
}

export const measure: Measure = async ({ forMs, seed, note }) => {
  if (forMs < 60_000) return [deadFigure("takes a minute: --for 1m"), stuckFigure("takes two minutes: --for 1m")];
  note("half-open: a dead and a stuck peer, for about two minutes");
  const [dead, stuck] = await Promise.all([deadPeer(seed), stuckPeer(seed)]);
  return [deadFigure(dead), stuckFigure(stuck)];
};

function deadFigure(found: Finding | string): Figure {
  return figureOf("dead peer: packets are dropped", 45, found);
}

function stuckFigure(found: Finding | string): Figure {
  return figureOf("stuck peer: acknowledges, sends nothing", 130, found);
}

function figureOf(name: string, limitSeconds: number, found: Finding | string): Figure {
  const figure = { row: 8, name, target: `found within ${limitSeconds} s, 0 events lost`, command };
  if (typeof found === "string") return { ...figure, measured: "", verdict: "open", reason: found };
  const { detectedMs, lost, lists } = found;
  return {
    ...figure,
    measured: `found after ${(detectedMs / 1000).toFixed(1)} s, ${lost} events lost, ${lists} lists`,
    verdict: verdictOf(detectedMs <= limitSeconds * 1000 && lost === 0, true),
  };
}

async function stuckPeer(seed: number): Promise<Finding> {
  const [server, operator] = [startChild("server-process.ts"), startChild("operator-process.ts")];
  let proxy: FaultProxy | undefined;
  try {
    proxy = await FaultProxy.open(await server.call<number>("open", { objects, bytes: 500 }), seed);
    await operator.call("open", { url: proxy.url, objects });
    await delay(1000);
    const open = proxy;
    return await detect(server, operator, { begin: () => void open.freezeWatches(), end: () => undefined });
  } finally {
    await Promise.all([operator.end(), server.end()]);
    await proxy?.close();
  }
}

async function deadPeer(seed: number): Promise<Finding | string> {
  const network = await networkNamespace();
  if (typeof network === "string") return network;
  const { host, through, drop } = network;
  const [server, operator] = [startChild("server-process.ts", { through }), startChild("operator-process.ts")];
  try {
    const port = await server.call<number>("open", { objects, bytes: 500, host, seed });
    await operator.call("open", { url: `http://${host}:${port}`, objects });
    await delay(1000);
    return await detect(server, operator, { begin: () => drop(true), end: () => drop(false) });
  } finally {
    await Promise.all([operator.end(), server.end()]);
    network.close();
  }
}

/** Waits until every watch that was open has been given up. */
async function detect(server: Child, operator: Child, fault: { readonly begin: () => void; readonly end: () => void }): Promise<Finding> {
  const phases = (): Promise<readonly InformerPhase[]> => operator.call("phases");
  const before = await phases();
  const beganMs = performance.now();
  fault.begin();
  await server.call("load", { eventsPerSecond: 100, forMs: 5000, seed: 1 });
  let detectedMs = Infinity;
  while (performance.now() - beganMs < patienceMs) {
    const now = await phases();
    if (now.every(({ phase, watches }, index) => phase !== "watching" || watches > (before[index]?.watches ?? 0))) {
      detectedMs = performance.now() - beganMs;
      break;
    }
    await delay(100);
  }
  fault.end();
  let lost = Infinity;
  for (const endMs = performance.now() + 60_000; lost > 0 && performance.now() < endMs; await delay(200))
    lost = lostKeys(await server.call<Revisions>("revisions"), await operator.call<Revisions>("seen")).length;
  const after = await phases();
  return { detectedMs, lost, lists: after.reduce((sum, { lists }, index) => sum + lists - (before[index]?.lists ?? 0), 0) };
}
