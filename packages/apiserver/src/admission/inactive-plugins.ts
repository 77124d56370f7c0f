/**
 * Plug-ins of kube-apiserver that do nothing in its default configuration: AlwaysAdmit at all times, the others because their feature
 * gates are off and the kinds they are about are not served.
 */
import type { AdmissionPlugin } from "./admission.ts";

/** GenericWorkload (PodGroup…, JobValidation) and ClusterTrustBundle are the gates. */
export const inactivePlugins: readonly AdmissionPlugin[] = [
  { name: "AlwaysAdmit" },
  { name: "PodGroupProtection" },
  { name: "PodGroupWorkloadExists" },
  { name: "JobValidation" },
  { name: "ClusterTrustBundleAttest" },
];
