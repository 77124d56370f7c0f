/**
 * Authenticates callers in the same process: they hold the server, so they are its administrator unless their connection or the
 * request names another user.
 */
import { noCredential } from "./authenticator.ts";
import type { Authenticator } from "./authenticator.ts";
import { adminUser } from "./system-names.ts";

/**
 * Takes a caller in the same process for the user of its connection, which is `system:admin` if it names none; requests with an
 * `Authorization` header are left to other authenticators.
 */
export const inProcessCallers: Authenticator = ({ headers, peer }) =>
  Promise.resolve(
    peer.inProcess && !Object.hasOwn(headers, "authorization") ? { kind: "user", user: peer.user ?? adminUser } : noCredential,
  );
