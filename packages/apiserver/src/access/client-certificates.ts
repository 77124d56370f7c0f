/** Authenticates client certificates: the common name is the user, the organizations are the groups. */
import { noCredential } from "./authenticator.ts";
import type { Authenticator } from "./authenticator.ts";

/** Trusts a certificate that the listener verified, and refuses one that failed verification. */
export const clientCertificates: Authenticator = ({ peer: { certificate, certificateProblem } }) => {
  if (certificateProblem !== undefined) return Promise.resolve({ kind: "refused", reason: certificateProblem });
  if (certificate === undefined || certificate.commonName === "") return Promise.resolve(noCredential);
  const { commonName, organizations, sha256 } = certificate;
  return Promise.resolve({
    kind: "user",
    user: { name: commonName, groups: organizations, extra: { "authentication.kubernetes.io/credential-id": [`X509SHA256=${sha256}`] } },
  });
};
