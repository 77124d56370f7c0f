/** What the controllers of CustomResourceDefinitions need from the server. */
import type { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import type { Resource } from "../registry/resource.ts";

export interface CustomHost {
  /** Returns all stored definitions; the caller must not change them. */
  readonly readCrds: () => Promise<CustomResourceDefinition[]>;
  /**
   * Changes the status or the finalizers of a definition in place and stores it, retrying with the newer object after a conflict.
   * Removes a terminating definition without finalizers. Does nothing when the definition is gone. Never waits for `settle`.
   */
  readonly updateCrd: (name: string, change: (crd: CustomResourceDefinition) => void) => Promise<void>;
  /**
   * Deletes all objects of a resource in every namespace and returns how many remain because of finalizers. Never waits for
   * `settle`.
   */
  readonly deleteInstances: (resource: Resource) => Promise<{ readonly remaining: number }>;
  /** Replaces the served resources of a definition; an empty list removes them. Called only on changes. */
  readonly serve: (crdName: string, resources: readonly Resource[]) => void;
  /** Called at the end of each sync, when the served resources match the definitions. */
  readonly published: () => Promise<void>;
}
