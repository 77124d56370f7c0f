/** Versions: of this package, from its manifest, and of the programs that it stands in for. */
import manifest from "../package.json" with { type: "json" };

/** The version, such as "0.1.0". */
export const version: string = manifest.version;

/** The version that `/version` of the API server reports. */
export const kubernetesVersion = "v1.36.3+drover";

/** The etcd whose flags the one of `drover envtest` has. */
export const etcdVersion = "3.6.4";
