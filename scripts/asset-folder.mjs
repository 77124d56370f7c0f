/**
 * Where the parts that conformance tests compare with are kept: in the user's cache, so that clones and runs share
 * them, under a name made from what they are built of, so that a new version is never mistaken for an old one.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "drover");

/** The sources of a part: its Go module under conformance/. */
export const sourceFolder = (folder) => join(root, "conformance", folder);

const digest = (folders) => {
  const hash = createHash("sha256");
  for (const folder of folders)
    for (const name of readdirSync(sourceFolder(folder)).toSorted())
      hash.update(name).update(readFileSync(join(sourceFolder(folder), name)));
  return hash.digest("hex").slice(0, 12);
};

/** Answers single questions with Kubernetes' own libraries. */
export const oracleFolder = join(cache, `oracle-${digest(["go-libraries/oracle"])}`);
/** A real cluster, part by part: a folder as KUBEBUILDER_ASSETS names one. */
export const clusterFolder = join(
  cache,
  `kubernetes-1.36.3-${digest(["servers/real/etcd", "servers/real/kubernetes", "servers/real/kwok"])}`,
);

/** The variables by which tests find the parts that have been built; what the user has set wins. */
export function assetEnvironment() {
  const { DROVER_ORACLE = join(oracleFolder, "oracle"), KUBEBUILDER_ASSETS = clusterFolder } = process.env;
  return {
    ...(existsSync(DROVER_ORACLE) ? { DROVER_ORACLE } : {}),
    ...(existsSync(join(KUBEBUILDER_ASSETS, "kube-apiserver")) ? { KUBEBUILDER_ASSETS } : {}),
  };
}
