/**
 * The leases of a sharded operator: one for each shard, and one or two for each replica. Labels tell which is which.
 *
 *     NAME-shard-3-of-16       held by the replica that reconciles shard 3
 *     NAME-member-1f3c…        held by the replica of that identity while it runs
 *     NAME-seen-1f3c…          how far its caches have come, with shards by label; never held
 */
import type { Lease } from "@drover/api/coordination/v1";
import { checkLabelValue, checkSubdomainName, getOwn } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import { hashText, printBy, printLayout } from "./shard-layout.ts";
import type { ShardLayout } from "./shard-layout.ts";

/** Name of the operator, on all its leases. */
export const shardsLabel = "drover.dev/shards";
/** Layout of the replica that wrote the lease: "16-by-hash". */
export const layoutLabel = "drover.dev/shard-layout";
/** "shard", "member" or "seen". */
export const roleLabel = "drover.dev/shard-role";

export type ShardLeaseRole = "shard" | "member" | "seen";

/** Returns the labels of a lease. */
export function shardLabels(name: string, layout: ShardLayout, role: ShardLeaseRole): Readonly<Record<string, string>> {
  return { [shardsLabel]: name, [layoutLabel]: printLayout(layout), [roleLabel]: role };
}

/** Returns the name of the lease of a shard. Different layouts never share a lease. */
export function shardLeaseName(name: string, shard: number, { count, by }: ShardLayout): string {
  return `${name}-shard-${shard}-of-${count}${by === "hash" ? "" : `-by-${printBy(by)}`}`;
}

/** Returns the name of the lease of a replica. An identity may contain characters that a name may not. */
export function memberLeaseName(name: string, identity: string): string {
  return `${name}-member-${identityHash(identity)}`;
}

/** Returns the name of the lease in which a replica publishes what its caches have seen. */
export function seenLeaseName(name: string, identity: string): string {
  return `${name}-seen-${identityHash(identity)}`;
}

/** Returns the same from the name of the replica's member lease. */
export function seenLeaseOfMember(name: string, member: string): string {
  return `${name}-seen-${member.slice(`${name}-member-`.length)}`;
}

function identityHash(identity: string): string {
  const hex = (salt: string): string => hashText(`${salt}${identity}`).toString(16).padStart(8, "0");
  return `${hex("a")}${hex("b")}`;
}

/** Reports what a lease is for: its role, and the layout of its writer as in `printLayout`. */
export function readShardLease(lease: DeepReadonly<Lease>): { readonly role: ShardLeaseRole; readonly layout: string } {
  const labels = lease.metadata.labels ?? {};
  const role = getOwn(labels, roleLabel);
  return { role: role === "member" || role === "seen" ? role : "shard", layout: getOwn(labels, layoutLabel) ?? "" };
}

/** Throws a `RangeError` unless the name can be a label value and the beginning of names of leases. */
export function checkShardsName(name: string): void {
  const problem = checkLabelValue(name)[0] ?? checkSubdomainName(`${name}-shard`)[0];
  if (name === "" || problem !== undefined)
    throw new RangeError(
      `shards.name, ${JSON.stringify(name)}, must be a lowercase name of at most 63 characters: ${problem ?? "it is empty"}`,
    );
}
