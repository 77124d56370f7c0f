/** The strategy of APIService: a group version, served locally or by another server. */
import type { APIService } from "@drover/api/apiregistration/v1";
import { checkDns1035Label, checkPortNumber, fieldInvalid, fieldRequired, formatTime } from "@drover/machinery";
import type { DeepReadonly, FieldError } from "@drover/machinery";
import type { Strategy } from "../../../registry/strategy.ts";
import { problemsOf, validateSubdomain } from "../checked-field.ts";
import { binaryLength } from "../core/binary-data.ts";
import { unsupportedName } from "../named-text.ts";

/** The strategy of APIService. */
export const apiServiceStrategy: Strategy<APIService> = {
  prepareForCreate: (service, { now }) => {
    service.status = {};
    if (service.spec?.service !== undefined) return;
    service.status.conditions = [
      {
        type: "Available",
        status: "True",
        lastTransitionTime: formatTime(now),
        reason: "Local",
        message: "Local APIServices are always available",
      },
    ];
  },
  validate: validateApiService,
  validateUpdate: (service) => validateApiService(service),
  subresources: { status: { validateUpdate: validateStatus } },
};

function validateApiService({ metadata, spec }: DeepReadonly<APIService>): FieldError[] {
  const { group = "", version = "", groupPriorityMinimum = 0, versionPriority = 0 } = spec ?? {};
  const name = `${version}.${group}`;
  return [
    ...((metadata.name ?? "") === name
      ? []
      : [fieldInvalid("metadata.name", metadata.name ?? "", `must be \`spec.version+"."+spec.group\`: "${name}"`)]),
    ...(group === "" && version !== "v1"
      ? [fieldRequired("spec.group", "only v1 may have an empty group and it better be legacy kube")]
      : []),
    ...(group === "" ? [] : validateSubdomain(group, "spec.group")),
    ...problemsOf("spec.version", version, checkDns1035Label(version)),
    ...(groupPriorityMinimum <= 0 || groupPriorityMinimum > 20000
      ? [fieldInvalid("spec.groupPriorityMinimum", groupPriorityMinimum, "must be positive and less than 20000")]
      : []),
    ...(versionPriority <= 0 || versionPriority > 1000
      ? [fieldInvalid("spec.versionPriority", versionPriority, "must be positive and less than 1000")]
      : []),
    ...validateServer(spec),
  ];
}

function validateServer(spec: DeepReadonly<APIService>["spec"]): FieldError[] {
  const { service, caBundle = "", insecureSkipTLSVerify = false } = spec ?? {};
  const insecure = (detail: string): FieldError[] =>
    insecureSkipTLSVerify ? [fieldInvalid("spec.insecureSkipTLSVerify", true, detail)] : [];
  if (service === undefined) {
    return [
      ...(caBundle === ""
        ? []
        : [fieldInvalid("spec.caBundle", `${binaryLength(caBundle)} bytes`, "local APIServices may not have a caBundle")]),
      ...insecure("local APIServices may not have insecureSkipTLSVerify"),
    ];
  }
  const { name = "", namespace = "", port = 443 } = service;
  const problems = checkPortNumber(port);
  return [
    ...(namespace === "" ? [fieldRequired("spec.service.namespace")] : []),
    ...(name === "" ? [fieldRequired("spec.service.name")] : []),
    ...(problems.length === 0 ? [] : [fieldInvalid("spec.service.port", port, `port is not valid: ${problems.join(", ")}`)]),
    ...(caBundle === "" ? [] : insecure("may not be true if caBundle is present")),
  ];
}

function validateStatus({ status }: DeepReadonly<APIService>): FieldError[] {
  const statuses = ["True", "False", "Unknown"];
  return (status?.conditions ?? []).flatMap((condition, index) =>
    statuses.includes(condition.status) ? [] : [unsupportedName(`status.conditions[${index}].status`, condition.status, statuses)],
  );
}
