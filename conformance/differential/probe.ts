/**
 * A probe: a sequence of requests with a name, written once and run on any server that is Kubernetes or says so.
 *
 *     probes/*.ts → Probe → run-probes.ts (our server, the real one) → mask.ts → recording.ts, compare.ts
 */
import type { ProbeSession } from "./session.ts";

export interface Probe {
  /** A code of docs/catalogue/probes.md and a sentence: "P043 a name with capitals is refused". */
  readonly name: string;
  /** Sends the requests; everything that is answered is recorded. */
  readonly run: (session: ProbeSession) => Promise<void>;
  /** Whether nothing else may happen on the server meanwhile. */
  readonly alone: boolean;
}

export interface ProbeOptions {
  /** For what would disturb others or be disturbed by them: compaction, whole documents of discovery. @default false */
  readonly alone?: boolean;
}

/** Probes about one thing; the file of their recording has this name. */
export interface Chapter {
  readonly name: string;
  readonly probes: readonly Probe[];
}

/** One probe of a chapter. */
export const probe = (name: string, run: Probe["run"], { alone = false }: ProbeOptions = {}): Probe => ({ name, run, alone });

/** "p043" of "P043 a name …": what a probe's namespace is called, and the first label of the group of its own kinds. */
export const probeId = ({ name }: Pick<Probe, "name">): string => name.split(" ", 1).join("").toLowerCase();
