/** client-go's `rest.Config`: cluster, credentials and rate limit. */
import type { ClusterAccess } from "@drover/client";
import type { GroupVersion } from "@drover/machinery";

/** Cluster, credentials and rate limit of a client. */
export interface RestConfig {
  /** URL of the server: "https://10.0.0.1:6443". */
  readonly host: string;
  /** Server, trust and credentials. */
  readonly access: ClusterAccess;
  /** Group and version of the resources, for `restClientFor`. @default the root path; requests set their whole path */
  readonly groupVersion?: GroupVersion;
  /** User agent, as it appears in the server's audit log. @default derived from the program's file name */
  readonly userAgent?: string;
  /** Requests per second. @default no limit */
  readonly qps?: number;
  /** Requests that may be sent at once before `qps` limits them. @default 10 */
  readonly burst?: number;
  /** Timeout of a call in milliseconds, except watches; 0 means no timeout. @default 0 */
  readonly timeoutMs?: number;
}
