/** Validates `spec.conversion` of a definition: None or Webhook. */
import type { CustomResourceConversion, ServiceReference, WebhookClientConfig } from "@drover/api/apiextensions/v1";
import {
  checkDns1035Label,
  checkDns1123Subdomain,
  checkPortNumber,
  fieldChild,
  fieldForbidden,
  fieldIndex,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "@drover/machinery";
import type { FieldError, FieldPath } from "@drover/machinery";
import { caBundleProblem } from "../../webhook/ca-bundle.ts";
import { parseWebhookUrl } from "./webhook-url.ts";

export interface ConversionRules {
  /** Whether an unreadable CA bundle is accepted, because the webhook does not serve any objects yet. */
  readonly allowsBadBundle: boolean;
}

/** Validates a conversion. Errors name the fields of kube-apiserver's internal type, where the webhook has no part of its own. */
export function checkConversion(conversion: CustomResourceConversion | undefined, path: FieldPath, rules: ConversionRules): FieldError[] {
  if (conversion === undefined) return [];
  const { strategy, webhook } = conversion;
  const versions = webhook?.conversionReviewVersions ?? [];
  const [clientPath, versionsPath] = [fieldChild(path, "webhookClientConfig"), fieldChild(path, "conversionReviewVersions")];
  const errors = checkStrategy(strategy, fieldChild(path, "strategy"));
  if (strategy === "Webhook")
    return [...errors, ...checkClient(webhook?.clientConfig, clientPath, rules), ...checkReviewVersions(versions, versionsPath)];
  const notHere = "should not be set when strategy is not set to Webhook";
  return [
    ...errors,
    ...(webhook?.clientConfig === undefined ? [] : [fieldForbidden(clientPath, notHere)]),
    ...(versions.length === 0 ? [] : [fieldForbidden(versionsPath, notHere)]),
  ];
}

function checkStrategy(strategy: string, path: FieldPath): FieldError[] {
  if (strategy === "") return [fieldRequired(path)];
  return strategy === "None" || strategy === "Webhook" ? [] : [fieldNotSupported(path, strategy, ["None", "Webhook"])];
}

function checkClient(client: WebhookClientConfig | undefined, path: FieldPath, { allowsBadBundle }: ConversionRules): FieldError[] {
  if (client === undefined) return [fieldRequired(path, "required when strategy is set to Webhook")];
  const { url, service, caBundle = "" } = client;
  const problem = allowsBadBundle ? undefined : caBundleProblem(caBundle);
  return [
    ...((url === undefined) === (service === undefined)
      ? [fieldRequired(path, "exactly one of url or service is required")]
      : service === undefined
        ? checkUrl(url ?? "", fieldChild(path, "url"))
        : checkService(service, fieldChild(path, "service"))),
    ...(problem === undefined ? [] : [fieldInvalid(fieldChild(path, "caBundle"), caBundle, problem)]),
  ];
}

function checkUrl(text: string, path: FieldPath): FieldError[] {
  const form = "; desired format: https://host[/path]";
  const url = parseWebhookUrl(text);
  if (typeof url === "string") return [fieldRequired(path, `url must be a valid URL: ${url}${form}`)];
  const { scheme, host, user, fragment, query } = url;
  return [
    ...(scheme === "https" ? [] : [fieldInvalid(path, scheme, `'https' is the only allowed URL scheme${form}`)]),
    ...(host === "" ? [fieldInvalid(path, host, `host must be specified${form}`)] : []),
    ...(user === undefined ? [] : [fieldInvalid(path, user, "user information is not permitted in the URL")]),
    ...(fragment === "" ? [] : [fieldInvalid(path, fragment, "fragments are not permitted in the URL")]),
    ...(query === "" ? [] : [fieldInvalid(path, query, "query parameters are not permitted in the URL")]),
  ];
}

function checkService({ name, namespace, path: urlPath, port = 443 }: ServiceReference, path: FieldPath): FieldError[] {
  const portProblems = checkPortNumber(port);
  return [
    // kube-apiserver mixes these two up.
    ...(namespace === "" ? [fieldRequired(fieldChild(path, "name"))] : []),
    ...(name === "" ? [fieldRequired(fieldChild(path, "namespace"))] : []),
    ...(portProblems.length === 0 ? [] : [fieldInvalid(fieldChild(path, "port"), port, `port is not valid: ${portProblems.join(", ")}`)]),
    ...pathProblems(urlPath ?? "").map((problem) => fieldInvalid(fieldChild(path, "path"), urlPath, problem)),
  ];
}

function pathProblems(path: string): string[] {
  if (path === "" || path === "/") return [];
  if (path === "//") return ["segment[0] may not be empty"];
  const steps = path.slice(1).replace(/\/$/, "").split("/");
  return [
    ...(path.startsWith("/") ? [] : ["must start with a '/'"]),
    ...steps.flatMap((step, index) =>
      step === "" ? [`segment[${index}] may not be empty`] : checkDns1123Subdomain(step).map((problem) => `segment[${index}]: ${problem}`),
    ),
  ];
}

function checkReviewVersions(versions: readonly string[], path: FieldPath): FieldError[] {
  if (versions.length === 0) return [fieldRequired(path)];
  const errors = versions.flatMap((version, index) => {
    if (versions.indexOf(version) < index) return [fieldInvalid(fieldIndex(path, index), version, "duplicate version")];
    return checkDns1035Label(version).map((problem) => fieldInvalid(fieldIndex(path, index), version, problem));
  });
  const known = versions.includes("v1") || versions.includes("v1beta1");
  return known ? errors : [...errors, fieldInvalid(path, versions, "must include at least one of v1, v1beta1")];
}
