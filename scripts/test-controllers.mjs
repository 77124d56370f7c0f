/**
 * Whole clusters side by side: `npm run test:controllers` plays every scene of conformance/controllers on ours and on the real parts, and ends with a table.
 * Everything it needs is started for it, on ports and in folders of its own, and stopped at its end.
 *
 * Without the programs it says which are missing and how to get them, and fails. What stands behind the command goes to vitest: `npm run test:controllers -- -t rollout`.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { clusterFolder } from "./asset-folder.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const assets = process.env.KUBEBUILDER_ASSETS || clusterFolder;
const missing = ["etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kwok"].filter((program) => !existsSync(join(assets, program)));
if (missing.length > 0) {
  process.stderr.write(`The real parts are missing: ${missing.join(", ")} in ${assets}.
Build them with   npm run assets   (needs Go; about nine minutes the first time, kept in your cache folder),
or set KUBEBUILDER_ASSETS to a folder that has them.
`);
  process.exit(1);
}
const folder = mkdtempSync(join(tmpdir(), "drover-controllers-"));
const report = join(folder, "report.txt");
writeFileSync(report, "");
// Scenes mostly wait, so many can be under way.
const { status, signal } = spawnSync(process.execPath, [join(root, "node_modules", "vitest", "vitest.mjs"), "run", "conformance/controllers", "--maxConcurrency=14", ...process.argv.slice(2)], {
  cwd: root, stdio: "inherit", env: { DROVER_CONTROLLERS: "compare", ...process.env, KUBEBUILDER_ASSETS: assets, DROVER_CONTROLLERS_REPORT: report },
});
process.stdout.write(readFileSync(report, "utf8"));
rmSync(folder, { recursive: true, force: true });
process.exit(status ?? (signal === "SIGINT" ? 130 : 1));
