/** One controller of the manager: its names, and how it is added. */
import type { TransportWrapper } from "@drover/client";
import type { EventBroadcaster, Manager } from "@drover/controller";

/** What every controller is built with. */
export interface ControllerContext {
  /** Creates control loops (`manager.controller`); `manager.cluster` is the cluster they work on. */
  readonly manager: Manager;
  readonly events: EventBroadcaster;
  /** "parity" for upstream's limits, batches and delays; "drover" for none of these. */
  readonly preset: "drover" | "parity";
  /** User agent of the program; each controller appends its name. @default "kube-controller-manager" */
  readonly userAgent?: string;
  /** Authenticates the requests of its runs. @default the credentials of the manager's cluster */
  readonly credentials?: TransportWrapper;
}

/** Names of a controller, as `--controllers` accepts them, and its constructor. */
export interface ControllerDescriptor {
  /** "deployment-controller" */
  readonly name: string;
  /** "deployment" */
  readonly aliases: readonly string[];
  /**
   * Its service account in the namespace kube-system, to which the cluster role `system:controller:<account>` is bound; "" for none: its
   * requests are those of the manager. @default `name`
   */
  readonly serviceAccount?: string;
  /** Whether it runs only when listed by name. @default false */
  readonly isDisabledByDefault?: boolean;
  /** Adds its loops to the manager; they start when the manager runs. */
  readonly add: (context: ControllerContext) => void;
}
