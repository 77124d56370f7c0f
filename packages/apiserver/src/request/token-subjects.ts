/** Checks that the subjects of service account tokens still exist. */
import { metaOf } from "../registry/meta-of.ts";
import { keyOf } from "../registry/object-store.ts";
import type { Backend } from "./request-context.ts";
import type { TokenSubject } from "../access/service-account-tokens.ts";

/**
 * Returns a check that a token's account and the object it is bound to still exist. Both are compared by uid: an object created
 * later under the same name does not count.
 */
export function tokenSubjects({ objects, registry }: Backend): (subject: TokenSubject) => Promise<boolean> {
  const isThere = async (plural: string, namespace: string, name: string, uid: string): Promise<boolean> => {
    const resource = registry.find({ group: "", version: "v1", resource: plural });
    const found = resource === undefined ? undefined : await objects.get(resource, keyOf(resource, namespace, name));
    return found !== undefined && metaOf(found.object).uid === uid;
  };
  return async ({ namespace, name, uid, bound }) => {
    if (!(await isThere("serviceaccounts", namespace, name, uid))) return false;
    return bound === undefined || (await isThere(`${bound.kind}s`, bound.kind === "node" ? "" : namespace, bound.name, bound.uid));
  };
}
