/** One question that is asked at every write. */
import type { World, WorldChange } from "./world.ts";

/** What is wrong with a write; the world is as it is after it. */
export type HistoryCheck = (change: WorldChange) => readonly string[];

export interface HistoryContext {
  readonly world: World;
  /** Whether pods become unavailable only because controllers want it so. */
  readonly isGentle: boolean;
  /** Pods that were made though nobody was told: a controller may make as many again before it sees them. */
  readonly unsureCreates: () => number;
}
