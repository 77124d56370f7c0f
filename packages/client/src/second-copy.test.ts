import { describe, expect, it } from "vitest";
import { isCredentialError } from "./auth/credential-error.ts";
import { isDiscoveryDocumentError, isGroupDiscoveryFailed, isStaleGroupVersionError } from "./discovery/discovery-error.ts";
import { isFileError } from "./host.ts";
import { isKubeconfigError } from "./kubeconfig/kubeconfig-error.ts";
import { isResponseError } from "./rest/response-error.ts";
import { isWatchSilenceError } from "./rest/watch-lines.ts";
import { isStreamError } from "./streams/stream-error.ts";
import { isUpgradeRefusedError } from "./streams/web-socket.ts";
import { isTransportError } from "./transport/transport-error.ts";
import type * as CredentialErrorModule from "./auth/credential-error.ts";
import type * as DiscoveryErrorModule from "./discovery/discovery-error.ts";
import type * as HostModule from "./host.ts";
import type * as KubeconfigErrorModule from "./kubeconfig/kubeconfig-error.ts";
import type * as ResponseErrorModule from "./rest/response-error.ts";
import type * as WatchLinesModule from "./rest/watch-lines.ts";
import type * as StreamErrorModule from "./streams/stream-error.ts";
import type * as WebSocketModule from "./streams/web-socket.ts";
import type * as TransportErrorModule from "./transport/transport-error.ts";

/** Loads a module once more, as in a program with two copies of this package: same code, different classes. */
const secondCopy = async <Module>(path: string): Promise<Module> =>
  (await import(`${new URL(path, import.meta.url).pathname}?copy`)) as Module;

const discovery = (): Promise<typeof DiscoveryErrorModule> => secondCopy("./discovery/discovery-error.ts");

const rows: readonly (readonly [string, (error: unknown) => boolean, () => Promise<Error>])[] = [
  [
    "isCredentialError",
    isCredentialError,
    async () => new (await secondCopy<typeof CredentialErrorModule>("./auth/credential-error.ts")).CredentialError("setup", "no"),
  ],
  ["isDiscoveryDocumentError", isDiscoveryDocumentError, async () => new (await discovery()).DiscoveryDocumentError("no")],
  [
    "isGroupDiscoveryFailed",
    isGroupDiscoveryFailed,
    async () => new (await discovery()).GroupDiscoveryFailedError({ groups: [], resources: [], failures: [] }),
  ],
  ["isStaleGroupVersionError", isStaleGroupVersionError, async () => new (await discovery()).StaleGroupVersionError("apps/v1")],
  ["isFileError", isFileError, async () => new (await secondCopy<typeof HostModule>("./host.ts")).FileError("a", "missing", "no")],
  [
    "isKubeconfigError",
    (error) => isKubeconfigError(error, "empty"),
    async () => new (await secondCopy<typeof KubeconfigErrorModule>("./kubeconfig/kubeconfig-error.ts")).KubeconfigError("empty", ["no"]),
  ],
  [
    "isResponseError",
    isResponseError,
    async () => new (await secondCopy<typeof ResponseErrorModule>("./rest/response-error.ts")).ResponseError("get", "lost", "no"),
  ],
  [
    "isWatchSilenceError",
    isWatchSilenceError,
    async () => new (await secondCopy<typeof WatchLinesModule>("./rest/watch-lines.ts")).WatchSilenceError("no", 1),
  ],
  [
    "isStreamError",
    isStreamError,
    async () => new (await secondCopy<typeof StreamErrorModule>("./streams/stream-error.ts")).StreamError("lost", "no"),
  ],
  [
    "isUpgradeRefusedError",
    isUpgradeRefusedError,
    async () => new (await secondCopy<typeof WebSocketModule>("./streams/web-socket.ts")).UpgradeRefusedError(403, {}, ""),
  ],
  [
    "isTransportError",
    isTransportError,
    async () =>
      new (await secondCopy<typeof TransportErrorModule>("./transport/transport-error.ts")).TransportError("no", {
        reason: "refused",
        sent: "no",
      }),
  ],
];

describe("predicates on errors of a second copy of the package", () => {
  it.each(rows)("%s recognises them, and no other error of the same name", async (_, is, make) => {
    const error = await make();
    const namesake = Object.assign(new Error("no"), { name: error.name });
    expect([is(error), is(new Error("no", { cause: error })), is(namesake)]).toEqual([true, false, false]);
  });
});
