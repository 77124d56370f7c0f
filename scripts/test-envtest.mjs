/**
 * `npm run test:envtest`: controller-runtime's own suites, all of them, on the folder of `drover envtest path`, and the time that a control
 * plane takes to start, compared with the real programs.
 *
 * Without the compiled suites and the real programs it names the missing ones and how to build them, and fails. Arguments go
 * to vitest: `npm run test:envtest -- -t webhook`.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { suitesFolder } from "./asset-folder.mjs";
import { requireParts, runVitest } from "./run-vitest.mjs";

const KUBEBUILDER_ASSETS = requireParts("etcd", "kube-apiserver");
const { DROVER_ENVTEST_SUITES = suitesFolder } = process.env;
if (!existsSync(join(DROVER_ENVTEST_SUITES, "module"))) {
  process.stderr.write(
    `controller-runtime's suites are missing: ${DROVER_ENVTEST_SUITES}. Build them with   npm run assets -- controller-runtime-suites\n`,
  );
  process.exit(1);
}
// The suites mostly wait, so three can run at once.
await runVitest(["conformance/envtest", "--maxConcurrency=3", ...process.argv.slice(2)], {
  env: { KUBEBUILDER_ASSETS, DROVER_ENVTEST_SUITES, DROVER_ENVTEST: "1" },
});
