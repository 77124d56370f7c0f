/** Entry point for tests of queues: tries every short sequence of operations. */
export { everySequence, printTried } from "./testing/every-sequence.ts";
export type { EverySequenceOptions, Pair, Tried } from "./testing/every-sequence.ts";
