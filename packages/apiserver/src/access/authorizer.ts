/** Who may do what. The server asks before anything else looks at the request, and answers access reviews with the same word. */
import type { User } from "./user.ts";

/** What is asked for: a resource, or a path. */
export interface Attributes {
  readonly user: User;
  /** "get", "list", "create" …; for a path the method in lower case. */
  readonly verb: string;
  readonly isResourceRequest: boolean;
  /** Of a request that is not about a resource. */
  readonly path: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

/** "no-opinion" is a no as well, without being the last word where several are asked. */
export interface Decision {
  readonly decision: "allow" | "deny" | "no-opinion";
  /** @default "" */
  readonly reason?: string;
  /** What went wrong on the way to the decision. @default "" */
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
  /** What a user may do in a namespace, for SelfSubjectRulesReview. */
  readonly rulesFor: (user: User, namespace: string) => Promise<Rules>;
}
