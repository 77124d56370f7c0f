/**
 * What connections are made with, now: authorities, client certificate and key, from wherever they come.
 *
 *     Trust, Credentials, exec's certificate → tlsSource → TlsSettings → connections
 */
import { CredentialError } from "../auth/credential-error.ts";
import type { CredentialSource } from "../auth/credential-source.ts";
import { watchedCertificates, watchedPair } from "../auth/pem-file.ts";
import type { KeyPair, PemFileOptions, Versioned } from "../auth/pem-file.ts";
import type { PairCheck } from "../encoding/pem.ts";
import type { ClusterAccess } from "../kubeconfig/cluster-access.ts";
import type { TlsSettings, TlsSource } from "./tls-settings.ts";

export interface TlsSourceDeps extends PemFileOptions {
  readonly isPair: PairCheck;
}

/**
 * Puts together what a connection needs.
 *
 * Guarantees: files are read when a connection is first wanted and looked at again at most every `rereadMs`; a change that makes sense
 * gives a new generation, anything else leaves the old settings in place; as long as nothing changes the same object is handed out.
 * Settings that were refused have the files looked at at once, once for all who ask at the same time. A
 * certificate from the credential source is asked for only when no other is given.
 * Throws a `CredentialError` when nobody and somebody is to be believed at once.
 */
export function tlsSource(
  { trust, credentials }: Pick<ClusterAccess, "trust" | "credentials">,
  source: CredentialSource,
  deps: TlsSourceDeps,
): TlsSource {
  const { ca, serverName, insecure = false } = trust;
  if (insecure && ca !== undefined) {
    throw new CredentialError(
      "setup",
      "a certificate authority is given and verification is switched off (insecure-skip-tls-verify); remove one of the two",
    );
  }
  const authorities = ca === undefined ? undefined : watchedCertificates(ca, deps);
  const ownPair = credentials.clientCertificate === undefined ? issuedPair(source) : watchedPair(credentials.clientCertificate, deps);
  let last: { readonly parts: Parts; readonly settings: TlsSettings } | undefined;
  return async ({ refused } = {}) => {
    const useless = last !== undefined && refused?.generation === last.settings.generation ? last.parts : undefined;
    // Calls that overlap wait for the same attempts and go on in their order, so old parts never come after new ones.
    const [authority, pair] = await Promise.all([authorities?.({ refused: useless?.authority }), ownPair({ refused: useless?.pair })]);
    const parts: Parts = { authority: authority?.generation, pair: pair?.generation };
    if (last !== undefined && last.parts.authority === parts.authority && last.parts.pair === parts.pair) return last.settings;
    const settings: TlsSettings = {
      generation: (last?.settings.generation ?? 0) + 1,
      insecure,
      ...(serverName === undefined ? {} : { serverName }),
      ...(authority === undefined ? {} : { ca: authority.value }),
      ...(pair === undefined ? {} : pair.value),
    };
    last = { parts, settings };
    return settings;
  };
}

interface Parts {
  readonly authority: number | undefined;
  readonly pair: number | undefined;
}

/** The certificate that comes with the credential, which the source must have before it can say whether there is one. */
function issuedPair(
  source: CredentialSource,
): (options: { readonly refused?: number | undefined }) => Promise<Versioned<KeyPair> | undefined> {
  const certificate = source.certificate?.bind(source);
  if (certificate === undefined) return () => Promise.resolve(undefined);
  return async () => {
    await source.header({});
    const issued = certificate();
    return issued === undefined
      ? undefined
      : { generation: issued.generation, value: { certificate: issued.certificate, key: issued.key } };
  };
}
