/** Labels that a kubelet may set on its node. */
import { compareBytes } from "@drover/machinery";
import type { Labels } from "@drover/machinery";

const kubeletLabels: ReadonlySet<string> = new Set([
  "kubernetes.io/hostname",
  "topology.kubernetes.io/zone",
  "topology.kubernetes.io/region",
  "failure-domain.beta.kubernetes.io/zone",
  "failure-domain.beta.kubernetes.io/region",
  "beta.kubernetes.io/instance-type",
  "node.kubernetes.io/instance-type",
  "kubernetes.io/os",
  "kubernetes.io/arch",
  "beta.kubernetes.io/os",
  "beta.kubernetes.io/arch",
]);

/** Returns the changed labels that are reserved for others, sorted. */
export function forbiddenLabels(now: Labels = {}, before: Labels = {}): string[] {
  const changed = [...new Set([...Object.keys(now), ...Object.keys(before)])].filter(
    (key) => Object.hasOwn(now, key) !== Object.hasOwn(before, key) || now[key] !== before[key],
  );
  return changed.filter(isForbidden).toSorted(compareBytes);
}

function isForbidden(key: string): boolean {
  const slash = key.indexOf("/");
  const domain = slash === -1 ? "" : key.slice(0, slash);
  const isIn = (parent: string): boolean => domain === parent || domain.endsWith(`.${parent}`);
  if (isIn("node-restriction.kubernetes.io")) return true;
  const isKubelet = kubeletLabels.has(key) || isIn("kubelet.kubernetes.io") || isIn("node.kubernetes.io");
  return (isIn("kubernetes.io") || isIn("k8s.io")) && !isKubelet;
}
