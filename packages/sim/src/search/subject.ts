/** What is proved: operators, the systems outside that they call, and a scene. */
import type { HarnessApp } from "drover/testing";
import type { External, ExternalOptions, Methods } from "../scene/external.ts";
import type { Scene } from "../scene/scene.ts";

/** Tools for the programs of one schedule. */
export interface Sim {
  /** Creates a system outside the cluster; its state lives as long as the schedule. */
  external<S, M extends Methods<S>>(name: string, options: ExternalOptions<S, M>): External<S, M>;
}

export interface Subject {
  /** Creates the programs of one schedule, by name. */
  readonly programs: (sim: Sim) => Readonly<Record<string, HarnessApp>>;
  readonly scene: Scene;
  /** Namespace of objects that specify none. */
  readonly namespace: string;
}
