/** Kinds by resource name. */
const words: Readonly<Record<string, string>> = {
  pods: "Pod",
  replicasets: "ReplicaSet",
  deployments: "Deployment",
  statefulsets: "StatefulSet",
  daemonsets: "DaemonSet",
  jobs: "Job",
  cronjobs: "CronJob",
  services: "Service",
  endpoints: "Endpoints",
  endpointslices: "EndpointSlice",
  configmaps: "ConfigMap",
  secrets: "Secret",
  namespaces: "Namespace",
  nodes: "Node",
  serviceaccounts: "ServiceAccount",
  controllerrevisions: "ControllerRevision",
  persistentvolumeclaims: "PersistentVolumeClaim",
  persistentvolumes: "PersistentVolume",
  customresourcedefinitions: "CustomResourceDefinition",
  ingresses: "Ingress",
};

/** "pods" → "Pod"; unknown resources keep their name. */
export function kindWord(resource: string): string {
  return Object.hasOwn(words, resource) ? (words[resource] ?? resource) : resource;
}
