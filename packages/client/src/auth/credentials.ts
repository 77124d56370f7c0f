/**
 * Chooses the source of the `authorization` header from the credentials of a cluster access.
 *
 *     Credentials → credentialSource → staticTokenSource, tokenFileSource, basicSource, execSource, oidcSource
 */
import { definedOnly } from "@drover/machinery";
import type { Clock, Log } from "@drover/machinery";
import type { Host } from "../host.ts";
import type { Credentials } from "../kubeconfig/cluster-access.ts";
import { basicSource } from "./basic.ts";
import { CredentialError } from "./credential-error.ts";
import { noCredential } from "./credential-source.ts";
import type { CredentialSource } from "./credential-source.ts";
import { execSource } from "./exec.ts";
import type { ExecSourceOptions } from "./exec.ts";
import { oidcSource } from "./oidc.ts";
import type { OidcSourceOptions } from "./oidc.ts";
import type { PairCheck } from "../encoding/pem.ts";
import { staticTokenSource } from "./static-token.ts";
import { tokenFileSource } from "./token-file.ts";
import type { TokenFileSourceOptions } from "./token-file.ts";
import type { TransportTo } from "./transport-to.ts";

/** Dependencies of credential sources. */
export interface CredentialDeps {
  readonly host: Pick<Host, "readFile" | "run" | "isInteractive">;
  readonly clock: Clock;
  readonly log: Log;
  /** Checks that certificate and key of a credential plugin match. */
  readonly isPair: PairCheck;
  /** Connects to the issuers of OIDC tokens. */
  readonly transportTo: TransportTo;
  /** Options for token files. @default those of `tokenFileSource` */
  readonly tokenFile?: Pick<TokenFileSourceOptions, "rereadMs">;
  /** Options for credential plugins, and which may run. @default those of `execSource` */
  readonly exec?: Pick<ExecSourceOptions, "timeoutMs" | "expirySkewMs" | "allow">;
  /** Options for OIDC issuers. @default those of `oidcSource` */
  readonly oidc?: Pick<OidcSourceOptions, "timeoutMs" | "expirySkewMs">;
}

/**
 * Returns the source that sends these credentials. As in kubectl, a token or user name takes precedence over a credential
 * plugin and an OIDC provider, and a client certificate takes precedence over a plugin; the ignored source is logged.
 *
 * Throws a `CredentialError` for credentials that exclude each other (basic with a token, exec with OIDC) and for a token
 * that a header cannot contain.
 */
export function credentialSource(credentials: Credentials, deps: CredentialDeps): CredentialSource {
  const { token, tokenFile: path, basic: login, exec: program, oidc: provider, clientCertificate } = credentials;
  const { log } = deps;
  if (login !== undefined && (token !== undefined || path !== undefined)) throw impossible("a user name with a password and a token");
  if (program !== undefined && provider !== undefined) throw impossible("a credential plugin (exec) and an oidc auth provider");
  const leftOut = (what: string, because: string): void =>
    log.info("ignoring a source of credentials, because another one takes precedence", { unused: what, used: because });
  const given = path !== undefined || token !== undefined ? "token" : login === undefined ? undefined : "basic";
  if (program !== undefined && (given ?? clientCertificate) !== undefined) leftOut("exec", given ?? "client certificate");
  if (provider !== undefined && given !== undefined) leftOut("oidc", given);

  if (path !== undefined) return tokenFileSource(path, { ...deps, ...deps.tokenFile, ...definedOnly({ fallback: token }) });
  if (token !== undefined) return staticTokenSource(token);
  if (login !== undefined) return basicSource(login);
  if (program !== undefined && clientCertificate === undefined) return execSource(program, { ...deps, ...deps.exec });
  if (provider !== undefined) return oidcSource(provider, { ...deps, ...deps.oidc });
  return noCredential;
}

function impossible(both: string): CredentialError {
  return new CredentialError("setup", `${both} are configured, and a request carries only one; remove one of them`);
}
