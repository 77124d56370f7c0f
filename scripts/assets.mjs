/**
 * Builds what the conformance tests compare with, where Go is at hand:
 *
 *     oracle                 answers single questions with Kubernetes' own libraries
 *     etcd, kube-apiserver   the real server, found by tests through KUBEBUILDER_ASSETS
 *
 * They go to the user's cache folder and are built once per version; the first time takes some minutes. Without Go it says so and
 * succeeds; the tests that need a part then name it as the reason they were skipped.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { oracleFolder, serverFolder, sourceFolder } from "./asset-folder.mjs";

const versionFlags = Object.entries({ gitVersion: "v1.36.3", gitMajor: "1", gitMinor: "36" })
  .map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`).join(" ");

const parts = {
  oracle: { folder: "oracle", into: oracleFolder, target: ".", flags: [] },
  etcd: { folder: "real/etcd", into: serverFolder, target: "go.etcd.io/etcd/server/v3", flags: ["-ldflags", "-s -w"] },
  "kube-apiserver": { folder: "real/kube-apiserver", into: serverFolder, target: "k8s.io/kubernetes/cmd/kube-apiserver", flags: ["-ldflags", `-s -w ${versionFlags}`] },
};

const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(parts);
const unknown = wanted.filter((name) => !(name in parts));
if (unknown.length > 0) {
  process.stderr.write(`Unknown part ${unknown.join(", ")}. There are: ${Object.keys(parts).join(", ")}.\n`);
  process.exit(2);
}
const missing = wanted.filter((name) => !existsSync(join(parts[name].into, name)));
if (missing.length > 0 && spawnSync("go", ["version"]).status !== 0) {
  process.stdout.write(`Go is not at hand, so ${missing.join(", ")} cannot be built; the tests that need them will be skipped.\n`);
  process.exit(0);
}
for (const name of missing) {
  const { folder, into, target, flags } = parts[name];
  process.stdout.write(`Building ${name} …\n`);
  mkdirSync(into, { recursive: true });
  // Built beside its place and moved there, so that a build that was cut short leaves nothing that looks whole.
  const building = join(into, `.${name}-${process.pid}`);
  const environment = { ...process.env, CGO_ENABLED: "0", GOFLAGS: "-buildvcs=false" };
  const { status } = spawnSync("go", ["build", "-o", building, ...flags, target], { cwd: sourceFolder(folder), stdio: "inherit", env: environment });
  if (status !== 0) process.exit(status ?? 1);
  renameSync(building, join(into, name));
}
process.stdout.write(`DROVER_ORACLE=${join(oracleFolder, "oracle")}\nKUBEBUILDER_ASSETS=${serverFolder}\nnpm test finds them by itself.\n`);
