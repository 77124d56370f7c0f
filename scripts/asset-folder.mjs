/**
 * Where the programs that conformance tests compare with are kept: in the user's cache folder, so that clones and runs
 * share them, under a name derived from their sources, so that a new version is never mistaken for an old one.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "drover");

/** The sources of a program: its Go module under conformance/. */
export const sourceFolder = (folder) => join(root, "conformance", folder);

const digest = (folders) => {
  const hash = createHash("sha256");
  for (const folder of folders)
    for (const name of readdirSync(sourceFolder(folder)).toSorted())
      hash.update(name).update(readFileSync(join(sourceFolder(folder), name)));
  return hash.digest("hex").slice(0, 12);
};

/** The folder of the oracle, which answers single questions with Kubernetes' own libraries. */
export const oracleFolder = join(cache, `oracle-${digest(["go-libraries/oracle"])}`);
/** The folder of the programs of a real cluster, as KUBEBUILDER_ASSETS names one. */
export const clusterFolder = join(
  cache,
  `kubernetes-1.36.3-${digest(["servers/real/etcd", "servers/real/kubernetes", "servers/real/kwok"])}`,
);

/** The folder of the programs that run unchanged on our cluster: helm, cert-manager, an operator on controller-runtime. */
export const softwareFolder = join(
  cache,
  `real-software-${digest(["real-software/helm", "real-software/cert-manager", "real-software/operator"])}`,
);

/** The folder of controller-runtime's own suites: a test program for each package, and a link to their sources. */
export const suitesFolder = join(cache, `controller-runtime-${digest(["envtest/suites"])}`);

/** The variables by which tests find the programs that have been built; the user's own values win. */
export function assetEnvironment() {
  const {
    DROVER_ORACLE = join(oracleFolder, "oracle"),
    KUBEBUILDER_ASSETS = clusterFolder,
    DROVER_REAL_SOFTWARE = softwareFolder,
    DROVER_ENVTEST_SUITES = suitesFolder,
  } = process.env;
  return {
    ...(existsSync(DROVER_ORACLE) ? { DROVER_ORACLE } : {}),
    ...(existsSync(join(KUBEBUILDER_ASSETS, "kube-apiserver")) ? { KUBEBUILDER_ASSETS } : {}),
    ...(existsSync(DROVER_REAL_SOFTWARE) ? { DROVER_REAL_SOFTWARE } : {}),
    // Built last.
    ...(existsSync(join(DROVER_ENVTEST_SUITES, "module")) ? { DROVER_ENVTEST_SUITES } : {}),
  };
}
