/**
 * Builds what the conformance tests compare with, into .assets, where Go is at hand:
 *
 *     oracle                 answers single questions with Kubernetes' own libraries
 *     etcd, kube-apiserver   the real server, found by tests through KUBEBUILDER_ASSETS
 *
 * Without Go it says so and succeeds; the tests that need a part then name it as the reason they were skipped.
 * The first build takes some minutes; later ones come from Go's build cache.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const assets = join(root, ".assets");
const version = "k8s.io/component-base/version";
const stamp = { gitVersion: "v1.36.3", gitMajor: "1", gitMinor: "36" };

const parts = {
  oracle: { folder: "oracle", target: "." },
  etcd: { folder: "real/etcd", target: "go.etcd.io/etcd/server/v3" },
  "kube-apiserver": {
    folder: "real/kube-apiserver",
    target: "k8s.io/kubernetes/cmd/kube-apiserver",
    flags: ["-ldflags", `-s -w ${Object.entries(stamp).map(([name, value]) => `-X ${version}.${name}=${value}`).join(" ")}`],
  },
};

const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(parts);
const unknown = wanted.filter((name) => !(name in parts));
if (unknown.length > 0) {
  process.stderr.write(`Unknown part ${unknown.join(", ")}. There are: ${Object.keys(parts).join(", ")}.\n`);
  process.exit(2);
}
if (spawnSync("go", ["version"]).status !== 0) {
  process.stdout.write("Go is not at hand: nothing is built, and the tests that need it will be skipped.\n");
  process.exit(0);
}
mkdirSync(assets, { recursive: true });
for (const name of wanted) {
  const { folder, target, flags = [] } = parts[name];
  process.stdout.write(`Building .assets/${name} …\n`);
  const { status } = spawnSync("go", ["build", "-o", join(assets, name), ...flags, target], {
    cwd: join(root, "conformance", folder), stdio: "inherit", env: { ...process.env, CGO_ENABLED: "0", GOFLAGS: "-buildvcs=false" },
  });
  if (status !== 0) process.exit(status ?? 1);
}
