/** The differences between kinds that are plain data. */
import type { NameCheck } from "@drover/machinery";

/** Which changes increment `metadata.generation`; "none": the server never sets it. */
export type GenerationRule =
  | "none"
  /** Changes to the spec. */
  | "spec"
  /** Changes to the spec; new objects have no generation: CSIDriver. */
  | "spec-after-create"
  /** Changes to the spec or the annotations: Deployment. */
  | "spec-and-annotations"
  /** Changes outside metadata and status. */
  | "all-but-status"
  /** Changes outside metadata. */
  | "all"
  /** Always 1. */
  | "once"
  /** Changes outside metadata, or to the labels: EndpointSlice. */
  | "all-and-labels";

export interface ResourceRules {
  readonly checkName: NameCheck;
  readonly generation: GenerationRule;
  /** Whether an update may omit resourceVersion. */
  readonly unconditionalUpdate: boolean;
  /** Whether a PUT creates a missing object. */
  readonly createOnUpdate: boolean;
  /** Whether a DELETE answers with the object rather than with a Status. */
  readonly returnsDeleted: boolean;
  /** Whether deletion orphans dependents by default. */
  readonly orphansByDefault: boolean;
  /** Which metadata an update of `status` can change besides the status: labels, annotations, finalizers and owner references. */
  readonly statusMetadata: "none" | "annotations" | "all-but-owners" | "all";
  /**
   * Paths of fields that an endpoint cannot change and its writers therefore do not own, by subresource. @default the status; at
   * `status` the spec, and the metadata that `statusMetadata` keeps
   */
  readonly resetFields?: Readonly<Record<string, readonly (readonly string[])[]>>;
  /**
   * Whether a new object keeps its status although `status` is a subresource: Node. The strategy of Pod decides for itself.
   * @default false
   */
  readonly keepsStatusOnCreate?: boolean;
  /** Lifetime of an object. @default unlimited */
  readonly ttlMs?: number;
  /** How kube-apiserver words the error about an unknown field selector. */
  readonly unknownFieldSelector:
    | "known-list"
    | "label-not-supported"
    | "label-not-supported-for-kind"
    | "quoted-label-not-supported-for-kind";
}
