/** The issuer of service account tokens, for others who verify them: its metadata and its public keys, as OpenID Connect defines them. */
import type { HttpResponse } from "@drover/machinery";
import type { PublicKey } from "../access/token-signer.ts";
import { refusedByRoute } from "../negotiation/object-response.ts";
import type { PlainRequest } from "../plain-request.ts";

/** The issuer and its keys. */
export interface IssuerMetadata {
  readonly issuer: string;
  readonly publicKeys: () => readonly PublicKey[];
}

export interface IssuerResponseOptions {
  readonly tokens: IssuerMetadata;
  readonly serverAddress: string;
}

/** Both paths, for the list of paths. */
export const issuerPaths: readonly string[] = ["/.well-known/openid-configuration", "/openid/v1/jwks"];

/** Returns the response for a path without its query; undefined for other paths. */
export function issuerResponse(
  request: PlainRequest,
  path: string,
  { tokens, serverAddress }: IssuerResponseOptions,
): HttpResponse | undefined {
  if (!issuerPaths.includes(path)) return undefined;
  const isKeys = path === "/openid/v1/jwks";
  const type = isKeys ? "application/jwk-set+json" : "application/json";
  const refused = refusedByRoute(request, [type]);
  if (refused !== undefined) return refused;
  const value = isKeys
    ? { keys: tokens.publicKeys().map(webKey) }
    : {
        issuer: tokens.issuer,
        jwks_uri: `https://${serverAddress}/openid/v1/jwks`,
        response_types_supported: ["id_token"],
        subject_types_supported: ["public"],
        id_token_signing_alg_values_supported: [...new Set(tokens.publicKeys().map(({ algorithm }) => algorithm))].toSorted(),
      };
  return { status: 200, headers: { "content-type": type, "cache-control": "public, max-age=3600" }, body: JSON.stringify(value) };
}

const webKey = ({ keyId, algorithm, webKey: { kty, ...members } }: PublicKey): object => ({
  use: "sig",
  kty,
  kid: keyId,
  ...(members["crv"] === undefined ? {} : { crv: members["crv"] }),
  alg: algorithm,
  ...members,
});
