/** Checks that the subjects of service account tokens still exist. */
import type { Secret, ServiceAccount } from "@drover/api/core/v1";
import { parseTime } from "@drover/machinery";
import type { DeepReadonly, ObjectMeta } from "@drover/machinery";
import { keyOf } from "../registry/object-store.ts";
import type { Backend } from "./request-context.ts";
import { sameBytes } from "../access/bearer-tokens.ts";
import { leewaySeconds } from "../access/service-account-tokens.ts";
import type { ServiceAccountTokensOptions, TokenSubject } from "../access/service-account-tokens.ts";

const gone = "service account token has been invalidated";
/** A token of a Secret with this label is refused. */
const invalidSince = "kubernetes.io/legacy-token-invalid-since";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

type BoundObject = NonNullable<TokenSubject["bound"]>;

/**
 * Returns checks that a token's account and the object it is bound to still exist, which return what is wrong, in kube-apiserver's
 * words. Objects are compared by uid: one created later under the same name does not count.
 */
export function tokenSubjects({
  objects,
  registry,
  runtime: { clock },
}: Backend): Pick<ServiceAccountTokensOptions, "problemOf" | "secretProblemOf"> {
  const find = async <T extends { readonly metadata: ObjectMeta }>(
    plural: string,
    namespace: string,
    name: string,
  ): Promise<DeepReadonly<T> | undefined> => {
    const resource = registry.find({ group: "", version: "v1", resource: plural });
    const stored = resource === undefined ? undefined : (await objects.store.get(keyOf(resource, namespace, name))).stored;
    return resource === undefined || stored === undefined
      ? undefined
      : (objects.views(resource).shared(stored) as unknown as DeepReadonly<T>);
  };
  /** An object that waits for its finalizers is as good as deleted, when the deletion is not just now. */
  const isDeleted = ({ deletionTimestamp }: DeepReadonly<ObjectMeta>): boolean =>
    deletionTimestamp !== undefined && (parseTime(deletionTimestamp) ?? 0) < clock.now() - leewaySeconds * 1000;
  const boundProblem = async (namespace: string, { kind, name, uid }: BoundObject): Promise<string | undefined> => {
    const found = await find(`${kind}s`, kind === "node" ? "" : namespace, name);
    if (found === undefined) return gone;
    if (found.metadata.uid !== uid)
      return `${kind} UID (${found.metadata.uid ?? ""}) does not match service account ${kind} ref claim (${uid})`;
    return isDeleted(found.metadata) ? gone : undefined;
  };
  return {
    problemOf: async ({ namespace, name, uid, bound }) => {
      const account = await find("serviceaccounts", namespace, name);
      if (account === undefined) return `serviceaccounts "${name}" not found`;
      if (account.metadata.uid !== uid) return `service account UID (${account.metadata.uid ?? ""}) does not match claim (${uid})`;
      if (isDeleted(account.metadata)) return `service account ${namespace}/${name} has been deleted`;
      return bound === undefined ? undefined : await boundProblem(namespace, bound);
    },
    secretProblemOf: async ({ token, secret: secretName, account: { namespace, name, uid } }) => {
      const secret = await find<Secret>("secrets", namespace, secretName);
      if (secret === undefined || secret.metadata.deletionTimestamp !== undefined) return "Token has been invalidated";
      if (!sameBytes(bytesOf(secret.data?.["token"] ?? ""), bytesOf(btoa(token)))) return "Token does not match server's copy";
      const account = await find<ServiceAccount>("serviceaccounts", namespace, name);
      if (account === undefined) return `serviceaccounts "${name}" not found`;
      if (account.metadata.deletionTimestamp !== undefined) return `ServiceAccount ${namespace}/${name} has been deleted`;
      if (account.metadata.uid !== uid) return `ServiceAccount UID (${account.metadata.uid ?? ""}) does not match claim (${uid})`;
      if ((secret.metadata.labels?.[invalidSince] ?? "") !== "")
        return `the token in secret ${namespace}/${secretName} for service account ${namespace}/${name} has been marked invalid. Use tokens from the TokenRequest API or manually created secret-based tokens, or remove the '${invalidSince}' label from the secret to temporarily allow use of this token`;
      return undefined;
    },
  };
}
