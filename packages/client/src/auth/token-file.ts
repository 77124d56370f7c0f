/**
 * A bearer token in a file that somebody else replaces, as the kubelet does with the tokens of service accounts.
 *
 *     Host.readFile → tokenFileSource → CredentialSource
 */
import { Secret } from "@drover/machinery";
import type { Clock, Log } from "@drover/machinery";
import type { Host } from "../host.ts";
import { bearerHeader } from "./bearer.ts";
import { CredentialError } from "./credential-error.ts";
import type { CredentialSource } from "./credential-source.ts";
import { fileProblem } from "./file-problem.ts";
import { Renewal } from "./renewal.ts";
import { sameSecret } from "./same-secret.ts";

/** How a token file is looked after. */
export interface TokenFileSourceOptions {
  readonly host: Pick<Host, "readFile">;
  readonly clock: Clock;
  readonly log: Log;
  /** Used as long as the file could never be read. @default none: without the file there is no request */
  readonly fallback?: Secret;
  /** How old a token may be before the file is read again. @default 50000, a minute without ten seconds of leeway */
  readonly rereadMs?: number;
}

interface ReadToken {
  readonly header: Secret;
  readonly readAt: number;
}

/**
 * Sends the token of a file.
 *
 * Guarantees: the file is read again once the token is `rereadMs` old, and at once when the server refused the token that is held. A read
 * that fails, or finds nothing, leaves the old token in use and is tried again after a second.
 */
export function tokenFileSource(path: string, { host, clock, log, fallback, rereadMs = 50_000 }: TokenFileSourceOptions): CredentialSource {
  const subject = `the token file ${path}`;
  const given = fallback === undefined ? undefined : bearerHeader(fallback, "the token");
  const file = new Renewal<ReadToken>({
    clock,
    log,
    subject,
    renew: async () => ({ header: await readHeader(path, subject, host), readAt: clock.monotonic() }),
    freshness: ({ readAt }) => (clock.monotonic() - readAt < rereadMs ? "fresh" : "usable"),
    isSame: (a, b) => sameSecret(a.header, b.header),
    pauseMaxMs: 1000,
  });
  return {
    header: async (options) => {
      try {
        return (await file.get(options)).header;
      } catch (error) {
        options.signal?.throwIfAborted();
        if (given === undefined) throw error;
        return given;
      }
    },
    refused: async (header, options = {}) => {
      if (file.current !== undefined) return file.replace((held) => sameSecret(held.header, header), options);
      const read = await file.get(options).catch(() => undefined);
      options.signal?.throwIfAborted();
      return read !== undefined && !sameSecret(read.header, header);
    },
  };
}

async function readHeader(path: string, subject: string, host: Pick<Host, "readFile">): Promise<Secret> {
  let bytes: Uint8Array;
  try {
    bytes = await host.readFile(path);
  } catch (cause) {
    throw new CredentialError("unavailable", `${subject} could not be read: ${fileProblem(cause)}`, { cause });
  }
  return bearerHeader(new Secret(new TextDecoder().decode(bytes).trim()), subject);
}
