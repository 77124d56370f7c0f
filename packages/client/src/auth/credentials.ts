/**
 * From the credentials of a cluster access to the one source that stands behind its `authorization` header.
 *
 *     Credentials → credentialSource → staticTokenSource, tokenFileSource, basicSource, execSource, oidcSource
 */
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

/** What sources need from the outside world. */
export interface CredentialDeps {
  readonly host: Pick<Host, "readFile" | "run" | "isInteractive">;
  readonly clock: Clock;
  readonly log: Log;
  /** Judges the certificates of credential plugins. */
  readonly isPair: PairCheck;
  /** Reaches the issuers of oidc tokens. */
  readonly transportTo: TransportTo;
  /** How token files are read. @default as `tokenFileSource` does without options */
  readonly tokenFile?: Pick<TokenFileSourceOptions, "rereadMs">;
  /** How credential plugins are run, and which may be. @default as `execSource` does without options */
  readonly exec?: Pick<ExecSourceOptions, "timeoutMs" | "expirySkewMs" | "allow">;
  /** How issuers are asked. @default as `oidcSource` does without options */
  readonly oidc?: Pick<OidcSourceOptions, "timeoutMs" | "expirySkewMs">;
}

/**
 * The source that sends these credentials. As with kubectl, a token or a user name keeps a credential plugin and an oidc provider from
 * being asked, and a client certificate keeps a plugin from being run; such a source is logged as left out.
 *
 * Throws a `CredentialError` for what cannot stand together: basic with a token, exec with oidc; and for a token that
 * cannot stand in a header.
 */
export function credentialSource(credentials: Credentials, deps: CredentialDeps): CredentialSource {
  const { token, tokenFile: path, basic: login, exec: program, oidc: provider, clientCertificate } = credentials;
  const { log } = deps;
  if (login !== undefined && (token !== undefined || path !== undefined)) throw impossible("a user name with a password and a token");
  if (program !== undefined && provider !== undefined) throw impossible("a credential plugin (exec) and an oidc auth provider");
  const leftOut = (what: string, because: string): void =>
    log.info("a way to have credentials is not used, because another one is given", { unused: what, used: because });
  const given = path !== undefined || token !== undefined ? "token" : login === undefined ? undefined : "basic";
  if (program !== undefined && (given ?? clientCertificate) !== undefined) leftOut("exec", given ?? "client certificate");
  if (provider !== undefined && given !== undefined) leftOut("oidc", given);

  if (path !== undefined) return tokenFileSource(path, { ...deps, ...deps.tokenFile, ...(token === undefined ? {} : { fallback: token }) });
  if (token !== undefined) return staticTokenSource(token);
  if (login !== undefined) return basicSource(login);
  if (program !== undefined && clientCertificate === undefined) return execSource(program, { ...deps, ...deps.exec });
  if (provider !== undefined) return oidcSource(provider, { ...deps, ...deps.oidc });
  return noCredential;
}

function impossible(both: string): CredentialError {
  return new CredentialError("setup", `${both} are given, and a request carries only one; remove one of them`);
}
