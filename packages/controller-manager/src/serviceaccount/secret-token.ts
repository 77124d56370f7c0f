/** What a Secret of type `kubernetes.io/service-account-token` has to contain. */
import type { Secret, ServiceAccount } from "@drover/api/core/v1";
import { encodeJson } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";

export const tokenSecretType = "kubernetes.io/service-account-token";
/** Names the account of a Secret. */
export const accountNameAnnotation = "kubernetes.io/service-account.name";
const accountUidAnnotation = "kubernetes.io/service-account.uid";

/** The key of service account tokens: an ES256 key that the API server knows. */
export interface TokenKey {
  /** Key id by which the server finds the key. */
  readonly keyId: string;
  readonly sign: (text: string) => Uint8Array;
}

export interface FilledSecretOptions {
  /** Called when a token must be signed. */
  readonly key: () => TokenKey;
  /** Certificate authority of the server, PEM. @default none */
  readonly authorityPem?: string;
}

/** Whether a Secret is for this account: by name and, if it has one, by uid. */
export function isForAccount({ metadata: { annotations = {} } }: DeepReadonly<Secret>, { name, uid }: AccountName): boolean {
  const wanted = annotations[accountUidAnnotation] ?? "";
  return annotations[accountNameAnnotation] === name && (wanted === "" || wanted === uid);
}

/** An account by name and uid. */
export interface AccountName {
  readonly name: string;
  readonly uid: string;
}

/** Returns the Secret with token, namespace and authority; undefined if it has them. A token that is there stays. */
export function filledSecret(
  secret: DeepReadonly<Secret>,
  account: DeepReadonly<ServiceAccount>,
  { key, authorityPem = "" }: FilledSecretOptions,
): DeepReadonly<Secret> | undefined {
  const { namespace = "", name = "" } = secret.metadata;
  const { data = {} } = secret;
  const authority = base64(authorityPem);
  const missing = {
    ...(authority === "" || data["ca.crt"] === authority ? {} : { "ca.crt": authority }),
    ...(data["namespace"] ? {} : { namespace: base64(namespace) }),
    ...(data["token"] ? {} : { token: base64(signedToken(name, account, key())) }),
  };
  if (Object.keys(missing).length === 0) return undefined;
  const annotations = {
    ...secret.metadata.annotations,
    [accountNameAnnotation]: account.metadata.name ?? "",
    [accountUidAnnotation]: account.metadata.uid ?? "",
  };
  return { ...secret, metadata: { ...secret.metadata, annotations }, data: { ...data, ...missing } };
}

function signedToken(
  secret: string,
  { metadata: { namespace = "", name = "", uid = "" } }: DeepReadonly<ServiceAccount>,
  key: TokenKey,
): string {
  const prefix = "kubernetes.io/serviceaccount";
  const claims = {
    iss: "kubernetes/serviceaccount",
    [`${prefix}/namespace`]: namespace,
    [`${prefix}/secret.name`]: secret,
    [`${prefix}/service-account.name`]: name,
    [`${prefix}/service-account.uid`]: uid,
    sub: `system:serviceaccount:${namespace}:${name}`,
  };
  const text = [{ alg: "ES256", kid: key.keyId }, claims].map((part) => base64Url(new TextEncoder().encode(encodeJson(part)))).join(".");
  return `${text}.${base64Url(key.sign(text))}`;
}

const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
const base64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
