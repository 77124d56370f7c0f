/**
 * `npm run test:controllers`: plays every scene of conformance/controllers on our cluster and on the real parts, and
 * ends with a table. It starts everything it needs on free ports and in temporary folders, and stops it at the end.
 *
 * Without the real programs it names the missing ones and how to build them, and fails. Arguments go to vitest: `npm
 * run test:controllers -- -t rollout`.
 */
import { requireParts, runVitest } from "./run-vitest.mjs";

const KUBEBUILDER_ASSETS = requireParts("etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kwok");
const { DROVER_CONTROLLERS = "compare" } = process.env;
// Scenes mostly wait, so many can run at once.
await runVitest(["conformance/controllers", "--maxConcurrency=14", ...process.argv.slice(2)], {
  env: { KUBEBUILDER_ASSETS, DROVER_CONTROLLERS },
  report: "DROVER_CONTROLLERS_REPORT",
});
