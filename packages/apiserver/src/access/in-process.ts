/** Callers in the same process: whoever holds the server is its administrator, unless the request says who else it is from. */
import { noCredential } from "./authenticator.ts";
import type { Authenticator } from "./authenticator.ts";
import { adminUser } from "./system-names.ts";

/** Takes a caller in the same process for `system:admin`; an `Authorization` header is left to the others. */
export const inProcessCallers: Authenticator = ({ headers, peer }) =>
  Promise.resolve(peer.inProcess && !Object.hasOwn(headers, "authorization") ? { kind: "user", user: adminUser } : noCredential);
