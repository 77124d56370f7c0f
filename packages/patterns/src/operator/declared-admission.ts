/**
 * Checks the declaration of `app.admit`: reports mistakes that are visible without a cluster at once.
 *
 *     Kind, AdmitDeclaration → declareAdmission → DeclaredAdmission → admissionWebhooks, admissionPolicies
 */
import type { AdmissionOperation, AdmissionPolicy, AdmissionRule, AdmissionWebhook } from "@drover/controller";
import type { Client } from "@drover/client";
import { checkDns1123Label, compileRe2, definedOnly, errorText, unknownOption } from "@drover/machinery";
import type { Kind, KubeObject, OptionNames } from "@drover/machinery";
import { MistakeError } from "./mistake-error.ts";
import type { Resource } from "../resource/resource.ts";
import type { AdmitDeclaration, WebhookCallOptions } from "../admission/admission-declaration.ts";
import { mutateHandler, validateHandler } from "./admission-answers.ts";

/** A declaration with its type parameters erased. */
export type AnyAdmission = AdmitDeclaration<KubeObject>;

/** A checked declaration with its defaults resolved. */
export interface DeclaredAdmission {
  /** "pods" */
  readonly name: string;
  /** For errors: "admission of Pod". */
  readonly title: string;
  readonly kind: Kind;
  readonly declaration: AnyAdmission;
  readonly rule: AdmissionRule;
  readonly timeoutSeconds: number;
  readonly matchConditions: readonly { readonly name: string; readonly expression: string }[];
}

const operationsKnown: readonly AdmissionOperation[] = ["CREATE", "UPDATE", "DELETE", "CONNECT"];
/** As `matchConditions` of the API server. */
const conditionsMax = 64;

const options = {
  name: true,
  operations: true,
  subresources: true,
  when: true,
  objectSelector: true,
  namespaceSelector: true,
  everywhere: true,
  rules: true,
  actions: true,
  mutate: true,
  reinvocationPolicy: true,
  validate: true,
  sideEffects: true,
  failurePolicy: true,
  timeoutSeconds: true,
  needs: true,
} satisfies OptionNames<AnyAdmission>;

/** Validates a declaration. Throws `MistakeError`. */
export function declareAdmission(kind: Kind, declaration: AnyAdmission): DeclaredAdmission {
  const title = `admission of ${kind.kind}`;
  const problem = unknownOption(declaration, options);
  if (problem !== undefined) throw new MistakeError({ where: title, ...problem });
  const { name = kind.plural, operations = ["CREATE", "UPDATE"], subresources = [], when = [] } = declaration;
  const admission: DeclaredAdmission = {
    name,
    title,
    kind,
    declaration,
    rule: {
      operations,
      apiGroups: [kind.group],
      apiVersions: [kind.version],
      resources: subresources.length === 0 ? [kind.plural] : subresources.map((subresource) => `${kind.plural}/${subresource}`),
      scope: kind.scope,
    },
    timeoutSeconds: timeoutSecondsOf(declaration, title),
    matchConditions: (typeof when === "string" ? [when] : when).map((expression, index) => ({ name: `when-${index + 1}`, expression })),
  };
  checkName(admission);
  checkOperations(admission);
  checkContent(admission);
  checkEffect(admission);
  checkBreadth(admission);
  checkExpressions(admission);
  return admission;
}

/** Returns the timeout. Throws `MistakeError` for more than ten seconds: every write in the cluster would wait for it. */
export function timeoutSecondsOf({ timeoutSeconds = 5 }: WebhookCallOptions, title: string): number {
  if (Number.isInteger(timeoutSeconds) && timeoutSeconds >= 1 && timeoutSeconds <= 10) return timeoutSeconds;
  throw new MistakeError({
    where: `${title}, timeoutSeconds`,
    what: `${timeoutSeconds} is not an integer from 1 to 10; every request waits that long while the operator hangs`,
    fix: "timeoutSeconds: 5\nslow checks belong into a controller, which reports them in the status",
  });
}

/** Returns the webhooks of a declaration: none if it has only rules. */
export function admissionWebhooks(admission: DeclaredAdmission, operator: string, client: () => Client): readonly AdmissionWebhook[] {
  const { name, title, kind, rule, timeoutSeconds, matchConditions, declaration } = admission;
  const { mutate, validate, objectSelector, namespaceSelector, failurePolicy, sideEffects, reinvocationPolicy } = declaration;
  const shared = {
    timeoutSeconds,
    ...(matchConditions.length === 0 ? {} : { matchConditions }),
    ...definedOnly({ objectSelector, namespaceSelector, failurePolicy, sideEffects }),
  };
  const schema = definedOnly({ schema: (kind as Partial<Resource>).schema });
  // The server does not call mutating webhooks with an object to change for these.
  const changes = rule.operations.filter((operation) => operation !== "DELETE" && operation !== "CONNECT");
  return [
    ...(mutate === undefined
      ? []
      : [
          {
            type: "mutating" as const,
            name: `mutate.${name}.${operator}.drover.dev`,
            path: `/mutate/${name}`,
            rules: [{ ...rule, operations: changes }],
            ...shared,
            ...definedOnly({ reinvocationPolicy }),
            handle: mutateHandler(mutate, { where: `${title}, mutate`, client, ...schema }),
          },
        ]),
    ...(validate === undefined
      ? []
      : [
          {
            type: "validating" as const,
            name: `validate.${name}.${operator}.drover.dev`,
            path: `/validate/${name}`,
            rules: [rule],
            ...shared,
            handle: validateHandler(validate, { where: `${title}, validate`, client, ...schema }),
          },
        ]),
  ];
}

/** Returns the policy of a declaration with rules. */
export function admissionPolicies(admission: DeclaredAdmission, operator: string): readonly AdmissionPolicy[] {
  const { name, rule, matchConditions, declaration } = admission;
  const { rules = [], objectSelector, namespaceSelector, failurePolicy, actions } = declaration;
  if (rules.length === 0) return [];
  return [
    {
      name: `${name}.${operator}.drover.dev`,
      rules: [rule],
      ...(matchConditions.length === 0 ? {} : { matchConditions }),
      ...definedOnly({ objectSelector, namespaceSelector, failurePolicy, actions }),
      validations: rules.map(([expression, message]) => ({ expression, message })),
    },
  ];
}

function checkName({ name, title, kind }: DeclaredAdmission): void {
  const problems = checkDns1123Label(name);
  if (problems.length > 0)
    throw new MistakeError({
      where: title,
      what: `the name ${JSON.stringify(name)} is not a DNS label: ${problems.join("; ")}`,
      fix: `app.admit(${kind.kind}, { name: "${kind.plural}-images", … })`,
    });
}

function checkOperations({ title, kind, declaration, rule: { operations } }: DeclaredAdmission): void {
  const { subresources = [], mutate } = declaration;
  const where = `${title}, operations`;
  const [unknown] = operations.filter((operation) => !operationsKnown.includes(operation));
  if (unknown !== undefined || operations.length === 0)
    throw new MistakeError({
      where,
      what: unknown === undefined ? "the list is empty, so it would never be asked" : `${JSON.stringify(unknown)} is not an operation`,
      fix: `some of ${operationsKnown.join(", ")}: operations: ["CREATE", "UPDATE"]`,
    });
  if (operations.includes("CONNECT") && subresources.length === 0)
    throw new MistakeError({
      where,
      what: "only subresources are connected to, such as pods/exec",
      fix: `app.admit(${kind.kind}, { operations: ["CONNECT"], subresources: ["${Object.keys(kind.subresources).includes("exec") ? "exec" : "proxy"}"], … })`,
    });
  if (mutate !== undefined && !operations.some((operation) => operation === "CREATE" || operation === "UPDATE"))
    throw new MistakeError({
      where: `${title}, mutate`,
      what: `${operations.join(" and ")} ${operations.length === 1 ? "has" : "have"} no object to change`,
      fix: 'operations: ["CREATE", "UPDATE"], or validate instead of mutate',
    });
  const [missing] = subresources.filter((subresource) => kind.subresources[subresource] === undefined);
  if (missing !== undefined)
    throw new MistakeError({
      where: `${title}, subresources`,
      what: `${kind.kind} has no subresource ${JSON.stringify(missing)}`,
      fix: `some of ${Object.keys(kind.subresources).join(", ") || "none: leave out subresources"}`,
    });
}

function checkContent({ title, kind, declaration: { rules = [], mutate, validate, actions } }: DeclaredAdmission): void {
  if (rules.length === 0 && mutate === undefined && validate === undefined)
    throw new MistakeError({
      where: title,
      what: "it decides nothing",
      fix: `app.admit(${kind.kind}, { rules: [["object.metadata.name.size() < 40", "the name must be shorter than 40 characters"]] })\nor validate, or mutate`,
    });
  if (actions !== undefined && rules.length === 0)
    throw new MistakeError({
      where: `${title}, actions`,
      what: "actions belong to rules, and there are none",
      fix: "leave out actions; validate refuses by returning problems, and warns with warn(…)",
    });
  if (actions?.length === 0 || (actions?.includes("Deny") === true && actions.includes("Warn")))
    throw new MistakeError({
      where: `${title}, actions`,
      what:
        actions.length === 0
          ? "the list is empty, so violations would have no effect"
          : "Deny and Warn together would say everything twice",
      fix: 'actions: ["Deny"], or ["Warn", "Audit"]',
    });
}

/** Options without an effect are mistakes: their author expects one. */
function checkEffect({ title, kind, declaration }: DeclaredAdmission): void {
  const { mutate, validate, reinvocationPolicy, sideEffects, timeoutSeconds, everywhere, needs } = declaration;
  const useless = definedOnly({
    ...(mutate === undefined ? { reinvocationPolicy } : {}),
    ...((mutate ?? validate) === undefined ? { sideEffects, timeoutSeconds, everywhere, needs } : {}),
  });
  const [option] = Object.keys(useless);
  if (option !== undefined)
    throw new MistakeError({
      where: `${title}, ${option}`,
      what: `it has no effect without ${option === "reinvocationPolicy" ? "mutate" : "functions"}: the API server evaluates rules itself`,
      fix: `leave out ${option}, or add ${option === "reinvocationPolicy" ? "mutate" : "mutate or validate"} to app.admit(${kind.kind}, { … })`,
    });
}

/** Objects that other programs need must not depend on this operator without the author knowing. */
function checkBreadth({ title, kind, declaration, matchConditions }: DeclaredAdmission): void {
  const { mutate, validate, objectSelector, namespaceSelector, failurePolicy = "Fail", everywhere = false } = declaration;
  const isNarrow = matchConditions.length > 0 || !isEverything(objectSelector) || !isEverything(namespaceSelector);
  const isOwn = (kind as Partial<Resource>).references !== undefined;
  if ((mutate ?? validate) === undefined || isNarrow || isOwn || everywhere || failurePolicy === "Ignore") return;
  throw new MistakeError({
    where: title,
    what: `while the operator is down, no ${kind.kind} could be written in ${kind.scope === "Cluster" ? "the cluster" : "any namespace"}, because failurePolicy is "Fail"`,
    code: "DRV0602",
    fix: `narrow it: namespaceSelector, objectSelector, or when: ["object.metadata.labels[?'app'] == optional.of('shop')"]\nor rules, which the API server evaluates itself\nor failurePolicy: "Ignore"\nor, if it must be so, everywhere: true`,
  });
}

const isEverything = (selector: AnyAdmission["objectSelector"]): boolean =>
  Object.keys(selector?.matchLabels ?? {}).length === 0 && (selector?.matchExpressions ?? []).length === 0;

function checkExpressions({ title, matchConditions, declaration: { rules = [] } }: DeclaredAdmission): void {
  if (matchConditions.length > conditionsMax)
    throw new MistakeError({
      where: `${title}, when`,
      what: `the API server allows ${conditionsMax} conditions, not ${matchConditions.length}`,
      fix: "join conditions with &&",
    });
  const named = [
    ...matchConditions.map(({ expression }) => ["when", expression] as const),
    ...rules.map(([expression]) => ["rules", expression] as const),
  ];
  for (const [part, expression] of named) {
    const problem = expressionProblem(expression);
    if (problem === undefined) continue;
    throw new MistakeError({
      where: `${title}, ${part}`,
      what: `${JSON.stringify(expression)}: ${problem}`,
      code: "DRV0611",
      fix: `a CEL expression over object, oldObject and request, such as object.metadata.name.startsWith("shop-")`,
    });
  }
  const [silent] = rules.filter(([, message]) => typeof message !== "string" || message.trim() === "" || message.includes("\n"));
  if (silent !== undefined)
    throw new MistakeError({
      where: `${title}, rules`,
      what: `the message of ${JSON.stringify(silent[0])} is empty or has more than one line, which the API server refuses`,
      fix: `[${JSON.stringify(silent[0])}, "what the user must change, in one line"]`,
    });
}

/** What is visible without compiling CEL. The API server checks the rest when the policy is registered. */
function expressionProblem(expression: unknown): string | undefined {
  if (typeof expression !== "string" || expression.trim() === "") return "the expression is empty";
  if (/\bself\b/.test(expression.replace(/"[^"]*"|'[^']*'/g, "")))
    return "self is only known in rules of defineResource; the object is named object here";
  for (const [, double, single] of expression.matchAll(/\.matches\(\s*r?(?:"([^"\\]*)"|'([^'\\]*)')\s*\)/g)) {
    const pattern = double ?? single ?? "";
    try {
      compileRe2(pattern);
    } catch (error) {
      return `the pattern ${JSON.stringify(pattern)} is not valid RE2: ${errorText(error)}`;
    }
  }
  return undefined;
}
