/** A document as written: nothing resolved, nothing merged, aliases not followed. */
import type { Place } from "./yaml-error.ts";

export interface ScalarNode extends Place {
  readonly kind: "scalar";
  readonly text: string;
  /** The full tag; "" without one. */
  readonly tag: string;
  /** Whether the text alone decides its type: it has neither quotes nor a tag. */
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
