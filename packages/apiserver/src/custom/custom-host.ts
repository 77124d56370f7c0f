/** What the controllers of definitions need from the server they run in. */
import type { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import type { Resource } from "../registry/resource.ts";

export interface CustomHost {
  /** All definitions as they are stored now; not to be changed. */
  readonly readCrds: () => Promise<CustomResourceDefinition[]>;
  /**
   * Changes the status or the finalizers of a definition in place, again with a newer one when somebody else was
   * faster, and stores it. One that is
   * being deleted and has no finalizer left is removed. Does nothing when there is none of this name any more. Never waits for `settle`.
   */
  readonly updateCrd: (name: string, change: (crd: CustomResourceDefinition) => void) => Promise<void>;
  /**
   * Deletes all objects of a resource, as a client that deletes the collection in every namespace would, and tells how
   * many are left because of their
   * finalizers. Never waits for `settle`.
   */
  readonly deleteInstances: (resource: Resource) => Promise<{ readonly remaining: number }>;
  /** What is served for a definition from now on; an empty list is nothing. Called only when that changes. */
  readonly serve: (crdName: string, resources: readonly Resource[]) => void;
}
