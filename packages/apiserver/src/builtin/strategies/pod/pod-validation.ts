/** What the validation of a pod's parts needs to know about the pod. */

/**
 * kube-apiserver also tolerates values that an earlier release or other feature gates accepted. Here every stored object passed
 * these very rules, so nothing has to be tolerated.
 */
export interface PodValidation {
  /** Whether the spec is that of a pod, rather than of a template, which may be incomplete. */
  readonly isPod: boolean;
  /** The pod's name. @default none: a template */
  readonly podName?: string;
}

/** For templates of workloads. */
export const templateValidation: PodValidation = { isPod: false };
