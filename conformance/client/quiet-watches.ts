/**
 * Watches of a server on which nothing happens, started long before their result is read.
 *
 *     begin → (other tests run) → firstEvents → end
 */
import { RestClient } from "@drover/client-go";
import type { NodeTransport } from "@drover/client";
import { encodeListOptions } from "@drover/machinery";
import type { KubeList, WatchEvent } from "@drover/machinery";
import { recordingLog } from "@drover/machinery/testing";
import { nodeRuntime } from "drover";
import type { ServerSource } from "../servers/servers.ts";
import type { SuiteServer } from "../servers/suite-server.ts";

const namespace = "quiet-watches";

/** Two of them: of an unused namespace, and of a kind without objects. */
export class QuietWatches {
  readonly #source: ServerSource;
  #server: SuiteServer | undefined;
  #transport: NodeTransport | undefined;
  #firstEvents: Promise<readonly string[]> = Promise.reject(new Error("the watches have not been begun"));

  constructor(source: ServerSource) {
    this.#source = source;
    this.#firstEvents.catch(() => undefined);
  }

  /** Resolves when the watches are about to be opened; does nothing without a server. */
  async begin(): Promise<void> {
    if (this.#source.missing !== undefined) return;
    const { clock } = nodeRuntime();
    const log = recordingLog(clock);
    this.#server = await this.#source.start();
    this.#transport = this.#server.transport({ clock, log });
    const client = new RestClient({ transport: this.#transport, clock, log, groupVersion: { group: "", version: "v1" } });
    await client
      .post()
      .resource("namespaces")
      .body({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } })
      .doRaw();
    const maps = client.get().namespace(namespace).resource("configmaps");
    const {
      metadata: { resourceVersion = "" },
    } = (await maps.do()).into<KubeList>();
    const watches = [maps, client.get().resource("podtemplates")].map((request) =>
      request.versionedParams({ resourceVersion, allowWatchBookmarks: true, watch: true }, encodeListOptions).watch(),
    );
    this.#firstEvents = Promise.all(
      watches.map(async (events) => {
        const { type } = ((await events.next()) as IteratorYieldResult<WatchEvent>).value;
        await events.return?.();
        return type;
      }),
    );
    // The reader of the result sees a failure; there may be no reader.
    this.#firstEvents.catch(() => undefined);
  }

  /** The type of the first event of each, when all have received one. */
  firstEvents(): Promise<readonly string[]> {
    return this.#firstEvents;
  }

  async end(): Promise<void> {
    this.#transport?.close();
    await this.#server?.stop();
  }
}
