/**
 * The objects that kube-apiserver creates in a new cluster, as the texts to store: one line each, after the object's place.
 *
 *     scripts/generate-api → packBootstrap → data/bootstrap.br → readBootstrap → BootstrapText
 *
 * Creating so many objects through the create verb would take longer than the rest of the start.
 */

/** The compressed file in the folder `data`. */
export const bootstrapFile = "bootstrap.br";

/** Stands for the uid of an object. */
export const uidMark = "00000000-0000-0000-0000-000000000000";
/** Stands for the time of its creation. */
export const timeMark = "1970-01-01T00:00:00Z";

export interface BootstrapText {
  /** "rbac.authorization.k8s.io". */
  readonly group: string;
  /** "clusterroles", in version v1. */
  readonly resource: string;
  /** "" for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
  /** As the store keeps it, with {@link uidMark} and {@link timeMark}. */
  readonly text: string;
}

/** Writes the file, uncompressed. */
export function packBootstrap(objects: readonly BootstrapText[]): string {
  return objects.map(({ group, resource, namespace, name, text }) => `${group} ${resource} ${namespace} ${name} ${text}\n`).join("");
}

/** Reads the decompressed file. */
export function readBootstrap(packed: string): readonly BootstrapText[] {
  return packed
    .split("\n")
    .slice(0, -1)
    .map((line) => {
      const [group = "", resource = "", namespace = "", name = ""] = line.split(" ", 4);
      return { group, resource, namespace, name, text: line.slice(group.length + resource.length + namespace.length + name.length + 4) };
    });
}
