/**
 * Limits how far the heap of a program grows beyond what it uses. V8 lets the young generation of a busy program grow to 128 MB and
 * collects the old generation when it has grown to a multiple of what it keeps: for a controller with a small cache, most of its memory is
 * garbage.
 *
 *     runOperator without a signal of the caller → limitHeapGrowth; with threads → limitThreadHeaps
 */
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

/** The part of Node that is used. */
export interface HeapHost {
  /** Arguments of Node itself, and the value of NODE_OPTIONS. */
  readonly flags: readonly string[];
  setFlag(flag: string): void;
  /** Size of the young generation in bytes: both semi-spaces. */
  youngBytes(): number;
}

/** Limits of a thread's heap, as Node takes them. */
export interface ThreadHeap {
  readonly maxYoungGenerationSizeMb?: number;
}

/** Two semi-spaces of 4 MB: larger ones take as much processor time or more, because they do not fit into the caches of a processor. */
const youngBytesMax = 2 * 4 * 2 ** 20;
/** Survivors of this many rounds make the young generation grow from 1 MB to its limit. */
const roundsMax = 64;
const oldGrowth = "--heap-growing-percent=100";
/** Flags with which a user has chosen sizes. V8 takes hyphens and underscores. */
const chosen =
  /^--(?:min[-_]semi[-_]space[-_]size|max[-_]semi[-_]space[-_]size|semi[-_]space[-_]growth[-_]factor|heap[-_]growing[-_]percent)\b/;

/**
 * Keeps the young generation at 8 MB and collects the old generation when it has doubled, as Go does by default. Does nothing if Node was
 * started with a flag for one of these sizes; returns whether it did something.
 */
export function limitHeapGrowth(host: HeapHost = nodeHeap()): boolean {
  if (isChosen(host)) return false;
  // V8 takes a maximum only at its start, but reads the growth factor each time: so let it grow to the limit, and then no further.
  const survivors: unknown[] = [];
  while (host.youngBytes() < youngBytesMax && survivors.length < roundsMax)
    survivors.push(Array.from({ length: 2048 }, (_, index) => [index]));
  host.setFlag("--semi-space-growth-factor=1");
  host.setFlag(oldGrowth);
  return true;
}

/**
 * The same for a program whose threads do the work; returns the limits with which to start them. Does not stop the growth of young
 * generations: that would hold for the whole process, and leave each thread the 2 MB with which it starts. The main thread, which has no
 * caches, keeps V8's limit.
 */
export function limitThreadHeaps(host: Pick<HeapHost, "flags" | "setFlag"> = nodeHeap()): ThreadHeap {
  if (isChosen(host)) return {};
  host.setFlag(oldGrowth);
  // V8 counts a third space of the same size.
  return { maxYoungGenerationSizeMb: ((youngBytesMax / 2) * 3) / 2 ** 20 };
}

const isChosen = ({ flags }: Pick<HeapHost, "flags">): boolean => flags.some((flag) => chosen.test(flag));

function nodeHeap(): HeapHost {
  return {
    flags: [...process.execArgv, ...(process.env["NODE_OPTIONS"] ?? "").split(/\s+/)],
    setFlag: setFlagsFromString,
    youngBytes: () => getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space")?.space_size ?? Infinity,
  };
}
