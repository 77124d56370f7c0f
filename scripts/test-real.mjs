/**
 * Client and cache against a real API server: `npm run test:real`. Everything it needs is started for it, on ports and
 * in folders of its own, and stopped at its end: one etcd and kube-apiserver for the whole run
 * (conformance/servers/real-setup.ts), and for tests of pods a cluster with controllers and simulated nodes.
 *
 * Without the programs it says which are missing and how to get them, and fails. What stands behind the command goes to
 * vitest: `npm run test:real -- -t watch`.
 */
import { requireParts, runVitest } from "./run-vitest.mjs";

const KUBEBUILDER_ASSETS = requireParts("etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubectl", "kwok");
const suites = ["client/", "servers/", "replicas/", "documents/client-", "documents/examples"].map((name) => `conformance/${name}`);
runVitest([...suites, ...process.argv.slice(2)], {
  env: { KUBEBUILDER_ASSETS, DROVER_REAL: "1" },
});
