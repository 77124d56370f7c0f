/**
 * Impersonation through the headers `Impersonate-User`, `-Group`, `-Uid` and `-Extra-*`.
 *
 * kube-apiserver has five modes, tried in this order: four constrained ones, which ask whether this request may be made as a
 * node, a service account or another user, and the legacy one, which only asks for the verb "impersonate". kube-apiserver tries
 * the mode that last allowed a user first; here the order is fixed.
 */
import { getOwn, printFieldErrors, quoteGo, validateDomainPrefixedPath } from "@drover/machinery";
import type { HttpHeaders } from "@drover/machinery";
import { StatusError } from "../status-error.ts";
import type { Attributes, Authorizer, Decision } from "./authorizer.ts";
import { forbidden } from "./forbidden.ts";
import {
  anonymousUser,
  authenticatedGroup,
  mastersGroup,
  nodeOfName,
  nodesGroup,
  serviceAccountGroups,
  splitServiceAccountName,
  unauthenticatedGroup,
  withGroup,
} from "./system-names.ts";
import type { User } from "./user.ts";
import { wantedUser } from "./wanted-user.ts";
import type { WantedUser } from "./wanted-user.ts";

type Mode = "associated-node" | "arbitrary-node" | "serviceaccount" | "user-info";
const narrowModes: readonly Mode[] = ["associated-node", "arbitrary-node", "serviceaccount", "user-info"];
const authenticationGroup = { group: "authentication.k8s.io", version: "v1" } as const;
/** With at least this many values, a question about all values at once comes first. */
const manyValues = 4;

/** An allowed impersonation. */
export interface Impersonation {
  /** The user to serve the request as. */
  readonly user: User;
  /** The verb of the constrained mode that allowed it, "impersonate:user-info"; "" for the legacy mode. */
  readonly constraint: string;
}

/**
 * Returns the impersonation that a request asks for; undefined without impersonation headers. Throws the 403 of the first mode that
 * denied it, and a 400 for headers without a user. `attributes` are those of the request, with the requestor as user.
 */
export async function impersonatedUser(
  headers: HttpHeaders,
  attributes: Attributes,
  authorizer: Pick<Authorizer, "authorize">,
): Promise<Impersonation | undefined> {
  const wanted = wantedUser(headers);
  if (wanted === undefined) return undefined;
  let refusal: StatusError | undefined;
  for (const mode of narrowModes) {
    if (!applies(mode, wanted, attributes.user)) continue;
    const found = await refusalOf(() => checkMode(mode, wanted, attributes, authorizer));
    if (found === undefined) return { user: asUser(wanted, { narrow: true }), constraint: `impersonate:${mode}` };
    refusal ??= found;
  }
  const last = await refusalOf(() => checkFields("impersonate", wanted, attributes.user, authorizer));
  if (last === undefined) return { user: asUser(wanted, { narrow: false }), constraint: "" };
  throw refusal ?? last;
}

/** Whether a mode applies to the wanted user. */
function applies(mode: Mode, wanted: WantedUser, requestor: User): boolean {
  const node = nodeOfName(wanted.name);
  const account = splitServiceAccountName(wanted.name);
  const onlyName = wanted.uid === "" && wanted.groups.length === 0 && Object.keys(wanted.extra).length === 0;
  const ways: Readonly<Record<Mode, boolean>> = {
    "associated-node": onlyName && node !== undefined && node === nodeOfAccount(requestor),
    "arbitrary-node": onlyName && node !== undefined,
    serviceaccount: onlyName && account !== undefined,
    "user-info": node === undefined && account === undefined,
  };
  return ways[mode];
}

/** Returns the node of the pod that a service account token is bound to. */
function nodeOfAccount({ name, extra = {} }: User): string | undefined {
  const nodes = getOwn(extra, "authentication.kubernetes.io/node-name");
  return splitServiceAccountName(name) !== undefined && nodes?.length === 1 ? nodes[0] : undefined;
}

async function checkMode(mode: Mode, wanted: WantedUser, attributes: Attributes, authorizer: Pick<Authorizer, "authorize">): Promise<void> {
  // An account may impersonate its own node wherever it runs, so the question omits the node and the account's other attributes.
  const requestor =
    mode === "associated-node"
      ? {
          ...attributes.user,
          extra: { "authentication.kubernetes.io/associated-node-keys": Object.keys(attributes.user.extra ?? {}).toSorted() },
        }
      : attributes.user;
  await check({ ...attributes, user: requestor, verb: `impersonate-on:${mode}:${attributes.verb}` }, authorizer);
  await checkFields(`impersonate:${mode}`, wanted, requestor, authorizer);
}

/** Asks one question per wanted value. `verb` is "impersonate" for the legacy mode. */
async function checkFields(verb: string, wanted: WantedUser, user: User, authorizer: Pick<Authorizer, "authorize">): Promise<void> {
  const narrow = verb !== "impersonate";
  const ask: Ask = (resource, about) => ({
    user,
    verb,
    isResourceRequest: true,
    path: "",
    ...(narrow || resource === "uids" || resource === "userextras" ? authenticationGroup : { group: "", version: "v1" }),
    resource,
    subresource: "",
    namespace: "",
    name: "",
    ...about,
  });
  const { name, uid, groups, extra } = wanted;
  const account = splitServiceAccountName(name);
  const node = narrow ? nodeOfName(name) : undefined;
  await check(
    account !== undefined
      ? ask("serviceaccounts", account)
      : node !== undefined
        ? ask("nodes", { name: verb.endsWith(":associated-node") ? "*" : node })
        : ask("users", { name }),
    authorizer,
  );
  if (uid !== "") await check(ask("uids", { name: uid }), authorizer);
  if (narrow) refuseOddGroups(groups, ask);
  await checkAll(
    groups.map((group) => ask("groups", { name: group })),
    narrow ? ask("groups", { name: "*" }) : undefined,
    authorizer,
  );
  if (narrow) refuseOddExtra(extra, ask);
  const values = Object.entries(extra).flatMap(([key, list]) => list.map((value) => ask("userextras", { subresource: key, name: value })));
  await checkAll(values, narrow ? ask("userextras", { subresource: "*", name: "*" }) : undefined, authorizer);
}

type Ask = (resource: string, about: Partial<Attributes>) => Attributes;

/** Groups that the legacy mode allows and the constrained modes refuse. */
function refuseOddGroups(groups: readonly string[], ask: Ask): void {
  if (groups.includes("")) throw forbidden(ask("groups", {}), { reason: "impersonating the empty string group is not allowed" });
  if (groups.includes(mastersGroup))
    throw forbidden(ask("groups", { name: mastersGroup }), { reason: "impersonating the system:masters group is not allowed" });
}

function refuseOddExtra(extra: WantedUser["extra"], ask: Ask): void {
  for (const [key, values] of Object.entries(extra)) {
    const reason = problemOfExtra(key, values);
    if (reason !== undefined) throw forbidden(ask("userextras", {}), { reason });
  }
}

function problemOfExtra(key: string, values: readonly string[]): string | undefined {
  if (key === "") return "impersonating the empty string key in extra is not allowed";
  const errors = validateDomainPrefixedPath(key, "extra.key");
  if (errors.length > 0) return `impersonating an invalid key in extra is not allowed: ${printFieldErrors(errors)}`;
  if (key !== key.toLowerCase()) return `impersonating a non-lowercase key in extra is not allowed: ${quoteGo(key)}`;
  if (values.length === 0) return "impersonating empty values in extra is not allowed";
  return values.includes("") ? "impersonating the empty string value in extra is not allowed" : undefined;
}

/** Asks about each value; with many values and an `all` question, asks that one first. */
async function checkAll(
  each: readonly Attributes[],
  all: Attributes | undefined,
  authorizer: Pick<Authorizer, "authorize">,
): Promise<void> {
  if (all !== undefined && each.length >= manyValues && (await refusalOf(() => check(all, authorizer))) === undefined) return;
  for (const attributes of each) await check(attributes, authorizer);
}

async function check(attributes: Attributes, authorizer: Pick<Authorizer, "authorize">): Promise<void> {
  const decision = await authorizer.authorize(attributes);
  if (decision.decision !== "allow") throw forbidden(attributes, { reason: whyNot(decision) });
}

const whyNot = ({ reason = "", evaluationError = "" }: Decision): string =>
  [evaluationError, reason].filter((text) => text !== "").join(": ");

async function refusalOf(checked: () => Promise<void>): Promise<StatusError | undefined> {
  try {
    await checked();
    return undefined;
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
}

function asUser({ name, uid, groups, extra }: WantedUser, { narrow }: { readonly narrow: boolean }): User {
  const account = splitServiceAccountName(name);
  const fixedGroups =
    narrow && nodeOfName(name) !== undefined
      ? [nodesGroup]
      : account !== undefined && groups.length === 0
        ? serviceAccountGroups(account.namespace)
        : groups;
  const user: User = { name, groups: fixedGroups, ...(uid === "" ? {} : { uid }), ...(Object.keys(extra).length === 0 ? {} : { extra }) };
  if (name === anonymousUser.name) return withGroup(user, unauthenticatedGroup);
  return fixedGroups.includes(unauthenticatedGroup) ? user : withGroup(user, authenticatedGroup);
}
