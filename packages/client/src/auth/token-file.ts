/**
 * A bearer token in a file that another process replaces, as the kubelet does with service account tokens.
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

/** Options for a token file. */
export interface TokenFileSourceOptions {
  readonly host: Pick<Host, "readFile">;
  readonly clock: Clock;
  readonly log: Log;
  /** Used until the file has been read once. @default none: requests fail without the file */
  readonly fallback?: Secret;
  /** Age of a token after which the file is reread. @default 50000, a minute minus ten seconds of leeway */
  readonly rereadMs?: number;
}

interface ReadToken {
  readonly header: Secret;
  readonly readAt: number;
}

/**
 * Sends the token of a file.
 *
 * Guarantees: the file is reread when the token is `rereadMs` old, and at once when the server rejects the current token. If
 * a read fails or the file is empty, the old token stays in use and the next attempt follows a second later.
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
    fresh: () => file.fresh(),
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
