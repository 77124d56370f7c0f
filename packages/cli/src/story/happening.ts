/** One thing that happened in the cluster, as data for a line. Those of the same sort that happen at once are told together. */
export interface Happening {
  /** "kubectl", "deployment-controller", "node-2" */
  readonly who: string;
  /** "created", "runs" */
  readonly did: string;
  /** "Pod"; empty when `did` says it all. */
  readonly kind: string;
  /** "shop/web"; empty when it is not known. */
  readonly name: string;
  /** For whom: the key that was reconciled. */
  readonly of?: string;
  /** Half of a sentence that begins with "because". */
  readonly why?: string;
}

/** Whoever is told. */
export type Tell = (happening: Happening) => void;
