/** One change in the cluster, as data for a line. Similar simultaneous changes are printed together. */
export interface ChangeLine {
  /** "kubectl", "deployment-controller", "node-2" */
  readonly who: string;
  /** "created", "runs" */
  readonly did: string;
  /** "Pod"; empty if `did` is complete. */
  readonly kind: string;
  /** "shop/web"; empty if unknown. */
  readonly name: string;
  /** The reconciled key. */
  readonly of?: string;
  /** Clause after "because". */
  readonly why?: string;
  /** Whether it is a line that a program has printed, which is neither grouped nor delayed. */
  readonly isOutput?: true;
}

/** Receives changes. */
export type Report = (line: ChangeLine) => void;
