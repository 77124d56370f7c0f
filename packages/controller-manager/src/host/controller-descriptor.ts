/** One controller of kube-controller-manager: what it is called, and how it is put into a manager. */
import type { EventBroadcaster, Manager } from "@drover/controller";

/** What every controller of the house is made with. */
export interface ControllerContext {
  /** Makes the loops (`manager.controller`); `manager.cluster` is where they work. */
  readonly manager: Manager;
  readonly events: EventBroadcaster;
  /** Upstream's own numbers (limits, batches, waits), or ours without artificial waits. */
  readonly preset: "drover" | "parity";
  /** How the program calls itself at the server; each controller adds its name. @default "kube-controller-manager" */
  readonly userAgent?: string;
}

/** Its names, as `--controllers` knows them, and how it begins. */
export interface ControllerDescriptor {
  /** "deployment-controller" */
  readonly name: string;
  /** "deployment" */
  readonly aliases: readonly string[];
  /** Whether it runs only when it is asked for by name. @default false */
  readonly isDisabledByDefault?: boolean;
  /** Adds its loops to the manager; they begin when the manager runs. */
  readonly add: (context: ControllerContext) => void;
}
