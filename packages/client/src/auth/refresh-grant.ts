/**
 * One refresh grant (OAuth 2.0, RFC 6749 §6) with an OpenID issuer.
 *
 *     GET /.well-known/openid-configuration → POST token endpoint → id token
 */
import {
  Secret,
  abortable,
  decodeJson,
  definedOnly,
  errorName,
  isError,
  isJsonObject,
  isTimeoutError,
  withTimeout,
} from "@drover/machinery";
import type { Clock, HttpBody, HttpRequest, JsonObject, JsonValue } from "@drover/machinery";
import type { OidcConfig, Trust } from "../kubeconfig/cluster-access.ts";
import { encodeBase64 } from "../encoding/base64.ts";
import { CredentialError, isCredentialError } from "./credential-error.ts";
import type { TransportTo } from "./transport-to.ts";

/** Tokens that an issuer granted. */
export interface GrantedTokens {
  readonly idToken: Secret;
  /** Replaces the refresh token that was used. @default the old one stays valid */
  readonly refreshToken?: Secret;
}

/** Dependencies and limits of one refresh. */
export interface RefreshGrantOptions {
  readonly clock: Clock;
  readonly transportTo: TransportTo;
  /** Timeout for both requests together. @default 30000 */
  readonly timeoutMs?: number;
}

/** How the client authenticates: in a header, or in the form. */
type ClientAuth = "header" | "form";

interface Issuer {
  readonly url: string;
  readonly trust: Trust;
  readonly transportTo: TransportTo;
  readonly signal: AbortSignal;
}

/** Maximum size of an issuer's response. */
const bodyBytesMax = 1024 * 1024;

/**
 * Exchanges a refresh token for an id token. Throws a `CredentialError` that names the issuer, the HTTP status and OAuth's
 * error code, and nothing else of the response. Never sends a refresh token over http if the issuer's URL is https.
 */
export async function refreshGrant(
  config: OidcConfig & { readonly refreshToken: Secret },
  { clock, transportTo, timeoutMs = 30_000 }: RefreshGrantOptions,
): Promise<GrantedTokens> {
  const { issuerUrl, issuerCa } = config;
  try {
    return await withTimeout(clock, timeoutMs, (limited) =>
      grant(config, {
        url: issuerUrl.replace(/\/$/, ""),
        trust: definedOnly({ ca: issuerCa }),
        transportTo,
        signal: limited,
      }),
    );
  } catch (cause) {
    if (isCredentialError(cause)) throw cause;
    if (isTimeoutError(cause)) throw new CredentialError("unavailable", `${issuerUrl} did not answer within ${timeoutMs / 1000} s`);
    // Not set as the cause: a transport's error may contain the request, which contains the refresh token.
    throw new CredentialError(
      "unavailable",
      `${issuerUrl} could not be reached to refresh the id token${isError(cause) ? ` (${errorName(cause)})` : ""}`,
    );
  }
}

async function grant(config: OidcConfig & { readonly refreshToken: Secret }, issuer: Issuer): Promise<GrantedTokens> {
  const { endpoint, auth } = await discover(issuer);
  const methods: readonly ClientAuth[] = config.clientSecret === undefined ? ["form"] : auth;
  let status = 0;
  let code = "";
  for (const method of methods) {
    const answer = await exchange(issuer, endpoint, tokenRequest(config, method));
    if (answer.status === 200) return granted(answer.document, issuer.url);
    status = answer.status;
    code = errorCode(answer.document);
  }
  throw new CredentialError(
    "unavailable",
    `${issuer.url} refused to refresh the id token: status ${status}${code === "" ? "" : `, ${code}`}${code === "invalid_grant" ? "; log in again" : ""}`,
  );
}

interface Discovered {
  readonly endpoint: URL;
  readonly auth: readonly ClientAuth[];
}

async function discover(issuer: Issuer): Promise<Discovered> {
  const { status, document } = await exchange(issuer, new URL(`${issuer.url}/.well-known/openid-configuration`), {
    method: "GET",
    headers: { accept: "application/json" },
  });
  const wrong = (what: string): CredentialError => new CredentialError("malformed", `the discovery document of ${issuer.url} ${what}`);
  if (status !== 200) throw new CredentialError("unavailable", `${issuer.url} has no discovery document: status ${status}`);
  if (document === undefined) throw wrong("is not a JSON object");
  const named = document["token_endpoint"];
  if (typeof named !== "string" || !URL.canParse(named)) throw wrong("names no token_endpoint");
  const endpoint = new URL(named);
  if (endpoint.protocol !== "https:" && !(endpoint.protocol === "http:" && issuer.url.startsWith("http:")))
    throw wrong("names a token_endpoint that is not https");
  const supported = document["token_endpoint_auth_methods_supported"];
  // Issuers that do not specify it should accept the header, but some accept only the form. Rejecting the client does not
  // consume the token.
  if (!Array.isArray(supported)) return { endpoint, auth: ["header", "form"] };
  return { endpoint, auth: supported.includes("client_secret_basic") || !supported.includes("client_secret_post") ? ["header"] : ["form"] };
}

function tokenRequest(
  { clientId, clientSecret, refreshToken }: OidcConfig & { readonly refreshToken: Secret },
  auth: ClientAuth,
): Omit<HttpRequest, "path"> {
  const form = new URLSearchParams({ grant_type: "refresh_token", refresh_token: refreshToken.reveal() });
  const headers: Record<string, string> = { accept: "application/json", "content-type": "application/x-www-form-urlencoded" };
  if (auth === "header") {
    headers["authorization"] =
      `Basic ${encodeBase64(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret?.reveal() ?? "")}`)}`;
  } else {
    form.set("client_id", clientId);
    if (clientSecret !== undefined) form.set("client_secret", clientSecret.reveal());
  }
  return { method: "POST", headers, body: form.toString() };
}

function granted(document: JsonObject | undefined, url: string): GrantedTokens {
  const idToken = document?.["id_token"];
  const refreshToken = document?.["refresh_token"];
  if (typeof idToken !== "string" || idToken === "") {
    throw new CredentialError(
      "malformed",
      `${url} refreshed without an id token; log in again with the scope "openid", or use an issuer that returns one on refresh`,
    );
  }
  return {
    idToken: new Secret(idToken),
    ...(typeof refreshToken === "string" && refreshToken !== "" ? { refreshToken: new Secret(refreshToken) } : {}),
  };
}

/** Error codes of OAuth and OpenID; other text might quote the request. */
const errorCodes: ReadonlySet<unknown> = new Set([
  "invalid_request",
  "invalid_client",
  "invalid_grant",
  "unauthorized_client",
  "unsupported_grant_type",
  "invalid_scope",
  "access_denied",
  "server_error",
  "temporarily_unavailable",
  "interaction_required",
  "login_required",
  "consent_required",
  "account_selection_required",
]);

function errorCode(document: JsonObject | undefined): string {
  const code = document?.["error"];
  return typeof code === "string" && errorCodes.has(code) ? code : "";
}

interface Answer {
  readonly status: number;
  /** Absent when the body is not a JSON object. */
  readonly document: JsonObject | undefined;
}

async function exchange({ trust, transportTo, signal }: Issuer, url: URL, request: Omit<HttpRequest, "path">): Promise<Answer> {
  const send = transportTo(url.origin, { trust });
  try {
    const { status, body } = await abortable(send({ ...request, path: `${url.pathname}${url.search}`, signal }), signal);
    const text = await abortable(wholeBody(body), signal);
    const document = text === undefined ? undefined : parsed(text);
    return { status, document: document !== undefined && isJsonObject(document) ? document : undefined };
  } finally {
    send.close?.();
  }
}

async function wholeBody(body: HttpBody): Promise<string | undefined> {
  if (typeof body === "string") return body;
  const decoder = new TextDecoder();
  if (body instanceof Uint8Array) return decoder.decode(body);
  let text = "";
  for await (const chunk of body) {
    text += typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
    if (text.length > bodyBytesMax) return undefined;
  }
  return text + decoder.decode();
}

function parsed(text: string): JsonValue | undefined {
  try {
    return decodeJson(text, { maxDepth: 100 });
  } catch {
    return undefined;
  }
}
