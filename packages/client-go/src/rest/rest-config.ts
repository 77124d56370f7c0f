/** client-go's `rest.Config`: which cluster, as which user, and how fast. */
import type { ClusterAccess } from "@drover/client";
import type { GroupVersion } from "@drover/machinery";

export interface RestConfig {
  /** The server's URL: "https://10.0.0.1:6443". */
  readonly host: string;
  /** Server, trust and credentials. */
  readonly access: ClusterAccess;
  /** Group and version of the resources, for `restClientFor`. @default none: requests name their whole path */
  readonly groupVersion?: GroupVersion;
  /** Name of the program in the server's audit log. @default made from the program's file name */
  readonly userAgent?: string;
  /** Requests per second. @default no limit */
  readonly qps?: number;
  /** Requests that may be sent at once before `qps` limits them. @default 10 */
  readonly burst?: number;
  /** Limit of one call in milliseconds, watches excepted; 0 is no limit. @default 0 */
  readonly timeoutMs?: number;
}
