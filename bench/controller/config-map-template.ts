/**
 * The ConfigMap that the replay server sends: settings of a small program as a server stores them, about 1 KB of JSON,
 * with markers for the version, the time of sending and the time a reconciler wrote.
 */

/** The markers that bench/cache/go/replay replaces. */
const versionMark = "1234567890";
const sentMark = "1234567890123456789";
const seenMark = "9876543210987654321";

export function configMapTemplate(): string {
  const labels = { "app.kubernetes.io/name": "web", "app.kubernetes.io/instance": "web-x7k2p", "app.kubernetes.io/managed-by": "bench" };
  const data = {
    "listen-address": "0.0.0.0:8080",
    "log-level": "info",
    "request-timeout": "30s",
    upstream: "http://web-x7k2p.shop.svc:8080",
    "features.yaml": "search: true\nrecommendations: false\ncheckout:\n  retries: 3\n  currency: EUR\n",
  };
  const owned = (fields: object): object => ({ ".": {}, ...Object.fromEntries(Object.keys(fields).map((key) => [`f:${key}`, {}])) });
  const managedFields = [
    {
      manager: "bench",
      operation: "Update",
      apiVersion: "v1",
      time: "2026-06-01T08:00:00Z",
      fieldsType: "FieldsV1",
      fieldsV1: { "f:data": owned(data), "f:metadata": { "f:labels": owned(labels) } },
    },
  ];
  const metadata = {
    name: "web-x7k2p",
    namespace: "shop",
    uid: "4c1d9e02-7a35-4c0e-9d0b-5b1f0a6f3c21",
    resourceVersion: versionMark,
    creationTimestamp: "2026-06-01T08:00:00Z",
    labels,
    annotations: { "bench.drover.dev/seen": seenMark, "bench.drover.dev/sent": sentMark },
    managedFields,
  };
  return JSON.stringify({ kind: "ConfigMap", apiVersion: "v1", metadata, data });
}
