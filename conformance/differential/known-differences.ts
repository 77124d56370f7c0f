/**
 * Where our server answers differently from the real one, and why, on purpose or for now. A difference that is not
 * listed fails the suite, and so does an entry that is no longer true.
 */
import type { Difference } from "./compare.ts";

export interface KnownDifference {
  /** The probe's first word: "P043". */
  readonly probe: string;
  /** Text that the place of the difference, as compare.ts prints it, must contain. @default every place of the probe */
  readonly at?: string;
  readonly reason: string;
}

const rewritten = "The real server writes an unchanged Job or claim once more, because it encodes it in other bytes than at its creation.";

export const knownDifferences: readonly KnownDifference[] = [
  { probe: "K-job-v1", at: "metadata.resourceVersion", reason: rewritten },
  { probe: "K-persistentvolumeclaim-v1", at: "metadata.resourceVersion", reason: rewritten },
  {
    probe: "P267",
    reason:
      "The real server distinguishes 1 and 1.0 while it checks a set, and stores both as 1; numbers of our server do not keep how they were written.",
  },
];

/** The entry that explains a difference, if there is one. */
export function explanationOf(
  probeName: string,
  { at }: Difference,
  known: readonly KnownDifference[] = knownDifferences,
): KnownDifference | undefined {
  return known.find((entry) => probeName.startsWith(`${entry.probe} `) && at.includes(entry.at ?? ""));
}
