/**
 * Provides the current TLS settings: authorities, client certificate and key, from any source.
 *
 *     Trust, Credentials, exec's certificate → tlsSource → TlsSettings → connections
 */
import { definedOnly } from "@drover/machinery";
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
 * Returns a source of TLS settings.
 *
 * Guarantees: files are read on the first connection and reread at most every `rereadMs`; a valid change gives a new
 * generation, anything else keeps the old settings; unchanged settings are the same object. Rejected settings cause an
 * immediate reread, shared by concurrent calls. The certificate of the credential source is requested only if no other is
 * configured. Throws a `CredentialError` for a certificate authority together with `insecure`.
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
      "a certificate authority is set and verification is disabled (insecure-skip-tls-verify); remove one of the two",
    );
  }
  const authorities = ca === undefined ? undefined : watchedCertificates(ca, deps);
  const filePair = credentials.clientCertificate === undefined ? undefined : watchedPair(credentials.clientCertificate, deps);
  const ownPair = filePair ?? issuedPair(source);
  let last: { readonly parts: Parts; readonly settings: TlsSettings } | undefined;
  const fresh = (): TlsSettings | undefined => {
    if (last === undefined || (authorities !== undefined && authorities.fresh()?.generation !== last.parts.authority)) return undefined;
    const isPairFresh = filePair === undefined ? source.certificate === undefined : filePair.fresh()?.generation === last.parts.pair;
    return isPairFresh ? last.settings : undefined;
  };
  const get: TlsSource = async ({ refused } = {}) => {
    const useless = last !== undefined && refused?.generation === last.settings.generation ? last.parts : undefined;
    // Overlapping calls wait for the same attempts and continue in order, so old parts never follow new ones.
    const [authority, pair] = await Promise.all([authorities?.({ refused: useless?.authority }), ownPair({ refused: useless?.pair })]);
    const parts: Parts = { authority: authority?.generation, pair: pair?.generation };
    if (last !== undefined && last.parts.authority === parts.authority && last.parts.pair === parts.pair) return last.settings;
    const settings: TlsSettings = {
      generation: (last?.settings.generation ?? 0) + 1,
      insecure,
      ...definedOnly({ serverName, ca: authority?.value }),
      ...pair?.value,
    };
    last = { parts, settings };
    return settings;
  };
  return Object.assign(get, { fresh });
}

interface Parts {
  readonly authority: number | undefined;
  readonly pair: number | undefined;
}

/** The certificate of the credential; the source must have the credential before it knows whether there is one. */
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
