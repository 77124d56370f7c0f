/**
 * The page about a failed connection.
 *
 *     reason "tls", "CERT_HAS_EXPIRED" → transportCode → "DRV0315"
 */
import type { ProblemCode } from "@drover/machinery/codes";

const byReason: ReadonlyMap<string, ProblemCode> = new Map([
  ["refused", "DRV0310"],
  ["unreachable", "DRV0311"],
  ["dns", "DRV0312"],
  ["timeout", "DRV0313"],
  ["tls", "DRV0314"],
  ["proxy", "DRV0319"],
  ["garbage", "DRV0320"],
  ["reset", "DRV0321"],
]);

/** Failures of the handshake with a cause of their own, by the codes of the TLS library; all others are DRV0314. */
const byTlsCode: ReadonlyMap<string, ProblemCode> = new Map([
  ...each("DRV0315", ["CERT_HAS_EXPIRED", "CERT_NOT_YET_VALID"]),
  ...each("DRV0316", ["ERR_TLS_CERT_ALTNAME_INVALID"]),
  ...each("DRV0317", ["ERR_SSL_WRONG_VERSION_NUMBER"]),
  ...each("DRV0318", [
    "ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED",
    "ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE",
    "ERR_SSL_TLSV1_ALERT_UNKNOWN_CA",
    "ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED",
  ]),
]);

/** Returns the code of a failed connection; undefined for failures that their message explains. */
export function transportCode(reason: string, code: string | undefined): ProblemCode | undefined {
  // The same problem for a reader: the connection ended too early.
  const known = byReason.get(reason === "aborted-by-peer" ? "reset" : reason);
  return reason === "tls" ? (byTlsCode.get(code ?? "") ?? known) : known;
}

function each(code: ProblemCode, names: readonly string[]): readonly (readonly [string, ProblemCode])[] {
  return names.map((name) => [name, code] as const);
}
