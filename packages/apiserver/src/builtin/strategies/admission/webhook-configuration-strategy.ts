/** The strategies of ValidatingWebhookConfiguration and MutatingWebhookConfiguration. CEL expressions are not compiled here. */
import type {
  MutatingWebhook,
  MutatingWebhookConfiguration,
  ServiceReference,
  ValidatingWebhook,
  ValidatingWebhookConfiguration,
} from "@drover/api/admissionregistration/v1";
import {
  checkDns1035Label,
  checkDns1123Subdomain,
  checkPortNumber,
  fieldDuplicate,
  fieldInvalid,
  fieldRequired,
  validateFullyQualifiedName,
  validateLabelSelector,
} from "@drover/machinery";
import type { DeepReadonly, FieldError, FieldPath, LabelSelectorRules } from "@drover/machinery";
import type { Strategy } from "../../../registry/strategy.ts";
import { problemsOf, validateOptionalChoice } from "../checked-field.ts";
import { unsupportedName } from "../named-text.ts";
import { validateAdmissionRule } from "./admission-rule.ts";
import { validateMatchConditions } from "./match-condition.ts";
import { repeatsIn } from "../repeats.ts";

type Webhook = DeepReadonly<ValidatingWebhook & Pick<MutatingWebhook, "reinvocationPolicy">>;
type Configuration = { readonly webhooks?: readonly Webhook[] };

/** The strategy of ValidatingWebhookConfiguration. */
export const validatingWebhookConfigurationStrategy: Strategy<ValidatingWebhookConfiguration> = {
  validate: (object) => validateWebhooks(object),
  validateUpdate: validateWebhooks,
};

/** The strategy of MutatingWebhookConfiguration. */
export const mutatingWebhookConfigurationStrategy: Strategy<MutatingWebhookConfiguration> = {
  validate: (object) => validateWebhooks(object),
  validateUpdate: validateWebhooks,
};

/** Invalid values that an update may keep: side effects, unknown review versions, duplicate names. */
interface Allowances extends LabelSelectorRules {
  readonly sideEffects: boolean;
  readonly unknownVersions: boolean;
  readonly sameNames: boolean;
}

const reviewVersions: readonly string[] = ["v1", "v1beta1"];
const quietEffects: readonly string[] = ["None", "NoneOnDryRun"];

function validateWebhooks(object: Configuration, old?: Configuration): FieldError[] {
  const hooks = object.webhooks ?? [];
  const before = old?.webhooks ?? [];
  const names = before.map(({ name }) => name);
  const allowed: Allowances = {
    sideEffects: before.some(({ sideEffects }) => !quietEffects.includes(sideEffects)),
    unknownVersions: before.some(
      ({ admissionReviewVersions: versions }) =>
        (versions ?? []).length > 0 && !(versions ?? []).some((version) => reviewVersions.includes(version)),
    ),
    sameNames: new Set(names).size < names.length,
    allowInvalidValues: before.some(
      ({ namespaceSelector, objectSelector }) =>
        validateLabelSelector(namespaceSelector, "").length + validateLabelSelector(objectSelector, "").length > 0,
    ),
  };
  const repeats = repeatsIn(hooks.map(({ name }) => name));
  return hooks.flatMap((hook, index) => {
    const isAgain = !allowed.sameNames && hook.name !== "" && repeats.has(index);
    return [
      ...validateWebhook(hook, `webhooks[${index}]`, allowed),
      ...validateReviewVersions(hook.admissionReviewVersions ?? [], `webhooks[${index}].admissionReviewVersions`, allowed),
      ...(isAgain ? [fieldDuplicate(`webhooks[${index}].name`, hook.name)] : []),
    ];
  });
}

function validateWebhook(hook: Webhook, path: FieldPath, allowed: Allowances): FieldError[] {
  const {
    failurePolicy,
    matchPolicy,
    timeoutSeconds = 1,
    namespaceSelector,
    objectSelector,
    reinvocationPolicy,
    matchConditions = [],
  } = hook;
  return [
    ...validateFullyQualifiedName(hook.name, `${path}.name`),
    ...(hook.rules ?? []).flatMap((rule, index) => validateAdmissionRule(rule, `${path}.rules[${index}]`)),
    ...validateOptionalChoice(failurePolicy, `${path}.failurePolicy`, ["Fail", "Ignore"]),
    ...validateOptionalChoice(matchPolicy, `${path}.matchPolicy`, ["Equivalent", "Exact"]),
    ...validateSideEffects(hook.sideEffects, `${path}.sideEffects`, allowed),
    ...(timeoutSeconds > 30 || timeoutSeconds < 1
      ? [fieldInvalid(`${path}.timeoutSeconds`, timeoutSeconds, "the timeout value must be between 1 and 30 seconds")]
      : []),
    ...validateLabelSelector(namespaceSelector, `${path}.namespaceSelector`, allowed),
    ...validateLabelSelector(objectSelector, `${path}.objectSelector`, allowed),
    ...validateOptionalChoice(reinvocationPolicy, `${path}.reinvocationPolicy`, ["IfNeeded", "Never"]),
    ...validateClientConfig(hook, `${path}.clientConfig`),
    ...validateMatchConditions(matchConditions, `${path}.matchConditions`),
  ];
}

function validateSideEffects(effects: string | null | undefined, path: FieldPath, allowed: Allowances): FieldError[] {
  const known = allowed.sideEffects ? ["None", "NoneOnDryRun", "Some", "Unknown"] : quietEffects;
  if (effects === undefined || effects === null) return [fieldRequired(path, `must specify one of ${known.join(", ")}`)];
  return known.includes(effects) ? [] : [unsupportedName(path, effects, known)];
}

function validateClientConfig({ clientConfig: { url, service } }: Webhook, path: FieldPath): FieldError[] {
  if ((url === undefined) === (service === undefined)) return [fieldRequired(path, "exactly one of url or service is required")];
  if (url !== undefined) return validateUrl(url, `${path}.url`);
  return service === undefined ? [] : validateService(service, `${path}.service`);
}

/** Validates the parts of a URL that kube-apiserver checks. */
function validateUrl(url: string, path: FieldPath): FieldError[] {
  const form = "; desired format: https://host[/path]";
  const [, scheme = "", authority = "", , query = "", fragment = ""] =
    /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(url) ?? [];
  const at = authority.lastIndexOf("@");
  return [
    ...(scheme.toLowerCase() === "https"
      ? []
      : [fieldInvalid(path, scheme.toLowerCase(), `'https' is the only allowed URL scheme${form}`)]),
    ...(authority.slice(at + 1) === "" ? [fieldInvalid(path, "", `host must be specified${form}`)] : []),
    ...(at < 0 ? [] : [fieldInvalid(path, authority.slice(0, at), "user information is not permitted in the URL")]),
    ...(fragment === "" ? [] : [fieldInvalid(path, fragment, "fragments are not permitted in the URL")]),
    ...(query === "" ? [] : [fieldInvalid(path, query, "query parameters are not permitted in the URL")]),
  ];
}

/** kube-apiserver swaps the paths of name and namespace. */
function validateService({ name, namespace, path: text = "", port = 443 }: DeepReadonly<ServiceReference>, path: FieldPath): FieldError[] {
  const problems = checkPortNumber(port);
  const errors = [
    ...(namespace === "" ? [fieldRequired(`${path}.name`)] : []),
    ...(name === "" ? [fieldRequired(`${path}.namespace`)] : []),
    ...(problems.length > 0 ? [fieldInvalid(`${path}.port`, port, `port is not valid: ${problems.join(", ")}`)] : []),
  ];
  const invalid = (detail: string): FieldError => fieldInvalid(`${path}.path`, text, detail);
  if (text === "" || text === "/") return errors;
  if (text === "//") return [...errors, invalid("segment[0] may not be empty")];
  if (!text.startsWith("/")) errors.push(invalid("must start with a '/'"));
  return [
    ...errors,
    ...text
      .slice(1)
      .replace(/\/$/, "")
      .split("/")
      .flatMap((segment, index) =>
        segment === ""
          ? [invalid(`segment[${index}] may not be empty`)]
          : checkDns1123Subdomain(segment).map((problem) => invalid(`segment[${index}]: ${problem}`)),
      ),
  ];
}

function validateReviewVersions(versions: readonly string[], path: FieldPath, allowed: Allowances): FieldError[] {
  const known = reviewVersions.join(", ");
  if (versions.length === 0) return [fieldRequired(path, `must specify one of ${known}`)];
  const repeats = repeatsIn(versions);
  const errors = versions.flatMap((version, index) =>
    repeats.has(index)
      ? [fieldInvalid(`${path}[${index}]`, version, "duplicate version")]
      : problemsOf(`${path}[${index}]`, version, checkDns1035Label(version)),
  );
  const isKnown = allowed.unknownVersions || versions.some((version) => reviewVersions.includes(version));
  return isKnown ? errors : [...errors, fieldInvalid(path, versions, `must include at least one of ${known}`)];
}
