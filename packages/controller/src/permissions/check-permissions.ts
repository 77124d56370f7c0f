/**
 * Asks the server before the start whether the program has the permissions that its parts declare.
 *
 *     PermissionNeed[] → SelfSubjectAccessReview → MissingPermissionsError with the YAML that grants them
 */
import { SelfSubjectReview } from "@drover/api/authentication/v1";
import { SelfSubjectAccessReview } from "@drover/api/authorization/v1";
import type { Client } from "@drover/client";
import { definedOnly, errorBrand } from "@drover/machinery";
import type { Log } from "@drover/machinery";
import { withCode } from "@drover/machinery/codes";
import type { PermissionNeed } from "./permission-need.ts";
import { printRoles, roleSubject } from "./role-text.ts";

/** Options of `checkPermissions`. */
export interface CheckPermissionsOptions {
  readonly client: Client;
  readonly needs: readonly PermissionNeed[];
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Name of the roles in the YAML. @default "drover-controller" */
  readonly roleName?: string;
}

const brand = errorBrand<MissingPermissionsError>("MissingPermissionsError");

/** The program lacks permissions that it needs. */
export class MissingPermissionsError extends Error {
  static {
    brand.mark(this);
  }

  override readonly name = "MissingPermissionsError";
  readonly problemCode = "DRV0350";
  readonly missing: readonly PermissionNeed[];
  /** Roles and bindings that grant what is missing, for `kubectl apply -f -`. */
  readonly yaml: string;

  constructor({
    missing,
    username,
    yaml,
  }: {
    readonly missing: readonly PermissionNeed[];
    readonly username: string;
    readonly yaml: string;
  }) {
    super(
      withCode(
        `${username} may not ${missing.map(printNeed).join(", nor ")}. An administrator can grant it with kubectl apply -f - and this:\n${yaml}`,
        "DRV0350",
      ),
    );
    this.missing = missing;
    this.yaml = yaml;
  }
}

/** Reports whether an error is a `MissingPermissionsError`, of this or another copy of the package. */
export function isMissingPermissionsError(error: unknown): error is MissingPermissionsError {
  return brand.is(error);
}

/**
 * Rejects with a `MissingPermissionsError` when the server denies one of the needs. If the server does not answer, or does not know
 * SelfSubjectAccessReview, logs a warning and resolves. Rejects with the signal's reason when the signal aborts.
 */
export async function checkPermissions({
  client,
  needs,
  log,
  signal,
  roleName = "drover-controller",
}: CheckPermissionsOptions): Promise<void> {
  const single = singleNeeds(needs);
  const answers = await Promise.all(single.map(async (need) => ({ need, answer: await ask(client, need, signal) })));
  signal.throwIfAborted();
  const unanswered = answers.find(({ answer }) => answer.kind === "unknown");
  if (unanswered?.answer.kind === "unknown") {
    log.warn(
      "cannot check the permissions of this program: the server does not answer a SelfSubjectAccessReview; starting without the check",
      { error: unanswered.answer.error, code: "DRV0351" },
    );
  }
  const missing = joined(answers.flatMap(({ need, answer }) => (answer.kind === "no" ? [need] : [])));
  if (missing.length === 0) return;
  const username = await usernameOf(client, signal);
  throw new MissingPermissionsError({
    missing,
    username: username ?? "this program",
    yaml: printRoles(missing, { name: roleName, subject: roleSubject(username ?? "put the user's name here") }),
  });
}

type Answer = { readonly kind: "yes" | "no" } | { readonly kind: "unknown"; readonly error: unknown };

async function ask(
  client: Client,
  { group, resource, verbs, namespace, name, subresource }: PermissionNeed,
  signal: AbortSignal,
): Promise<Answer> {
  const where = definedOnly({ namespace, name, subresource });
  try {
    const review = await client.create(
      SelfSubjectAccessReview,
      { metadata: {}, spec: { resourceAttributes: { group, resource, verb: verbs[0] ?? "*", ...where } } },
      { signal },
    );
    if (review.status === undefined) return { kind: "unknown", error: new Error("the answer has no status") };
    return { kind: review.status.allowed ? "yes" : "no" };
  } catch (error) {
    return { kind: "unknown", error };
  }
}

async function usernameOf(client: Client, signal: AbortSignal): Promise<string | undefined> {
  try {
    const review = await client.create(SelfSubjectReview, { metadata: {} }, { signal });
    return review.status?.userInfo?.username;
  } catch {
    return undefined;
  }
}

/** Splits the needs into one verb each, without duplicates. */
function singleNeeds(needs: readonly PermissionNeed[]): readonly PermissionNeed[] {
  const single = needs.flatMap((need) => need.verbs.map((verb) => ({ ...need, verbs: [verb] })));
  return [
    ...new Map(
      single.map((need) => [JSON.stringify([need.group, need.resource, need.subresource, need.namespace, need.name, need.verbs]), need]),
    ).values(),
  ];
}

/** Merges the verbs of needs for the same resource and namespace, in their order. */
function joined(needs: readonly PermissionNeed[]): readonly PermissionNeed[] {
  const places = new Map<string, PermissionNeed>();
  for (const need of needs) {
    const place = JSON.stringify([need.group, need.resource, need.subresource, need.namespace, need.name]);
    places.set(place, { ...need, verbs: [...(places.get(place)?.verbs ?? []), ...need.verbs] });
  }
  return [...places.values()];
}

/** Returns "list and watch deployments.apps/status in shop", with the name of a single object and " of cluster east" if there are any. */
function printNeed({ group, resource, subresource, name, verbs, namespace, cluster = "" }: PermissionNeed): string {
  const named = name === undefined ? "" : ` ${JSON.stringify(name)}`;
  const what = `${resource}${group === "" ? "" : `.${group}`}${subresource === undefined ? "" : `/${subresource}`}${named}`;
  return `${verbs.join(" and ")} ${what} ${namespace === undefined ? "in all namespaces" : `in ${namespace}`}${cluster === "" ? "" : ` of cluster ${cluster}`}`;
}
