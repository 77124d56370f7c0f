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
    column("SignerName", "The signer."),
    column("Requestor", "The user who requested the certificate."),
    column("RequestedDuration", "The requested validity of the certificate."),
    column("Condition", "The state of the request."),
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
