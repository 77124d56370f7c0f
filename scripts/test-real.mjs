/**
 * Client and cache against a real API server: `npm run test:real`. Everything it needs is started for it, on ports and in folders of its own, and stopped at its end:
 * one etcd and kube-apiserver for the whole run (conformance/real-setup.ts), and for tests of pods a cluster with controllers and simulated nodes.
 *
 * Without the programs it says which are missing and how to get them, and fails: a run that was asked for and could not be is no success.
 * What stands behind the command goes to vitest: `npm run test:real -- -t watch`.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { clusterFolder } from "./asset-folder.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = process.env.KUBEBUILDER_ASSETS || clusterFolder;
const missing = ["etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubectl", "kwok"].filter((program) => !existsSync(join(folder, program)));
if (missing.length > 0) {
  process.stderr.write(`The real parts are missing: ${missing.join(", ")} in ${folder}.
Build them with   npm run assets   (needs Go; about nine minutes the first time, kept in your cache folder),
or set KUBEBUILDER_ASSETS to a folder that has them.
`);
  process.exit(1);
}
const { status, signal } = spawnSync(process.execPath, [join(root, "node_modules", "vitest", "vitest.mjs"), "run", "conformance/client-", "conformance/cache-", "conformance/real-", "conformance/examples", ...process.argv.slice(2)], {
  cwd: root, stdio: "inherit", env: { ...process.env, KUBEBUILDER_ASSETS: folder, DROVER_REAL: "1" },
});
process.exit(status ?? (signal === "SIGINT" ? 130 : 1));
