/**
 * `npm run test:real`: client and cache against a real API server. It starts everything it needs on free ports and in
 * temporary folders, and stops it at the end: one etcd and kube-apiserver for the whole run
 * (conformance/servers/real-setup.ts), and for tests of pods a cluster with controllers and simulated nodes.
 *
 * Without the real programs it names the missing ones and how to build them, and fails. Arguments go to vitest: `npm
 * run test:real -- -t watch`.
 */
import { requireParts, runVitest } from "./run-vitest.mjs";

const KUBEBUILDER_ASSETS = requireParts("etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubectl", "kwok");
const suites = ["client/", "servers/", "replicas/", "documents/client-", "documents/examples"].map((name) => `conformance/${name}`);
await runVitest([...suites, ...process.argv.slice(2)], {
  env: { KUBEBUILDER_ASSETS, DROVER_REAL: "1" },
});
