/**
 * Service account tokens: JSON Web Tokens signed by the server, valid until they expire or the object they are bound to is
 * deleted.
 *
 *     POST …/serviceaccounts/{name}/token → issue → "eyJ…" → authenticate → system:serviceaccount:{namespace}:{name}
 */
import { decodeJson, encodeJson, getOwn, isJsonObject } from "@drover/machinery";
import type { Clock, JsonObject, JsonValue } from "@drover/machinery";
import { fromBase64Url, toBase64Url } from "../base64-url.ts";
import { noCredential } from "./authenticator.ts";
import type { Authentication, Authenticator } from "./authenticator.ts";
import { bearerToken } from "./bearer-tokens.ts";
import { serviceAccountGroups } from "./system-names.ts";
import type { TokenSigner } from "./token-signer.ts";

/** The service account of a token. */
export interface TokenSubject {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** The object the token is bound to. @default the service account alone */
  readonly bound?: { readonly kind: "pod" | "secret" | "node"; readonly name: string; readonly uid: string };
}

export interface IssueOptions {
  readonly audiences: readonly string[];
  readonly lifetimeSeconds: number;
  /** Id of the token (`jti`). */
  readonly id: string;
}

export interface ServiceAccountTokensOptions {
  readonly clock: Clock;
  readonly signer: () => TokenSigner;
  /** Issuer of tokens, and their default audience. */
  readonly issuer: string;
  /** Whether the account and the bound object still exist. */
  readonly exists: (subject: TokenSubject) => Promise<boolean>;
}

const claimName = "kubernetes.io";
const extraPrefix = "authentication.kubernetes.io/";

export class ServiceAccountTokens {
  readonly issuer: string;
  readonly #options: ServiceAccountTokensOptions;
  #signer: TokenSigner | undefined;

  constructor(options: ServiceAccountTokensOptions) {
    this.#options = options;
    this.issuer = options.issuer;
  }

  issue({ namespace, name, uid, bound }: TokenSubject, { audiences, lifetimeSeconds, id }: IssueOptions): string {
    const now = Math.floor(this.#options.clock.now() / 1000);
    const claims: JsonObject = {
      aud: audiences.length === 0 ? [this.issuer] : [...audiences],
      exp: now + lifetimeSeconds,
      iat: now,
      iss: this.issuer,
      jti: id,
      [claimName]: {
        namespace,
        serviceaccount: { name, uid },
        ...(bound === undefined ? {} : { [bound.kind]: { name: bound.name, uid: bound.uid } }),
      },
      nbf: now,
      sub: `system:serviceaccount:${namespace}:${name}`,
    };
    const signer = this.#key();
    const text = `${encodeText(encodeJson({ alg: "ES256", kid: signer.keyId }))}.${encodeText(encodeJson(claims))}`;
    return `${text}.${toBase64Url(signer.sign(text))}`;
  }

  /** Authenticates tokens of this server and ignores all others. */
  readonly authenticate: Authenticator = async ({ headers }) => {
    const token = bearerToken(headers);
    const claims = token === undefined ? undefined : this.#claims(token);
    return claims === undefined ? noCredential : await this.#judge(claims);
  };

  /** Returns the claims of a token of this server; undefined for any other. */
  #claims(token: string): JsonObject | undefined {
    const [head = "", body = "", signature = "", ...rest] = token.split(".");
    if (rest.length > 0 || signature === "" || this.#signer === undefined) return undefined;
    const [bytes, text] = [fromBase64Url(signature), fromBase64Url(body)];
    if (bytes === undefined || text === undefined || !this.#signer.verify(`${head}.${body}`, bytes)) return undefined;
    const claims = decodeJson(text);
    return isJsonObject(claims) ? claims : undefined;
  }

  async #judge(claims: JsonObject): Promise<Authentication> {
    const now = Math.floor(this.#options.clock.now() / 1000);
    const refused = (reason: string): Authentication => ({ kind: "refused", reason });
    if (typeof claims["exp"] !== "number" || now >= claims["exp"]) return refused("service account token has expired");
    const audiences = claims["aud"];
    // A token for another audience must not authenticate here, or its recipient could act as its owner.
    if (!Array.isArray(audiences) || !audiences.includes(this.issuer))
      return refused(`token audiences ${encodeJson(audiences ?? [])} is invalid for the target audiences ${encodeJson([this.issuer])}`);
    const subject = subjectOf(claims[claimName]);
    if (subject === undefined) return refused("Token not valid");
    if (!(await this.#options.exists(subject))) return refused("service account token has been invalidated");
    const { namespace, name, uid, bound } = subject;
    const id = claims["jti"];
    const extra = {
      ...(typeof id === "string" ? { [`${extraPrefix}credential-id`]: [`JTI=${id}`] } : {}),
      ...(bound?.kind === "pod" ? { [`${extraPrefix}pod-name`]: [bound.name], [`${extraPrefix}pod-uid`]: [bound.uid] } : {}),
      ...(bound?.kind === "node" ? { [`${extraPrefix}node-name`]: [bound.name], [`${extraPrefix}node-uid`]: [bound.uid] } : {}),
    };
    return {
      kind: "user",
      user: { name: `system:serviceaccount:${namespace}:${name}`, uid, groups: serviceAccountGroups(namespace), extra },
    };
  }

  #key(): TokenSigner {
    return (this.#signer ??= this.#options.signer());
  }
}

function subjectOf(claim: JsonValue | undefined): TokenSubject | undefined {
  if (!isJsonObject(claim)) return undefined;
  const { namespace, serviceaccount } = claim;
  const account = named(serviceaccount);
  if (typeof namespace !== "string" || account === undefined) return undefined;
  for (const kind of ["pod", "secret", "node"] as const) {
    const bound = named(getOwn(claim, kind));
    if (bound !== undefined) return { namespace, ...account, bound: { kind, ...bound } };
  }
  return { namespace, ...account };
}

function named(value: JsonValue | undefined): { readonly name: string; readonly uid: string } | undefined {
  if (!isJsonObject(value)) return undefined;
  const { name, uid } = value;
  return typeof name === "string" && typeof uid === "string" ? { name, uid } : undefined;
}

const encodeText = (text: string): string => toBase64Url(new TextEncoder().encode(text));
