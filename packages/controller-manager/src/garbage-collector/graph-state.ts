/**
 * The ownership graph as the watches report it: one node per uid, and what to process after each change.
 *
 *     observed, left (watches), absent (a read from the server) → GraphState → GraphEffect → the two queues, events
 *
 * An owner that is referred to and was never seen has a virtual node at the identity that a dependent gives. The graph only
 * suggests work: every deletion is confirmed with the server first.
 */
import { foregroundFinalizer, orphanFinalizer } from "@drover/machinery";
import type { DeepReadonly, ObjectMeta, OwnerReference } from "@drover/machinery";
import type { AbsentOwners } from "./absent-owners.ts";
import { alternateIdentity, partitionDependents } from "./alternate-identity.ts";
import { identityOfOwner, refersTo, sameIdentity } from "./object-identity.ts";
import type { ObjectIdentity } from "./object-identity.ts";
import { ownerChanges, unblockedOwners } from "./owner-changes.ts";

/** A node, read-only. */
export interface GraphNode {
  readonly identity: ObjectIdentity;
  readonly owners: readonly DeepReadonly<OwnerReference>[];
  readonly dependents: ReadonlySet<GraphNode>;
  /** Referred to, and never seen. */
  readonly isVirtual: boolean;
  readonly isBeingDeleted: boolean;
  /** In foreground deletion: waits until its blocking dependents are gone. */
  readonly isDeletingDependents: boolean;
}

/** What follows from a change. */
export type GraphEffect =
  | { readonly type: "delete" | "orphan"; readonly uid: string; /** For logs. */ readonly why: string }
  /** A dependent refers to an owner in another namespace; `owner` is the identity it gives. */
  | { readonly type: "wrongNamespace"; readonly dependent: ObjectIdentity; readonly owner: ObjectIdentity };

interface Node extends GraphNode {
  identity: ObjectIdentity;
  owners: readonly DeepReadonly<OwnerReference>[];
  readonly dependents: Set<Node>;
  isVirtual: boolean;
  isBeingDeleted: boolean;
  isDeletingDependents: boolean;
  isOrphaning: boolean;
}

/** Guarantees: every node is a dependent of each of its owners and of no other node, whatever the order of events. */
export class GraphState {
  readonly absentOwners: AbsentOwners;
  readonly #nodes = new Map<string, Node>();
  /** By uid of the owner, which may have no node when it is gone and its dependents are not yet. */
  readonly #dependents = new Map<string, Set<Node>>();

  constructor(absentOwners: AbsentOwners) {
    this.absentOwners = absentOwners;
  }

  get size(): number {
    return this.#nodes.size;
  }

  get(uid: string): GraphNode | undefined {
    return this.#nodes.get(uid);
  }

  nodes(): IterableIterator<GraphNode> {
    return this.#nodes.values();
  }

  /** Records the current state of an object from a watch. */
  observed(identity: ObjectIdentity, metadata: DeepReadonly<ObjectMeta>): readonly GraphEffect[] {
    const effects: GraphEffect[] = [];
    const known = this.#nodes.get(identity.uid);
    if (known === undefined || known.isVirtual) this.absentOwners.delete(identity);
    if (known?.isVirtual === true) this.#found(known, identity, effects);
    const node = known ?? this.#add(identity, { isVirtual: false });
    // The newest identity wins: an API version may have been removed.
    node.identity = identity;
    this.#setOwners(node, metadata.ownerReferences ?? [], effects);
    const wasDeletingDependents = node.isDeletingDependents;
    const wasOrphaning = node.isOrphaning;
    const isEnding = metadata.deletionTimestamp !== undefined;
    node.isBeingDeleted ||= isEnding;
    node.isDeletingDependents = isEnding && metadata.finalizers?.includes(foregroundFinalizer) === true;
    node.isOrphaning = isEnding && metadata.finalizers?.includes(orphanFinalizer) === true;
    if (node.isOrphaning && !wasOrphaning)
      effects.push({ type: "orphan", uid: identity.uid, why: "it is deleted, and leaves its dependents behind" });
    else if (node.isDeletingDependents && !wasDeletingDependents) this.#deletesDependents(node, effects);
    return effects;
  }

  /** Records the deletion of an object from a watch. */
  left(identity: ObjectIdentity): readonly GraphEffect[] {
    const node = this.#nodes.get(identity.uid);
    return node === undefined ? [] : this.#remove(node, identity);
  }

  /**
   * Records that the server has no object at this identity. A virtual node moves to another identity that dependents give, if any;
   * an observed node stays.
   */
  absent(identity: ObjectIdentity): readonly GraphEffect[] {
    const node = this.#nodes.get(identity.uid);
    if (node === undefined) return [];
    const isThere = sameIdentity(node.identity, identity);
    if (!node.isVirtual && isThere) return this.#remove(node, identity);
    const { agreeing, disagreeing } = partitionDependents(node.dependents, identity);
    if (node.isVirtual && disagreeing.length === 0) return this.#remove(node, identity);
    if (agreeing.length > 0) this.absentOwners.add(identity);
    if (node.isVirtual && isThere) node.identity = alternateIdentity(disagreeing, identity) ?? node.identity;
    return agreeing.map((dependent) => lookAt(dependent, "its owner is not where it says"));
  }

  /** A virtual node turned out to exist. Dependents that gave another identity are processed. */
  #found(node: Node, identity: ObjectIdentity, effects: GraphEffect[]): void {
    if (!sameIdentity(node.identity, identity)) {
      for (const dependent of partitionDependents(node.dependents, identity).disagreeing) {
        if (identity.namespace !== "" && dependent.identity.namespace !== identity.namespace)
          effects.push(...wrongNamespace(dependent, identity.uid));
        effects.push(lookAt(dependent, "its owner is not what it says"));
      }
    }
    node.isVirtual = false;
  }

  #setOwners(node: Node, owners: readonly DeepReadonly<OwnerReference>[], effects: GraphEffect[]): void {
    const changes = ownerChanges(node.owners, owners);
    if (changes.added.length + changes.removed.length + changes.changed.length === 0) return;
    for (const uid of unblockedOwners(changes)) {
      const owner = this.#nodes.get(uid);
      if (owner !== undefined) effects.push(lookAt(owner, "a dependent does not hold it back any more"));
    }
    node.owners = owners;
    this.#addToOwners(node, changes.added, effects);
    for (const { uid } of changes.removed) this.#leave(node, uid);
  }

  #addToOwners(node: Node, owners: readonly DeepReadonly<OwnerReference>[], effects: GraphEffect[]): void {
    let isDoubtful = false;
    for (const reference of owners) {
      const known = this.#nodes.get(reference.uid);
      const owner = known ?? this.#add(identityOfOwner(reference, node.identity.namespace), { isVirtual: true });
      owner.dependents.add(node);
      if (known === undefined) {
        effects.push(lookAt(owner, "it is referred to as an owner, and was not seen yet"));
      } else if (!isDoubtful) {
        isDoubtful = isDoubtfulOwner(node, reference, known);
        const isElsewhere = known.identity.namespace !== "" && known.identity.namespace !== node.identity.namespace;
        if (isElsewhere && !known.isVirtual) effects.push(...wrongNamespace(node, reference.uid));
      }
    }
    if (isDoubtful) effects.push(lookAt(node, "an owner of it is not what it says"));
  }

  #deletesDependents(node: Node, effects: GraphEffect[]): void {
    for (const dependent of node.dependents) effects.push(lookAt(dependent, "its owner is deleted in the foreground"));
    effects.push(lookAt(node, "it is deleted in the foreground"));
  }

  #add(identity: ObjectIdentity, { isVirtual }: { readonly isVirtual: boolean }): Node {
    const dependents = this.#dependents.get(identity.uid) ?? new Set();
    const node: Node = {
      identity,
      owners: [],
      dependents,
      isVirtual,
      isBeingDeleted: false,
      isDeletingDependents: false,
      isOrphaning: false,
    };
    this.#dependents.set(identity.uid, dependents);
    this.#nodes.set(identity.uid, node);
    return node;
  }

  #remove(node: Node, identity: ObjectIdentity): readonly GraphEffect[] {
    const { uid } = node.identity;
    this.#nodes.delete(uid);
    for (const owner of node.owners) this.#leave(node, owner.uid);
    if (node.dependents.size > 0) this.absentOwners.add(identity);
    else this.#dependents.delete(uid);
    const waiting = node.owners.flatMap((owner) => this.#nodes.get(owner.uid) ?? []).filter((owner) => owner.isDeletingDependents);
    return [
      ...Array.from(node.dependents, (dependent) => lookAt(dependent, "its owner is gone")),
      ...waiting.map((owner) => lookAt(owner, "a dependent of it is gone")),
    ];
  }

  #leave(node: Node, ownerUid: string): void {
    const dependents = this.#dependents.get(ownerUid);
    dependents?.delete(node);
    if (dependents?.size === 0 && !this.#nodes.has(ownerUid)) this.#dependents.delete(ownerUid);
  }
}

const lookAt = ({ identity: { uid } }: GraphNode, why: string): GraphEffect => ({ type: "delete", uid, why });

/** Whether a node's reference to an owner differs from what is known, or may turn out to. */
function isDoubtfulOwner(
  { identity: { namespace } }: GraphNode,
  reference: DeepReadonly<OwnerReference>,
  { identity, isVirtual }: GraphNode,
): boolean {
  if (identity.namespace !== "" && identity.namespace !== namespace) return true;
  if (!refersTo(reference, identity)) return true;
  // A virtual cluster-scoped owner may be of a namespaced kind that a cluster-scoped object refers to.
  return isVirtual && identity.namespace !== namespace;
}

function wrongNamespace({ identity, owners }: GraphNode, ownerUid: string): readonly GraphEffect[] {
  const reference = owners.find(({ uid }) => uid === ownerUid);
  return reference === undefined
    ? []
    : [{ type: "wrongNamespace", dependent: identity, owner: identityOfOwner(reference, identity.namespace) }];
}
