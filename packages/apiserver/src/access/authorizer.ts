/** Decides who may do what. The server asks before it serves a request, and answers access reviews with the same decision. */
import type { User } from "./user.ts";

/** What a request asks for: a resource or a path. */
export interface Attributes {
  readonly user: User;
  /** "get", "list", "create" …; for a path the HTTP method in lower case. */
  readonly verb: string;
  readonly isResourceRequest: boolean;
  /** The path of a non-resource request. */
  readonly path: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** What a list, watch or deletecollection selects. @default "" */
  readonly fieldSelector?: string;
}

/** "no-opinion" denies too, but lets the next authorizer decide where there are several. */
export interface Decision {
  readonly decision: "allow" | "deny" | "no-opinion";
  /** @default "" */
  readonly reason?: string;
  /** Error during evaluation. @default "" */
  readonly evaluationError?: string;
}

/** A rule as SelfSubjectRulesReview shows it. */
export interface ResourceRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
}

export interface NonResourceRule {
  readonly verbs: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

export interface Rules {
  readonly resourceRules: readonly ResourceRule[];
  readonly nonResourceRules: readonly NonResourceRule[];
  readonly incomplete: boolean;
  /** @default "" */
  readonly evaluationError?: string;
}

export interface Authorizer {
  readonly authorize: (attributes: Attributes) => Promise<Decision>;
  /** Decides without waiting; undefined if that is not possible now. The same decision as `authorize`. @default `authorize` is asked */
  readonly decide?: (attributes: Attributes) => Decision | undefined;
  /** Returns what a user may do in a namespace, for SelfSubjectRulesReview. */
  readonly rulesFor: (user: User, namespace: string) => Promise<Rules>;
}
