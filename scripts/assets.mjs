/**
 * Builds what tests and benchmarks compare with; needs Go:
 *
 *     oracle                                                     answers single questions with Kubernetes' own libraries
 *     etcd, kube-apiserver, kube-controller-manager,
 *     kube-scheduler, kubectl, kwok                              a real cluster, found by tests through KUBEBUILDER_ASSETS
 *     kubectl-1.20                                               an old one, from Debian's package kubernetes-client; needs apt
 *     helm, cert-manager-controller, cert-manager-cainjector,
 *     cert-manager-webhook, site-operator                        programs that must work on our cluster as they are
 *     controller-runtime-suites                                  controller-runtime's own tests on envtest, as programs
 *
 * They go to the user's cache folder and are built once per version; the first time takes about fifteen minutes on
 * two cores. Parts can be named: `npm run assets -- etcd kubectl`. Without Go it says so and succeeds; the tests that need
 * a part are then skipped and name it as the reason.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { clusterFolder, oracleFolder, softwareFolder, sourceFolder, suitesFolder } from "./asset-folder.mjs";

const versionFlags = Object.entries({ gitVersion: "v1.36.3", gitMajor: "1", gitMinor: "36" })
  .map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`)
  .join(" ");

const kubernetes = (name) => ({
  folder: "servers/real/kubernetes",
  into: clusterFolder,
  target: `k8s.io/kubernetes/cmd/${name}`,
  linkerFlags: `-s -w ${versionFlags}`,
});

const software = (folder, target) => ({ folder: `real-software/${folder}`, into: softwareFolder, target, linkerFlags: "-s -w" });
const certManager = "github.com/cert-manager/cert-manager";

const parts = {
  oracle: { folder: "go-libraries/oracle", into: oracleFolder, target: ".", linkerFlags: "" },
  etcd: { folder: "servers/real/etcd", into: clusterFolder, target: "go.etcd.io/etcd/server/v3", linkerFlags: "-s -w" },
  "kube-apiserver": kubernetes("kube-apiserver"),
  "kube-controller-manager": kubernetes("kube-controller-manager"),
  "kube-scheduler": kubernetes("kube-scheduler"),
  kubectl: kubernetes("kubectl"),
  kwok: { folder: "servers/real/kwok", into: clusterFolder, target: "sigs.k8s.io/kwok/cmd/kwok", linkerFlags: "-s -w" },
  helm: software("helm", "helm.sh/helm/v4/cmd/helm"),
  "cert-manager-controller": software("cert-manager", `${certManager}/cmd/controller`),
  "cert-manager-cainjector": software("cert-manager", `${certManager}/cmd/cainjector`),
  "cert-manager-webhook": software("cert-manager", `${certManager}/cmd/webhook`),
  "site-operator": software("operator", "."),
};

const fromDebian = "kubectl-1.20";
const suites = "controller-runtime-suites";
const names = [...Object.keys(parts), fromDebian, suites];
const asked = process.argv.length > 2 ? process.argv.slice(2) : names;
const unknown = asked.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`Unknown part ${unknown.join(", ")}. There are: ${names.join(", ")}.\n`);
  process.exit(2);
}
if (asked.includes(fromDebian) && !existsSync(join(clusterFolder, fromDebian))) unpackFromDebian();
const wanted = asked.filter((name) => name !== fromDebian && name !== suites);
const lacksSuites = asked.includes(suites) && !existsSync(join(suitesFolder, "module"));
const missing = wanted.filter((name) => !existsSync(join(parts[name].into, name)));
if ((missing.length > 0 || lacksSuites) && spawnSync("go", ["version"]).status !== 0) {
  process.stdout.write(
    `Go is not at hand, so ${[...missing, ...(lacksSuites ? [suites] : [])].join(", ")} cannot be built; the tests that need them will be skipped. Go 1.26 or newer can be had from https://go.dev/dl.\n`,
  );
  process.exit(0);
}
const goEnvironment = { ...process.env, CGO_ENABLED: "0", GOFLAGS: "-buildvcs=false" };
for (const name of missing) {
  const { folder, into, target, linkerFlags } = parts[name];
  process.stdout.write(`Building ${name} … `);
  mkdirSync(into, { recursive: true });
  // Built in another folder and then moved, so that an interrupted build leaves nothing that looks complete.
  const building = join(into, `.${name}-${process.pid}`);
  const started = performance.now();
  const { status } = spawnSync("go", ["build", "-o", building, "-ldflags", linkerFlags, target], {
    cwd: sourceFolder(folder),
    stdio: "inherit",
    env: goEnvironment,
  });
  if (status !== 0) {
    rmSync(building, { force: true });
    process.stderr.write(`\nBuilding ${name} failed.\n`);
    process.exit(status ?? 1);
  }
  renameSync(building, join(into, name));
  process.stdout.write(`${((performance.now() - started) / 1000).toFixed(1)} s\n`);
}
if (wanted.includes("cert-manager-controller"))
  linkModule(certManager, { ...parts["cert-manager-controller"], link: "cert-manager-module" });
if (lacksSuites) buildSuites();

/** Compiles the tests of each package, with the versions that the module itself asks for. The link to the sources is made last. */
function buildSuites() {
  const { module, packages } = JSON.parse(readFileSync(join(sourceFolder("envtest/suites"), "packages.json"), "utf8"));
  const { stdout, status } = spawnSync("go", ["mod", "download", "-json", module], {
    cwd: sourceFolder("envtest/suites"),
    encoding: "utf8",
  });
  const folder = status === 0 ? JSON.parse(stdout).Dir : undefined;
  process.stdout.write(`Building ${suites} … `);
  const started = performance.now();
  mkdirSync(suitesFolder, { recursive: true });
  for (const name of packages) {
    const building = join(suitesFolder, `.${process.pid}.test`);
    const built =
      folder === undefined
        ? 1
        : spawnSync("go", ["test", "-c", "-ldflags", "-s -w", "-o", building, `./${name}`], {
            cwd: folder,
            stdio: "inherit",
            env: goEnvironment,
          }).status;
    if (built !== 0) {
      rmSync(building, { force: true });
      process.stderr.write(`\nBuilding the tests of ${module}/${name} failed.\n`);
      process.exit(1);
    }
    renameSync(building, join(suitesFolder, `${name.replaceAll("/", "-")}.test`));
  }
  linkModule(module, { folder: "envtest/suites", into: suitesFolder, link: "module" });
  process.stdout.write(`${((performance.now() - started) / 1000).toFixed(1)} s\n`);
}

/** Names the folder of a module beside its programs: tests read files that it contains. */
function linkModule(module, { folder, into, link: name }) {
  const link = join(into, name);
  if (!existsSync(into) || existsSync(link)) return;
  const { stdout, status } = spawnSync("go", ["mod", "download", "-json", module], { cwd: sourceFolder(folder), encoding: "utf8" });
  if (status !== 0) return;
  // A link to a module cache that has been cleaned is replaced.
  rmSync(link, { force: true });
  symlinkSync(JSON.parse(stdout).Dir, link);
}

/** Debian has the oldest kubectl still in use. It is unpacked, not installed, so that it does not replace the machine's own. */
function unpackFromDebian() {
  mkdirSync(clusterFolder, { recursive: true });
  const folder = mkdtempSync(join(clusterFolder, `.${fromDebian}-`));
  const steps = [
    ["apt-get", "download", "kubernetes-client"],
    ["sh", "-c", "dpkg -x kubernetes-client_*.deb unpacked"],
  ];
  const done = steps.every(([command, ...args]) => spawnSync(command, args, { cwd: folder, stdio: "ignore" }).status === 0);
  if (done) renameSync(join(folder, "unpacked", "usr", "bin", "kubectl"), join(clusterFolder, fromDebian));
  else
    process.stdout.write(
      `Debian's package kubernetes-client is not at hand, so there is no ${fromDebian}; the tests that need it will be skipped.\n`,
    );
  rmSync(folder, { recursive: true, force: true });
}

process.stdout.write("npm test finds them by itself; for anything else:\n");
process.stdout.write(
  `export DROVER_ORACLE=${join(oracleFolder, "oracle")}\nexport KUBEBUILDER_ASSETS=${clusterFolder}\nexport DROVER_REAL_SOFTWARE=${softwareFolder}\nexport DROVER_ENVTEST_SUITES=${suitesFolder}\n`,
);
