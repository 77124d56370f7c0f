/**
 * The legacy `auth-provider: oidc` of kubeconfigs: an id token, and a refresh token to renew it with the issuer.
 *
 *     discovery document → token endpoint → refresh grant → id token → CredentialSource
 */
import { definedOnly, errorName, formatTime } from "@drover/machinery";
import type { Clock, Log, Secret } from "@drover/machinery";
import { isFileError } from "../host.ts";
import type { OidcConfig } from "../kubeconfig/cluster-access.ts";
import { bearerHeader } from "./bearer.ts";
import { CredentialError } from "./credential-error.ts";
import type { CredentialSource } from "./credential-source.ts";
import { jwtExpiry } from "./jwt.ts";
import { refreshGrant } from "./refresh-grant.ts";
import { Renewal } from "./renewal.ts";
import type { Freshness } from "./renewal.ts";
import { sameSecret } from "./same-secret.ts";
import type { TransportTo } from "./transport-to.ts";

/** Dependencies and limits of an OIDC source. */
export interface OidcSourceOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Connects to the issuer and to its token endpoint, which may be on another host. */
  readonly transportTo: TransportTo;
  /** Timeout for one refresh, discovery included. @default 30000 */
  readonly timeoutMs?: number;
  /** How long before its expiry a token is refreshed. @default 10000 */
  readonly expirySkewMs?: number;
}

interface Tokens {
  readonly idToken: Secret;
  readonly header: Secret;
  readonly refreshToken: Secret | undefined;
  /** Wall clock. */
  readonly expiresAt: number;
}

/**
 * Sends the id token and refreshes it shortly before it expires, or when the server rejects it.
 *
 * Guarantees: one refresh at a time. New tokens are used even if they cannot be persisted, because issuers that rotate
 * refresh tokens do not issue them twice. Throws a `CredentialError` if issuer or client id is missing.
 */
export function oidcSource(config: OidcConfig, options: OidcSourceOptions): CredentialSource {
  const { clock, log, expirySkewMs = 10_000 } = options;
  checkConfig(config);
  const given = givenTokens(config);
  const subject = `the id token of ${config.issuerUrl}`;
  const tokens = new Renewal<Tokens>({
    clock,
    log,
    subject,
    ...definedOnly({ initial: given }),
    renew: (previous) => refresh(config, options, previous),
    freshness: ({ expiresAt }) => freshness(expiresAt, clock.now(), expirySkewMs),
    isSame: (a, b) => sameSecret(a.idToken, b.idToken),
  });
  return {
    header: async (wait) => (await tokens.get(wait)).header,
    refused: (header, wait) => tokens.replace((held) => sameSecret(held.header, header), wait),
  };
}

function checkConfig({ issuerUrl, clientId }: OidcConfig): void {
  if (issuerUrl === "" || clientId === "") {
    throw new CredentialError(
      "setup",
      `the oidc auth provider has no ${issuerUrl === "" ? "idp-issuer-url" : "client-id"}; add it to the kubeconfig`,
    );
  }
  if (!/^https?:\/\/[^/?#]/.test(issuerUrl))
    throw new CredentialError("setup", "the idp-issuer-url of the oidc auth provider is not an http or https URL");
}

/** Returns the tokens of the kubeconfig; undefined if there is no id token or it is not a JSON Web Token. */
function givenTokens({ idToken, refreshToken }: OidcConfig): Tokens | undefined {
  const expiresAt = idToken === undefined ? undefined : jwtExpiry(idToken);
  return idToken === undefined || expiresAt === undefined
    ? undefined
    : { idToken, header: bearerHeader(idToken, "the id token"), refreshToken, expiresAt };
}

function freshness(expiresAt: number, now: number, skewMs: number): Freshness {
  if (now + skewMs < expiresAt) return "fresh";
  return now < expiresAt ? "usable" : "expired";
}

async function refresh(config: OidcConfig, options: OidcSourceOptions, previous: Tokens | undefined): Promise<Tokens> {
  const { issuerUrl } = config;
  const refreshToken = previous?.refreshToken ?? config.refreshToken;
  if (refreshToken === undefined)
    throw new CredentialError(
      "unavailable",
      `${whyNoToken(config, previous?.expiresAt)}, and there is no refresh token to renew it; log in again`,
    );
  // Not canceled when all callers have left: an issuer that rotates refresh tokens has invalidated the old one by then.
  const granted = await refreshGrant({ ...config, refreshToken }, options);
  const expiresAt = jwtExpiry(granted.idToken);
  if (expiresAt === undefined)
    throw new CredentialError("malformed", `${issuerUrl} answered with an id token that is not a JSON Web Token`);
  await persist(config, granted, options.log);
  return {
    idToken: granted.idToken,
    header: bearerHeader(granted.idToken, `the id token of ${issuerUrl}`),
    refreshToken: granted.refreshToken ?? refreshToken,
    expiresAt,
  };
}

function whyNoToken({ issuerUrl, idToken }: OidcConfig, expiredAt: number | undefined): string {
  if (idToken === undefined) return `there is no id token for ${issuerUrl}`;
  if (expiredAt === undefined) return `the id token of ${issuerUrl} is not a JSON Web Token`;
  return Number.isFinite(expiredAt)
    ? `the id token of ${issuerUrl} expired at ${formatTime(expiredAt)}`
    : `the server rejected the id token of ${issuerUrl}`;
}

async function persist(
  { issuerUrl, persist: keep }: OidcConfig,
  { idToken, refreshToken }: { readonly idToken: Secret; readonly refreshToken?: Secret },
  log: Log,
): Promise<void> {
  try {
    await keep?.({ idToken, ...definedOnly({ refreshToken }) });
  } catch (error) {
    // Log only the name of an error that user code threw: that code had the tokens.
    log.warn("cannot persist refreshed tokens; the next start may need a new login", {
      issuer: issuerUrl,
      error: isFileError(error) ? error.message : errorName(error),
    });
  }
}
