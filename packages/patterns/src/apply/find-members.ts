/**
 * Finds the members of a set, kind by kind: in a cache if there is one, else on the server by label.
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

/** The members of one kind. */
export interface FoundMembers {
  /** The kind in the version that the server serves, which may differ from the requested one. */
  readonly kind: Kind;
  readonly members: readonly DeepReadonly<KubeObject>[];
}

/** Returns the candidates of one kind; `memberOwner` decides whose they are. Empty if the server does not serve the kind. */
export async function findMembers(finder: MemberWriter, kind: Kind): Promise<FoundMembers> {
  const cached = finder.context.members?.(kind, finder.owner);
  return cached === undefined ? listMembers(finder, kind) : { kind, members: cached };
}

/**
 * Same as `findMembers`, but always from the server: a kind may be dropped from the inventory only if nothing is left,
 * and a cache may lag.
 */
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
 * Returns a served version of a kind whose recorded version is no longer served; undefined if the kind does not exist,
 * and so no objects.
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
