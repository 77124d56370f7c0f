/** A problem with a code: the content of its page. */
import type { ProblemCode } from "@drover/machinery/codes";

/** Sentences and list items may contain `code`; what is to be typed is set in it. */
export interface Problem {
  readonly code: ProblemCode;
  /** What went wrong, as a headline. */
  readonly title: string;
  /** What it means for the author or operator, and what Drover does about it. */
  readonly means: string;
  /** How it comes about. */
  readonly causes: readonly string[];
  /** How to find out which cause it is. */
  readonly find: readonly string[];
  readonly fixes: readonly string[];
}

/** Problems of one area. */
export interface ProblemArea {
  readonly title: string;
  readonly problems: readonly Problem[];
}
