/** CertificateSigningRequest: signer, requestor and condition. */
import type { CertificateSigningRequest } from "@drover/api/certificates/v1";
import type { TablePrinter } from "../../registry/table-printer.ts";
import { ageOf, elapsed } from "../age.ts";
import { ageColumn, column, nameColumn } from "../columns.ts";
import { printer } from "../printer.ts";

export const certificateSigningRequestPrinter: TablePrinter = printer<CertificateSigningRequest>(
  [
    nameColumn,
    ageColumn,
    column("SignerName", "Who is asked to sign."),
    column("Requestor", "Who asks."),
    column("RequestedDuration", "How long the certificate should be valid."),
    column("Condition", "What has been decided."),
  ],
  (request, now) => {
    const {
      metadata: { name = "", creationTimestamp },
      spec: { signerName, username = "", expirationSeconds },
    } = request;
    const duration = expirationSeconds === undefined ? "<none>" : elapsed(0, expirationSeconds * 1000);
    return [name, ageOf(creationTimestamp, now), signerName || "<none>", username, duration, statesOf(request).join(",")];
  },
);

/** Denied outweighs Approved. */
function statesOf({ status }: CertificateSigningRequest): string[] {
  const has = (wanted: string): boolean => status?.conditions?.some(({ type }) => type === wanted) ?? false;
  return [
    has("Denied") ? "Denied" : has("Approved") ? "Approved" : "Pending",
    ...(has("Failed") ? ["Failed"] : []),
    ...(status?.certificate ? ["Issued"] : []),
  ];
}
