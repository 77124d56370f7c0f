/**
 * Whole clusters side by side: `npm run test:controllers` plays every scene of conformance/controllers on ours and on
 * the real parts, and ends with a table. Everything it needs is started for it, on ports and in folders of its own, and
 * stopped at its end.
 *
 * Without the programs it says which are missing and how to get them, and fails. What stands behind the command goes to
 * vitest: `npm run test:controllers -- -t rollout`.
 */
import { requireParts, runVitest } from "./run-vitest.mjs";

const KUBEBUILDER_ASSETS = requireParts("etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kwok");
const { DROVER_CONTROLLERS = "compare" } = process.env;
// Scenes mostly wait, so many can be under way.
runVitest(["conformance/controllers", "--maxConcurrency=14", ...process.argv.slice(2)], {
  env: { KUBEBUILDER_ASSETS, DROVER_CONTROLLERS },
  report: "DROVER_CONTROLLERS_REPORT",
});
