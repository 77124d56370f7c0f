/**
 * One apply from start to end: record the inventory, find the members, apply the desired objects in order, prune the
 * rest.
 *
 *     wantedObjects → Inventory.record → findMembers → applyMember … → pruneMember … → Inventory.drop
 */
import { errorText, isNotFound, sameGroupKind, sameGroupVersionKind } from "@drover/machinery";
import type { DeepReadonly, GroupKind, Kind, KubeObject } from "@drover/machinery";
import { ApplyMemory } from "./apply-memory.ts";
import { applyMember } from "./apply-member.ts";
import type { MemberStep } from "./apply-member.ts";
import type { AppliedChange, ApplyContext, ApplySet, DesiredObject, SetOwner } from "./apply-set.ts";
import { findMembers, listMembers } from "./find-members.ts";
import type { FoundMembers } from "./find-members.ts";
import { Gates, isDefinitionOf } from "./apply-gates.ts";
import { isForeignOwnerError } from "./foreign-owner-error.ts";
import { Inventory } from "./inventory.ts";
import { prunable, pruneMember } from "./prune-members.ts";
import type { Prunable } from "./prune-members.ts";
import { kindWords, placeWords, setIdentity } from "./set-identity.ts";
import { wantedObjects } from "./wanted-object.ts";
import type { WantedObject } from "./wanted-object.ts";
import type { MemberWriter } from "./write-member.ts";

/** A change, with the object's state before and after. */
export interface RunStep extends MemberStep {
  readonly change: AppliedChange;
  /** The desired object; undefined for pruned members. */
  readonly wanted?: WantedObject;
}

/** Result of a run. */
export interface RunResult {
  readonly steps: readonly RunStep[];
  readonly errors: readonly Error[];
  readonly isSettled: boolean;
  readonly writer: MemberWriter;
  /** The owner with its inventory as last written. */
  readonly owner: DeepReadonly<KubeObject>;
}

/** Options of `runApply`. */
export interface RunOptions {
  /** Whether to send every request as a dry run and leave the owner unchanged. */
  readonly isDryRun: boolean;
}

/** Runs one apply. Rejects only for an invalid set, for an inventory that cannot be written, and with the signal's reason. */
export async function runApply(
  set: ApplySet,
  owner: SetOwner,
  objects: readonly DesiredObject[],
  context: ApplyContext,
  { isDryRun }: RunOptions,
): Promise<RunResult> {
  const identity = setIdentity(set, owner);
  const memory = context.memory ?? new ApplyMemory();
  const writer: MemberWriter = { set, owner, identity, context, memory, isDryRun };
  const wanted = wantedObjects(set, identity, owner, objects);
  const inventory = new Inventory(identity, owner, context, memory);
  if (!isDryRun) await inventory.record(wanted.map(({ kind }) => kind));
  const run = new ApplyRun(writer, wanted);
  await run.find(inventory.kinds);
  await run.apply();
  const remaining = await run.prune();
  if (remaining !== undefined && !isDryRun)
    await inventory.drop(inventory.kinds.filter((kind) => !remaining.some((other) => sameGroupKind(kind, other))));
  return { ...run.result(), owner: inventory.owner };
}

/** The state of one run. */
class ApplyRun {
  readonly #writer: MemberWriter;
  readonly #wanted: readonly WantedObject[];
  readonly #found: FoundMembers[] = [];
  readonly #steps: RunStep[] = [];
  readonly #errors: Error[] = [];
  /** Kinds whose members could not be listed. */
  readonly #unknown: GroupKind[] = [];
  readonly #gates: Gates;

  constructor(writer: MemberWriter, wanted: readonly WantedObject[]) {
    this.#writer = writer;
    this.#wanted = wanted;
    this.#gates = new Gates(writer.set.wait ?? false);
  }

  /**
   * Finds members of every desired kind, in the desired version, and (unless pruning is off) of every other kind that
   * the set may have.
   */
  async find(recorded: readonly Kind[]): Promise<void> {
    const { set } = this.#writer;
    const kinds: Kind[] = [];
    for (const { kind } of this.#wanted) if (!kinds.some((other) => sameGroupVersionKind(other, kind))) kinds.push(kind);
    const isWanted = (kind: GroupKind): boolean => this.#wanted.some((wanted) => sameGroupKind(wanted.kind, kind));
    const isRecorded = (kind: GroupKind): boolean => recorded.some((other) => sameGroupKind(other, kind));
    for (const kind of set.prune === false ? [] : [...(set.kinds ?? []), ...recorded])
      if (!kinds.some((other) => sameGroupKind(other, kind))) kinds.push(kind);
    for (const kind of kinds) {
      const find = isRecorded(kind) && !isWanted(kind) ? listMembers : findMembers;
      await this.#guarded(
        `looking for members of kind ${kindWords(kind)}`,
        async () => void this.#found.push(await find(this.#writer, kind)),
        () => void this.#unknown.push(kind),
      );
    }
  }

  /** Applies the desired objects in order. Objects that must wait are reported as waiting. */
  async apply(): Promise<void> {
    const seen = new Map(
      this.#found.flatMap(({ kind, members }) => members.map((object) => [`${kind.version} ${wordsOf({ kind, object })}`, object])),
    );
    for (const wanted of this.#wanted) {
      if (this.#unknown.some((kind) => sameGroupKind(kind, wanted.kind))) {
        this.#gates.failed(wanted);
        continue;
      }
      const why = this.#gates.blocks(wanted);
      if (why !== undefined) {
        this.#add(wanted, { type: "waiting", why });
        continue;
      }
      await this.#guarded(
        wanted.words,
        async () => {
          const step = await applyMember(this.#writer, wanted, seen.get(`${wanted.kind.version} ${wanted.words}`)).catch(
            (error: unknown) => {
              // A definition is established slightly before its objects are served.
              if (isNotFound(error) && this.#wanted.some(({ kind, body }) => isDefinitionOf(kind, body, wanted.kind)))
                return { type: "waiting", why: "waits for its definition to be served" } as const;
              throw error;
            },
          );
          this.#add(wanted, step);
          this.#gates.passed(wanted, step);
        },
        () => this.#gates.failed(wanted),
      );
    }
  }

  /**
   * Prunes, and returns the kinds that still have members; undefined if pruning was skipped because a desired object
   * failed or waits.
   */
  async prune(): Promise<readonly GroupKind[] | undefined> {
    if (this.#writer.set.prune === false || this.#errors.length > 0 || !this.#gates.isOpen) return undefined;
    const wanted = new Set(this.#wanted.map(({ words }) => words));
    const candidates = this.#found
      .flatMap(({ kind, members }) => members.map((object): Prunable => ({ kind, object })))
      .filter((each) => !wanted.has(wordsOf(each)));
    const { going, kept } = prunable(this.#writer, candidates);
    const left: GroupKind[] = [...this.#wanted.map(({ kind }) => kind), ...kept.map(({ kind }) => kind)];
    for (const one of going) {
      await this.#guarded(
        wordsOf(one),
        async () => {
          const step = await pruneMember(this.#writer, one);
          if (step === undefined) return;
          if (step.type !== "deleted") left.push(one.kind);
          this.#steps.push({
            ...step,
            change: changeOf(one.kind, one.object.metadata.namespace ?? "", one.object.metadata.name ?? "", step),
          });
        },
        () => left.push(one.kind),
      );
    }
    return left;
  }

  result(): Omit<RunResult, "owner"> {
    const isSettled =
      this.#errors.length === 0 && this.#gates.isOpen && this.#gates.areReady && this.#steps.every(({ type }) => type !== "waiting");
    return { steps: this.#steps, errors: this.#errors, isSettled, writer: this.#writer };
  }

  #add(wanted: WantedObject, step: MemberStep): void {
    this.#steps.push({ ...step, wanted, change: changeOf(wanted.kind, wanted.namespace, wanted.name, step) });
  }

  /** Collects the error of one object, so that the others continue. Rethrows when the run is aborted. */
  async #guarded(words: string, work: () => Promise<void>, onFailure: () => void): Promise<void> {
    const { signal } = this.#writer.context;
    signal.throwIfAborted();
    try {
      await work();
    } catch (error) {
      signal.throwIfAborted();
      onFailure();
      // A ForeignOwnerError names its object itself.
      this.#errors.push(isForeignOwnerError(error) ? error : new Error(`${words}: ${errorText(error)}`, { cause: error }));
    }
  }
}

const wordsOf = ({ kind, object: { metadata } }: Prunable): string => `${kindWords(kind)} ${placeWords(metadata.namespace, metadata.name)}`;

function changeOf(kind: Kind, namespace: string, name: string, { type, why }: MemberStep): AppliedChange {
  return { kind, namespace, name, type, ...(why === undefined ? {} : { why }) };
}
