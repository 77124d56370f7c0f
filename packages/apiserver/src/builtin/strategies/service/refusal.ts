/** Why an allocation failed. */

export interface Refusal {
  /** In kube-apiserver's words. */
  readonly problem: string;
}
