/**
 * The roles and bindings that kube-apiserver creates in mode RBAC, as the texts to store: one line each, after the object's place.
 *
 *     scripts/generate-api → packPolicy → data/bootstrap-policy.br → readPolicy → PolicyText
 *
 * Creating so many objects through the create verb would take longer than the rest of the start.
 */

/** The compressed file in the folder `data`. */
export const policyFile = "bootstrap-policy.br";

/** Stands for the uid of an object. */
export const uidMark = "00000000-0000-0000-0000-000000000000";
/** Stands for the time of its creation. */
export const timeMark = "1970-01-01T00:00:00Z";

/** An object of the policy. */
export interface PolicyText {
  /** "clusterroles", "roles", "clusterrolebindings" or "rolebindings". */
  readonly resource: string;
  /** "" for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
  /** As the store keeps it, with {@link uidMark} and {@link timeMark}. */
  readonly text: string;
}

/** Writes the file, uncompressed. */
export function packPolicy(objects: readonly PolicyText[]): string {
  return objects.map(({ resource, namespace, name, text }) => `${resource} ${namespace} ${name} ${text}\n`).join("");
}

/** Reads the decompressed file. */
export function readPolicy(packed: string): readonly PolicyText[] {
  return packed
    .split("\n")
    .slice(0, -1)
    .map((line) => {
      const [resource = "", namespace = "", name = ""] = line.split(" ", 3);
      return { resource, namespace, name, text: line.slice(resource.length + namespace.length + name.length + 3) };
    });
}
