/** In what kinds differ, as data. */
import type { NameCheck } from "@drover/machinery";

/** Which changes count as a new generation; "none": the server never sets one. */
export type GenerationRule =
  | "none"
  /** The spec. */
  | "spec"
  /** The spec, but a new object has none: CSIDriver. */
  | "spec-after-create"
  /** The spec or the annotations: Deployment. */
  | "spec-and-annotations"
  /** Everything but metadata and status. */
  | "all-but-status"
  /** Everything but metadata. */
  | "all"
  /** 1 for ever. */
  | "once"
  /** Everything but metadata, and labels as well: EndpointSlice. */
  | "all-and-labels";

export interface ResourceRules {
  readonly checkName: NameCheck;
  readonly generation: GenerationRule;
  /** Whether an update may come without a resourceVersion. */
  readonly unconditionalUpdate: boolean;
  /** Whether an update of what is not there makes it. */
  readonly createOnUpdate: boolean;
  /** Whether a deletion answers with the object rather than with a Status. */
  readonly returnsDeleted: boolean;
  /** Whether dependents are orphaned when nothing else is asked for. */
  readonly orphansByDefault: boolean;
  /** What else at `status` can be changed besides the status; metadata always means labels, annotations, finalizers and owners. */
  readonly statusMetadata: "none" | "annotations" | "all-but-owners" | "all";
  /**
   * Whether a new object keeps the status it came with, although the status is a subresource: Node; what Pod keeps of
   * it its strategy says. @default false
   */
  readonly keepsStatusOnCreate?: boolean;
  /** How long an object lives. @default for ever */
  readonly ttlMs?: number;
  /** How the server words that a field selector is not known. */
  readonly unknownFieldSelector:
    | "known-list"
    | "label-not-supported"
    | "label-not-supported-for-kind"
    | "quoted-label-not-supported-for-kind";
}
