/** Certificates: an authority, what it issues, and the cryptography it needs. On Node that is `nodeCrypto` of `@drover/machinery/node`. */
export { certificateAuthority, loadCertificateAuthority } from "./x509/certificate-authority.ts";
export type {
  CertificateAuthority,
  CertificateAuthorityOptions,
  IssuedCertificate,
  IssueOptions,
  LoadCertificateAuthorityOptions,
} from "./x509/certificate-authority.ts";
export { certificateRequestSubject } from "./x509/certificate-request.ts";
export type { CertificateFacts, CryptoHost, SigningKey } from "./x509/crypto-host.ts";
export { formatPem } from "./x509/pem.ts";
