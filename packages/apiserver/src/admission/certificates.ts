/**
 * CertificateApproval and CertificateSigning: who approves or signs a request needs the verb on its signer. CertificateSubjectRestriction:
 * no certificates of administrators from the API server's own signer.
 */
import { CertificateSigningRequest } from "@drover/api/certificates/v1";
import { errorText, quoteGo, semanticEqual } from "@drover/machinery";
import type { Authorizer } from "../access/authorizer.ts";
import { mastersGroup } from "../access/system-names.ts";
import type { User } from "../access/user.ts";
import { certificateRequestSubject } from "@drover/machinery/x509";
import { decodeBinary } from "../builtin/strategies/core/binary-data.ts";
import { typedObject } from "../typed-object.ts";
import type { AdmissionPlugin, AdmissionRequest } from "./admission.ts";
import { refusal } from "./refusal.ts";

const clientSigner = "kubernetes.io/kube-apiserver-client";

const isRequest = ({ resource: { kind } }: AdmissionRequest): boolean =>
  kind.plural === "certificatesigningrequests" && kind.group === "certificates.k8s.io";

export function certificateApproval(authorizer: Authorizer): AdmissionPlugin {
  return {
    name: "CertificateApproval",
    validate: (request) => {
      if (!isRequest(request) || request.subresource !== "approval" || request.operation !== "UPDATE") return undefined;
      return checkSigner(authorizer, request, "approve");
    },
  };
}

export function certificateSigning(authorizer: Authorizer): AdmissionPlugin {
  return {
    name: "CertificateSigning",
    validate: (request) => {
      const { subresource, operation, object, old } = request;
      if (!isRequest(request) || subresource !== "status" || operation !== "UPDATE") return undefined;
      if (object === undefined || old === undefined) return undefined;
      const [now, before] = [typedObject(CertificateSigningRequest, object).status, typedObject(CertificateSigningRequest, old).status];
      const isUnchanged =
        (now?.certificate ?? "") === (before?.certificate ?? "") && semanticEqual(now?.conditions ?? [], before?.conditions ?? []);
      return isUnchanged ? undefined : checkSigner(authorizer, request, "sign");
    },
  };
}

async function checkSigner(authorizer: Authorizer, request: AdmissionRequest, verb: "approve" | "sign"): Promise<void> {
  const { signerName } = typedObject(CertificateSigningRequest, request.old ?? {}).spec;
  if (!(await mayUseSigner(authorizer, request.user, verb, signerName)))
    throw refusal(request, `user not permitted to ${verb} requests with signerName ${quoteGo(signerName)}`);
}

/** Whether the user may do this with the signer, or with all signers of its domain. */
async function mayUseSigner(authorizer: Authorizer, user: User, verb: string, signerName: string): Promise<boolean> {
  const [domain = ""] = signerName.split("/");
  for (const name of [signerName, `${domain}/*`]) {
    const { decision } = await authorizer.authorize({
      user,
      verb,
      isResourceRequest: true,
      path: "",
      group: "certificates.k8s.io",
      version: "*",
      resource: "signers",
      subresource: "",
      namespace: "",
      name,
    });
    if (decision === "allow") return true;
  }
  return false;
}

export const certificateSubjectRestriction: AdmissionPlugin = {
  name: "CertificateSubjectRestriction",
  validate: (request) => {
    const { subresource, operation, object } = request;
    if (!isRequest(request) || subresource !== "" || operation !== "CREATE" || object === undefined) return;
    const { spec } = typedObject(CertificateSigningRequest, object);
    if (spec.signerName !== clientSigner) return;
    if (subjectOf(request, spec.request, "failed to parse CSR").organizations.includes(mastersGroup))
      throw refusal(request, `use of ${clientSigner} signer with ${mastersGroup} group is not allowed`);
  },
};

/** Returns the subject of a base64-encoded request. Throws a 403 that begins with `problem` if it cannot be read. */
export function subjectOf(request: AdmissionRequest, base64: string, problem: string): ReturnType<typeof certificateRequestSubject> {
  try {
    return certificateRequestSubject(new TextDecoder().decode(decodeBinary(base64)));
  } catch (error) {
    throw refusal(request, `${problem}: ${errorText(error)}`);
  }
}
