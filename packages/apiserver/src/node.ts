/** The API server on Node: its host, its listener, and a certificate authority. */

export { certificateAuthority } from "./access/x509/certificate-authority.ts";
export type {
  CertificateAuthority,
  CertificateAuthorityOptions,
  IssuedCertificate,
  IssueOptions,
} from "./access/x509/certificate-authority.ts";
export { listen } from "./http/listener.ts";
export type { Listener } from "./http/listener.ts";
export type { ListenerTls, ListenOptions } from "./http/listen-options.ts";
export { nodeCrypto } from "./http/node-crypto.ts";
export { nodeHost } from "./http/node-host.ts";
