/** What the checks of a pod's parts need to know about the whole. */

/**
 * Kubernetes also lets pass what an earlier release or another choice of features had let in. Here every stored object has met these very
 * rules, so there is nothing to let pass.
 */
export interface PodValidation {
  /** Whether the spec is that of a pod rather than of a template, which can still be completed. */
  readonly isPod: boolean;
  /** The name of the pod, where it has one already. @default none: a template */
  readonly podName?: string;
}

/** For the templates of workloads. */
export const templateValidation: PodValidation = { isPod: false };
