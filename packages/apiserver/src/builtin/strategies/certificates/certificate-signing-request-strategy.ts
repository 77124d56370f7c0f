/**
 * The strategy of CertificateSigningRequest: the server records the requestor, the spec is immutable, and two subresources
 * follow:
 *
 *     …/approval: conditions Approved or Denied → …/status: the certificate
 *
 * Of the request only the PEM block is checked, not its content or signature.
 */
import type { CertificateSigningRequest, CertificateSigningRequestCondition } from "@drover/api/certificates/v1";
import {
  byteLength,
  checkDns1123Label,
  checkDns1123Subdomain,
  deepCopy,
  fieldForbidden,
  fieldInvalid,
  fieldRequired,
  fieldTooLong,
  formatTime,
  quoteGo,
  semanticEqual,
} from "@drover/machinery";
import type { DeepReadonly, FieldError, FieldPath } from "@drover/machinery";
import type { Strategy, StrategyContext } from "../../../registry/strategy.ts";
import { duplicateName, invalidName, unsupportedName } from "../named-text.ts";
import { decodeBinary } from "../core/binary-data.ts";
import { repeatsIn } from "../repeats.ts";

type Request = DeepReadonly<CertificateSigningRequest>;

const usages: readonly string[] = [
  "any",
  "cert sign",
  "client auth",
  "code signing",
  "content commitment",
  "crl sign",
  "data encipherment",
  "decipher only",
  "digital signature",
  "email protection",
  "encipher only",
  "ipsec end system",
  "ipsec tunnel",
  "ipsec user",
  "key agreement",
  "key encipherment",
  "microsoft sgc",
  "netscape sgc",
  "ocsp signing",
  "s/mime",
  "server auth",
  "signing",
  "timestamping",
];

/** The strategy of CertificateSigningRequest. */
export const certificateSigningRequestStrategy: Strategy<CertificateSigningRequest> = {
  prepareForCreate: (request, { user }) => {
    const { username: _name, uid: _uid, groups: _groups, extra: _extra, ...spec } = request.spec;
    request.spec = {
      ...spec,
      ...(user.name === "" ? {} : { username: user.name }),
      ...(user.uid === undefined || user.uid === "" ? {} : { uid: user.uid }),
      ...(user.groups.length === 0 ? {} : { groups: [...user.groups] }),
      ...(user.extra === undefined || Object.keys(user.extra).length === 0 ? {} : { extra: deepCopy(user.extra) }),
    };
    request.status = {};
  },
  validate: (request) => validateRequest(request),
  prepareForUpdate: (request, old) => keep(request, old),
  validateUpdate: (request, old) => validateRequestUpdate(request, old, {}),
  subresources: {
    status: {
      prepareForUpdate: (request, old, context) => {
        const conditions = request.status?.conditions ?? [];
        for (const type of ["Approved", "Denied"]) keepConditions(conditions, old, type);
        fillTimes(conditions, old, context);
      },
      validateUpdate: (request, old) => validateRequestUpdate(request, old, { setsCertificate: true }),
    },
    approval: {
      prepareForUpdate: (request, old, context) => {
        const conditions = request.status?.conditions ?? [];
        fillTimes(conditions, old, context);
        keep(request, old);
        request.status = { ...request.status, ...(conditions.length === 0 ? {} : { conditions }) };
        if (conditions.length === 0) delete request.status.conditions;
      },
      validateUpdate: (request, old) => validateRequestUpdate(request, old, { approves: true }),
    },
  },
};

function keep(request: CertificateSigningRequest, old: Request): void {
  request.spec = deepCopy(old.spec);
  request.status = deepCopy(old.status ?? {});
}

function keepConditions(conditions: CertificateSigningRequestCondition[], old: Request, type: string): void {
  const before = (old.status?.conditions ?? []).filter((condition) => condition.type === type);
  const places = conditions.flatMap((condition, index) => (condition.type === type ? [index] : []));
  if (before.length !== places.length) return;
  places.forEach((place, index) => {
    const condition = before[index];
    if (condition !== undefined) conditions[place] = { ...condition };
  });
}

function fillTimes(conditions: CertificateSigningRequestCondition[], old: Request, { now }: StrategyContext): void {
  for (const condition of conditions) {
    condition.lastUpdateTime ??= formatTime(now);
    const before = (old.status?.conditions ?? []).find(
      ({ type, status, lastTransitionTime }) => type === condition.type && status === condition.status && lastTransitionTime !== undefined,
    );
    condition.lastTransitionTime ??= before?.lastTransitionTime ?? formatTime(now);
  }
}

const legacySigner = "kubernetes.io/legacy-unknown";

function validateRequest(request: Request, old?: Request): FieldError[] {
  const { spec } = request;
  const asked = spec.usages ?? [];
  const [hadUnknown, hadTwice] = [(old?.spec.usages ?? []).some((usage) => !usages.includes(usage)), hasDuplicates(old?.spec.usages ?? [])];
  const { expirationSeconds } = spec;
  return [
    ...(isPem(spec.request, "CERTIFICATE REQUEST")
      ? []
      : [fieldInvalid("spec.request", spec.request, "PEM block type must be CERTIFICATE REQUEST")]),
    ...(asked.length === 0 ? [fieldRequired("spec.usages")] : []),
    ...(hadUnknown
      ? []
      : asked.flatMap((usage, index) => (usages.includes(usage) ? [] : [unsupportedName(`spec.usages[${index}]`, usage, usages)]))),
    ...(hadTwice ? [] : [...repeatsIn(asked)].map((index) => duplicateName(`spec.usages[${index}]`, asked[index] ?? ""))),
    ...(spec.signerName === legacySigner && old?.spec.signerName !== legacySigner
      ? [fieldInvalid("spec.signerName", spec.signerName, "the legacy signerName is not allowed via this API version")]
      : validateSignerName(spec.signerName, "spec.signerName")),
    ...(expirationSeconds !== undefined && expirationSeconds < 600
      ? [fieldInvalid("spec.expirationSeconds", expirationSeconds, "may not specify a duration less than 600 seconds (10 minutes)")]
      : []),
    ...validateConditions(request, old),
    ...validateCertificate(request, old),
  ];
}

const hasDuplicates = (texts: readonly string[]): boolean => new Set(texts).size < texts.length;

function pemTypes(base64: string): string[] {
  const text = new TextDecoder().decode(decodeBinary(base64));
  return [...text.matchAll(/^-----BEGIN ([^\r\n]+?)-----[ \t]*\r?\n[A-Za-z0-9+/=\s]+?-----END \1-----/gm)].map(([, type = ""]) => type);
}

function isPem(base64: string, type: string): boolean {
  return pemTypes(base64)[0] === type;
}

/** A domain and a path: `example.com/signer-name`. */
function validateSignerName(name: string, path: FieldPath): FieldError[] {
  if (name === "") return [fieldRequired(path)];
  const [domain = "", place = "", ...more] = name.split("/");
  if (!name.includes("/") || more.length > 0)
    return [fieldInvalid(path, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'")];
  const firstWrong = (whole: string, check: (label: string) => string[]): FieldError[] => {
    const label = whole.split(".").find((part) => check(part).length > 0);
    return label === undefined
      ? []
      : check(label).map((problem) => fieldInvalid(path, whole, `validating label ${quoteGo(label)}: ${problem}`));
  };
  const longest = 253 * 2 + 1 + 63;
  return [
    ...(byteLength(domain) > 253 ? [fieldTooLong(path, 253)] : []),
    ...firstWrong(domain, checkDns1123Label),
    ...(domain.includes(".") ? [] : [fieldInvalid(path, domain, "should be a domain with at least two segments separated by dots")]),
    ...firstWrong(place, checkDns1123Subdomain),
    ...(byteLength(name) > longest ? [fieldTooLong(path, longest)] : []),
  ];
}

function validateConditions({ status }: Request, old?: Request): FieldError[] {
  const path = "status.conditions";
  const conditions = status?.conditions ?? [];
  const before = (old?.status?.conditions ?? []).map(({ type }) => type);
  const hadBoth = before.includes("Approved") && before.includes("Denied");
  const hadDuplicates = hasDuplicates(before);
  const earlier = new Set<string>();
  return conditions.flatMap(({ type, status: value }, index) => {
    const errors = type === "" && !before.includes("") ? [fieldRequired(`${path}[${index}].type`)] : [];
    const values = ["Approved", "Denied", "Failed"].includes(type) ? ["True"] : ["False", "True", "Unknown"];
    if (value === "") errors.push(fieldRequired(`${path}[${index}].status`));
    else if (!values.includes(value)) errors.push(unsupportedName(`${path}[${index}].status`, value, values));
    const opposite = type === "Approved" ? "Denied" : type === "Denied" ? "Approved" : undefined;
    if (!hadBoth && opposite !== undefined && earlier.has(opposite))
      errors.push(invalidName(path, type, "Approved and Denied conditions are mutually exclusive"));
    if (!hadDuplicates && earlier.has(type)) errors.push(duplicateName(`${path}[${index}].type`, type));
    earlier.add(type);
    return errors;
  });
}

function validateCertificate({ status }: Request, old?: Request): FieldError[] {
  const certificate = status?.certificate ?? "";
  if (certificate === "" || certificate === old?.status?.certificate) return [];
  const types = pemTypes(certificate);
  const other = types.find((type) => type !== "CERTIFICATE");
  const problem =
    types.length === 0
      ? "must contain at least one CERTIFICATE PEM block"
      : other === undefined
        ? undefined
        : `only CERTIFICATE PEM blocks are allowed, found ${quoteGo(other)}`;
  return problem === undefined ? [] : [fieldInvalid("status.certificate", "<certificate data>", problem)];
}

interface Permissions {
  readonly approves?: boolean;
  readonly setsCertificate?: boolean;
}

function validateRequestUpdate(request: Request, old: Request, { approves = false, setsCertificate = false }: Permissions): FieldError[] {
  const errors = validateRequest(request, old);
  const ofType = ({ status }: Request, type: string): readonly DeepReadonly<CertificateSigningRequestCondition>[] =>
    (status?.conditions ?? []).filter((condition) => condition.type === type);
  const forbid = (verb: string, type: string): void =>
    void errors.push(fieldForbidden("status.conditions", `updates may not ${verb} a condition of type ${quoteGo(type)}`));
  for (const type of ["Approved", "Denied", "Failed"]) if (ofType(request, type).length < ofType(old, type).length) forbid("remove", type);
  for (const type of approves ? [] : ["Approved", "Denied"]) {
    const [now, before] = [ofType(request, type), ofType(old, type)];
    if (now.length > before.length) forbid("add", type);
    else if (now.length === before.length && !semanticEqual(now, before)) forbid("modify", type);
  }
  const [certificate, before] = [request.status?.certificate ?? "", old.status?.certificate ?? ""];
  if (certificate === before) return errors;
  if (!setsCertificate) return [...errors, fieldForbidden("status.certificate", "updates may not set certificate content")];
  return before === "" ? errors : [...errors, fieldForbidden("status.certificate", "updates may not modify existing certificate content")];
}
