/** One attack, the limits that its victims must keep, and a class of attacks of one kind. */
import type { Arena } from "./arena.ts";

/** What an attack may cost. The victims must also answer while it goes on, and be alive when it is over. */
export interface Limits {
  /** Until the attack has ended. */
  readonly seconds: number;
  /** Most processor time that the server spends on other things before it answers a small request. */
  readonly silentMs: number;
  /** Memory of each victim when the attack has ended. */
  readonly megabytes: number;
}

export interface Attack {
  /** Ends the sentence "the victims survive …". */
  readonly name: string;
  /** Rejects when an answer is wrong. */
  readonly act: (arena: Arena) => Promise<void>;
  readonly limits?: Partial<Limits>;
}

export interface AttackClass {
  readonly name: string;
  readonly attacks: readonly Attack[];
}

/** The server has a heap of 256 MB, the operator one of 96 MB; code, stacks and buffers come on top. */
export const defaultLimits: Limits = { seconds: 20, silentMs: 1000, megabytes: 480 };
