/** A check that runs at every write. */
import type { World, WorldChange } from "./world.ts";

/** The problems of a write; the world is in the state after it. */
export type HistoryCheck = (change: WorldChange) => readonly string[];

export interface HistoryContext {
  readonly world: World;
  /** Whether only controllers make pods unavailable. */
  readonly isGentle: boolean;
  /** Pods that were created although the answer was lost: a controller may create as many again before it sees them. */
  readonly unsureCreates: () => number;
}
