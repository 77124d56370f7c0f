/**
 * A Pod as a real server writes it: pod.json is the answer of kube-apiserver 1.36.3 for a Pod with two containers that
 * the ReplicaSet controller created and whose status the kubelet wrote. 6.8 KB, 3.0 KB of it managedFields.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const recorded = readFileSync(join(import.meta.dirname, "pod.json"), "utf8").trimEnd();

/** The text of the n-th Pod; name, uid, version and address differ from one to the next. */
export function podText(n: number): string {
  const digits = n.toString(16).padStart(5, "0");
  return recorded
    .replaceAll("x7k2p", digits)
    .replace("4c1d9e02-7a35", `4c1${digits}-7a35`)
    .replace('"4000017"', `"${4_000_000 + n}"`)
    .replaceAll("10.244.3.17", `10.244.${(n >> 8) & 255}.${n & 255}`);
}

/** The same without managedFields. */
export function podTextWithoutManagedFields(n: number): string {
  const pod = JSON.parse(podText(n)) as { metadata: { managedFields?: unknown } };
  delete pod.metadata.managedFields;
  return JSON.stringify(pod);
}

/**
 * The same with what the ServiceAccount admission adds in most clusters: a projected token volume and a mount in every
 * container. 7.5 KB; these fields have no owner, so the share of managedFields is smaller.
 */
export function podTextWithToken(n: number): string {
  const pod = JSON.parse(podText(n)) as { spec: { containers: object[] } };
  const name = "kube-api-access-ece95";
  const sources = [
    { serviceAccountToken: { expirationSeconds: 3607, path: "token" } },
    { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
    { downwardAPI: { items: [{ path: "namespace", fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" } }] } },
  ];
  const volumeMounts = [{ name, readOnly: true, mountPath: "/var/run/secrets/kubernetes.io/serviceaccount" }];
  const { containers, ...rest } = pod.spec;
  const spec = {
    volumes: [{ name, projected: { sources, defaultMode: 420 } }],
    containers: containers.map((container) => ({ ...container, volumeMounts })),
    serviceAccountName: "default",
    serviceAccount: "default",
    ...rest,
  };
  return JSON.stringify({ ...pod, spec });
}
