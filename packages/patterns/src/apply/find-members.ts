/**
 * The members of a set, kind by kind: from a cache where there is one, else from the server by label.
 *
 *     kind → objects that carry the set's mark
 */
import { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { kinds } from "@drover/api";
import { isNotFound, sameGroupKind } from "@drover/machinery";
import type { DeepReadonly, Kind, KubeObject } from "@drover/machinery";
import { setLabel } from "./set-identity.ts";
import { wranglerHashLabel } from "./wrangler-annotations.ts";
import type { MemberWriter } from "./write-member.ts";

/** Members as they were found, and where. */
export interface FoundMembers {
  /** The kind as the server has it: another version than asked for, when that one is served no longer. */
  readonly kind: Kind;
  readonly members: readonly DeepReadonly<KubeObject>[];
}

/** The candidates of one kind; whose they are is for `memberOwner` to say. None when the server does not have the kind at all. */
export async function findMembers(finder: MemberWriter, kind: Kind): Promise<FoundMembers> {
  const cached = finder.context.members?.(kind, finder.owner);
  return cached === undefined ? listMembers(finder, kind) : { kind, members: cached };
}

/** The same, from the server in any case: a kind is forgotten only when there is really nothing left of it, and a cache may lag. */
export async function listMembers(finder: MemberWriter, kind: Kind): Promise<FoundMembers> {
  try {
    return { kind, members: await list(finder, kind) };
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const version = await servedVersion(finder, kind);
    if (version === undefined || version === kind.version) return { kind, members: [] };
    return { kind: { ...kind, version }, members: await list(finder, { ...kind, version }) };
  }
}

async function list(
  { set, owner, identity, context: { client, signal } }: MemberWriter,
  kind: Kind,
): Promise<readonly DeepReadonly<KubeObject>[]> {
  const home = owner.object.metadata.namespace ?? "";
  const place = kind.scope === "Cluster" ? {} : { namespace: home !== "" && (set.scope ?? "namespace") === "namespace" ? home : "*" };
  const found = new Map<string, DeepReadonly<KubeObject>>();
  const selectors = [
    `${setLabel} in (${[identity.id, ...identity.earlierIds].join(",")})`,
    ...(set.wrangler === true ? [wranglerHashLabel] : []),
  ];
  for (const labelSelector of selectors) {
    for await (const member of client.dynamic(kind).listAll({ labelSelector, signal, ...place }))
      found.set(member.metadata.uid ?? "", member);
  }
  return [...found.values()];
}

/**
 * In which version the server has a kind whose recorded version it does not know. Undefined: it has none, so there are
 * no objects either.
 */
async function servedVersion({ context: { client, signal } }: MemberWriter, sought: Kind): Promise<string | undefined> {
  const builtIn = kinds.find((kind) => sameGroupKind(kind, sought));
  if (builtIn !== undefined) return builtIn.version;
  const { plural, group } = sought;
  try {
    const { spec } = await client.get(CustomResourceDefinition, `${plural}.${group}`, { signal });
    return spec.versions.find(({ served }) => served)?.name;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
