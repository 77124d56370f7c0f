/**
 * Runs probes on one server: first those that must run alone, one after the other, then the rest, several at a time.
 *
 *     probes, ProbeTarget → runProbes → Recording
 */
import type { Exchange } from "./exchange.ts";
import { mask } from "./mask.ts";
import type { Probe } from "./probe.ts";
import { probeId } from "./probe.ts";
import type { Recording } from "./recording.ts";
import type { ProbeTarget } from "./session.ts";
import { ProbeSession } from "./session.ts";

export interface RunProbesOptions {
  /** Number of concurrent probes. @default 6 */
  readonly parallel?: number;
}

/**
 * The masked exchanges of every probe. A probe that throws, because the server did not answer or not as expected, ends
 * with a fact that says so.
 */
export async function runProbes(
  probes: readonly Probe[],
  target: ProbeTarget,
  { parallel = 6 }: RunProbesOptions = {},
): Promise<Recording> {
  const recording = new Map<string, readonly Exchange[]>();
  const run = async (probe: Probe): Promise<void> => void recording.set(probe.name, await runProbe(probe, target));
  for (const probe of probes) if (probe.alone) await run(probe);
  const waiting = probes.filter(({ alone }) => !alone);
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await run(next);
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  return recording;
}

async function runProbe(probe: Probe, target: ProbeTarget): Promise<Exchange[]> {
  const session = new ProbeSession(target, probeId(probe));
  const quiet = new ProbeSession(target, probeId(probe));
  try {
    await quiet.post("/api/v1/namespaces", { metadata: { name: session.namespace } });
    await probe.run(session);
  } catch (error) {
    session.fact("the probe failed", error instanceof Error ? error.message : String(error));
  }
  await quiet.delete(`/api/v1/namespaces/${session.namespace}`).catch(() => undefined);
  return mask(session.exchanges, session.versions);
}
