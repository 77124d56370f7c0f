/**
 * Service account tokens: JSON Web Tokens signed by the server, valid until they expire or the object they are bound to is
 * deleted.
 *
 *     POST …/serviceaccounts/{name}/token → issue → "eyJ…" → authenticate → system:serviceaccount:{namespace}:{name}
 */
import { decodeJson, encodeJson, getOwn, isJsonObject, quoteGo } from "@drover/machinery";
import type { Clock, JsonObject, JsonValue } from "@drover/machinery";
import { fromBase64Url, toBase64Url } from "../base64-url.ts";
import { noCredential } from "./authenticator.ts";
import type { Authentication, Authenticator } from "./authenticator.ts";
import { bearerToken } from "./bearer-tokens.ts";
import { legacyIssuer, secretTokenOf } from "./secret-token.ts";
import type { SecretToken } from "./secret-token.ts";
import { serviceAccountGroups } from "./system-names.ts";
import type { PublicKey, TokenSigner } from "./token-signer.ts";

/** An object by name and uid. */
export interface TokenReference {
  readonly name: string;
  readonly uid: string;
}

/** The service account of a token. */
export interface TokenSubject extends TokenReference {
  readonly namespace: string;
  /** The object the token is bound to. @default the service account alone */
  readonly bound?: TokenReference & { readonly kind: "pod" | "secret" | "node" };
  /** The node of the pod that the token is bound to; without a uid if there is no such node. @default none */
  readonly podNode?: TokenReference;
}

export interface IssueOptions {
  readonly audiences: readonly string[];
  readonly lifetimeSeconds: number;
  /** Id of the token (`jti`). */
  readonly id: string;
  /** When its holder should have replaced it. @default never */
  readonly warnAfterSeconds?: number;
}

export interface ServiceAccountTokensOptions {
  readonly clock: Clock;
  readonly signer: () => TokenSigner;
  /** Issuer of tokens, and their default audience. */
  readonly issuer: string;
  /** Returns why a token is no longer valid: its account or the object it is bound to has gone. */
  readonly problemOf: (subject: TokenSubject) => Promise<string | undefined>;
  /** Returns why the token of a Secret is not valid. */
  readonly secretProblemOf: (token: SecretToken) => Promise<string | undefined>;
}

const claimName = "kubernetes.io";
const extraPrefix = "authentication.kubernetes.io/";
/** Clocks may differ that much. */
export const leewaySeconds = 60;

export class ServiceAccountTokens {
  readonly issuer: string;
  readonly #options: ServiceAccountTokensOptions;
  #signer: TokenSigner | undefined;

  constructor(options: ServiceAccountTokensOptions) {
    this.#options = options;
    this.issuer = options.issuer;
  }

  /** The keys whose tokens are accepted, for others who verify tokens. */
  publicKeys(): readonly PublicKey[] {
    return this.#key().publicKeys;
  }

  issue({ namespace, name, uid, bound, podNode }: TokenSubject, options: IssueOptions): string {
    const { audiences, lifetimeSeconds, id, warnAfterSeconds } = options;
    const now = Math.floor(this.#options.clock.now() / 1000);
    const claims: JsonObject = {
      aud: audiences.length === 0 ? [this.issuer] : [...audiences],
      exp: now + lifetimeSeconds,
      iat: now,
      iss: this.issuer,
      jti: id,
      [claimName]: {
        namespace,
        ...(podNode === undefined ? {} : { node: { name: podNode.name, ...(podNode.uid === "" ? {} : { uid: podNode.uid }) } }),
        ...(bound === undefined ? {} : { [bound.kind]: { name: bound.name, uid: bound.uid } }),
        serviceaccount: { name, uid },
        ...(warnAfterSeconds === undefined ? {} : { warnafter: now + warnAfterSeconds }),
      },
      nbf: now,
      sub: `system:serviceaccount:${namespace}:${name}`,
    };
    const signer = this.#key();
    const text = `${encodeText(encodeJson({ alg: signer.algorithm, kid: signer.keyId }))}.${encodeText(encodeJson(claims))}`;
    return `${text}.${toBase64Url(signer.sign(text))}`;
  }

  /** Authenticates tokens of this server, those of Secrets included, and ignores all others. */
  readonly authenticate: Authenticator = async ({ headers, audiences = [this.issuer] }) => {
    const token = bearerToken(headers);
    const claims = token === undefined ? undefined : this.#claims(token);
    if (token === undefined || claims === undefined) return noCredential;
    const issuer = claims["iss"];
    if (issuer !== this.issuer && issuer !== legacyIssuer) return noCredential;
    const own = claims["aud"];
    // A token for another audience must not authenticate here, or its recipient could act as its owner.
    const tokenAudiences = Array.isArray(own) ? own.filter((one) => typeof one === "string") : [this.issuer];
    const common = audiences.filter((audience) => tokenAudiences.includes(audience));
    if (common.length === 0)
      return refused(`token audiences ${printed(tokenAudiences)} is invalid for the target audiences ${printed(audiences)}`);
    const found = issuer === legacyIssuer ? await this.#judgeSecretToken(token, claims) : await this.#judge(claims);
    return found.kind === "user" ? { ...found, audiences: common } : found;
  };

  /** Returns the claims of a token that this server signed; undefined for any other. */
  #claims(token: string): JsonObject | undefined {
    const [head = "", body = "", signature = "", ...rest] = token.split(".");
    if (rest.length > 0 || signature === "") return undefined;
    const [bytes, text] = [fromBase64Url(signature), fromBase64Url(body)];
    if (bytes === undefined || text === undefined || !this.#key().verify(`${head}.${body}`, bytes)) return undefined;
    const claims = decodeJson(text);
    return isJsonObject(claims) ? claims : undefined;
  }

  async #judge(claims: JsonObject): Promise<Authentication> {
    const now = Math.floor(this.#options.clock.now() / 1000);
    const { exp, nbf, iat, jti: id } = claims;
    if (typeof exp !== "number" || now - leewaySeconds > exp) return refused("service account token has expired");
    if (typeof nbf === "number" && now + leewaySeconds < nbf) return refused("service account token is not valid yet");
    if (typeof iat === "number" && now + leewaySeconds < iat) return refused("service account token is issued in the future");
    const subject = subjectOf(claims[claimName]);
    if (subject === undefined) return refused("Token not valid");
    const problem = await this.#options.problemOf(subject);
    if (problem !== undefined) return refused(problem);
    const { bound, podNode } = subject;
    const node = bound?.kind === "node" ? bound : podNode;
    return userOf(subject, {
      ...(typeof id === "string" ? { [`${extraPrefix}credential-id`]: [`JTI=${id}`] } : {}),
      ...(bound?.kind === "pod" ? { [`${extraPrefix}pod-name`]: [bound.name], [`${extraPrefix}pod-uid`]: [bound.uid] } : {}),
      ...(node === undefined ? {} : { [`${extraPrefix}node-name`]: [node.name] }),
      ...(node === undefined || node.uid === "" ? {} : { [`${extraPrefix}node-uid`]: [node.uid] }),
    });
  }

  async #judgeSecretToken(token: string, claims: JsonObject): Promise<Authentication> {
    const found = secretTokenOf(token, claims);
    const problem = typeof found === "string" ? found : await this.#options.secretProblemOf(found);
    if (typeof found === "string" || problem !== undefined) return refused(problem ?? "");
    return userOf(found.account, {});
  }

  #key(): TokenSigner {
    return (this.#signer ??= this.#options.signer());
  }
}

const refused = (reason: string): Authentication => ({ kind: "refused", reason });

/** As Go prints a list of texts. */
const printed = (texts: readonly string[]): string => `[${texts.map(quoteGo).join(" ")}]`;

function userOf({ namespace, name, uid }: TokenSubject, extra: Readonly<Record<string, readonly string[]>>): Authentication {
  return {
    kind: "user",
    user: {
      name: `system:serviceaccount:${namespace}:${name}`,
      uid,
      groups: serviceAccountGroups(namespace),
      ...(Object.keys(extra).length === 0 ? {} : { extra }),
    },
  };
}

function subjectOf(claim: JsonValue | undefined): TokenSubject | undefined {
  if (!isJsonObject(claim)) return undefined;
  const { namespace, serviceaccount } = claim;
  const account = named(serviceaccount);
  if (typeof namespace !== "string" || account === undefined) return undefined;
  const [secret, pod, node] = ["secret", "pod", "node"].map((kind) => named(getOwn(claim, kind)));
  if (secret !== undefined) return { namespace, ...account, bound: { kind: "secret", ...secret } };
  if (pod !== undefined) return { namespace, ...account, bound: { kind: "pod", ...pod }, ...(node === undefined ? {} : { podNode: node }) };
  return { namespace, ...account, ...(node === undefined ? {} : { bound: { kind: "node", ...node } }) };
}

function named(value: JsonValue | undefined): TokenReference | undefined {
  if (!isJsonObject(value)) return undefined;
  const { name, uid = "" } = value;
  return typeof name === "string" && typeof uid === "string" ? { name, uid } : undefined;
}

const encodeText = (text: string): string => toBase64Url(new TextEncoder().encode(text));
