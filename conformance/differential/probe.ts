/**
 * A probe: a named sequence of requests, written once and run on any Kubernetes API server.
 *
 *     probes/*.ts → Probe → run-probes.ts (our server, the real one) → mask.ts → recording.ts, compare.ts
 */
import type { ProbeSession } from "./session.ts";

export interface Probe {
  /** A code of docs/catalogue/probes.md and a sentence: "P043 a name with capitals is refused". */
  readonly name: string;
  /** Sends the requests; every answer is recorded. */
  readonly run: (session: ProbeSession) => Promise<void>;
  /** Whether the probe must run alone on the server. */
  readonly alone: boolean;
}

export interface ProbeOptions {
  /** For probes that disturb others or can be disturbed: compaction, whole discovery documents. @default false */
  readonly alone?: boolean;
}

/** Probes about one topic; the recording has the same file name. */
export interface Chapter {
  readonly name: string;
  readonly probes: readonly Probe[];
}

/** One probe of a chapter. */
export const probe = (name: string, run: Probe["run"], { alone = false }: ProbeOptions = {}): Probe => ({ name, run, alone });

/** "p043" of "P043 a name …": the probe's namespace, and the first label of the group of its own kinds. */
export const probeId = ({ name }: Pick<Probe, "name">): string => name.split(" ", 1).join("").toLowerCase();
