/** Tokens in Secrets of type `kubernetes.io/service-account-token`: they do not expire, and are valid while the Secret has them. */
import type { JsonObject } from "@drover/machinery";
import { splitServiceAccountName } from "./system-names.ts";

/** The issuer of these tokens. */
export const legacyIssuer = "kubernetes/serviceaccount";

const claimPrefix = "kubernetes.io/serviceaccount/";

/** The Secret that has the token, and its account. */
export interface SecretToken {
  readonly token: string;
  readonly secret: string;
  readonly account: { readonly namespace: string; readonly name: string; readonly uid: string };
}

/** Reads the claims; returns what is wrong with them, in kube-apiserver's words. */
export function secretTokenOf(token: string, claims: JsonObject): SecretToken | string {
  const claim = (name: string): string => {
    const value = claims[`${claimPrefix}${name}`];
    return typeof value === "string" ? value : "";
  };
  const { sub } = claims;
  if (typeof sub !== "string" || sub === "") return "sub claim is missing";
  const [namespace, secret, name, uid] = ["namespace", "secret.name", "service-account.name", "service-account.uid"].map(claim);
  if (!namespace) return "namespace claim is missing";
  if (!secret) return "secretName claim is missing";
  if (!name) return "serviceAccountName claim is missing";
  if (!uid) return "serviceAccountUID claim is missing";
  const subject = splitServiceAccountName(sub);
  if (subject?.namespace !== namespace || subject.name !== name) return "sub claim is invalid";
  return { token, secret, account: { namespace, name, uid } };
}
