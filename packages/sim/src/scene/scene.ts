/**
 * What happens around the controllers: a user creates, changes and deletes objects, other controllers report, time passes.
 *
 *     scene: async (s) => { await s.create(WebApp, …); await s.settled(); await s.patch(WebApp, "shop", …); }
 */
import type { HarnessVerbs } from "drover/testing";

/** Hands of a scene. Objects without a namespace are in that of the simulation. */
export interface Stage extends HarnessVerbs {
  /** Waits until the controllers are at rest, at most ten minutes of virtual time. */
  settled(): Promise<void>;
  /** Lets virtual time pass, for example "10m". */
  wait(duration: string): Promise<void>;
}

/** Runs once per schedule. It must not decide by anything but what it reads from the stage. */
export type Scene = (stage: Stage) => Promise<void>;
