/** A document as it is written: nothing resolved, nothing merged, aliases not yet followed. */
import type { Place } from "./yaml-error.ts";

export interface ScalarNode extends Place {
  readonly kind: "scalar";
  readonly text: string;
  /** The tag in full, "" when there is none. */
  readonly tag: string;
  /** Whether the text itself decides what it means: it has neither quotes nor a tag. */
  readonly plain: boolean;
}
export interface SequenceNode extends Place {
  readonly kind: "sequence";
  readonly items: readonly Node[];
}
export interface MappingNode extends Place {
  readonly kind: "mapping";
  readonly entries: readonly (readonly [key: Node, value: Node])[];
}
export interface AliasNode extends Place {
  readonly kind: "alias";
  readonly name: string;
  readonly target: Node;
}
export type Node = ScalarNode | SequenceNode | MappingNode | AliasNode;
