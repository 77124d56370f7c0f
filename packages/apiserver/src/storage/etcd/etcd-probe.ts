/**
 * Whether etcd answers, for health checks: a read that needs a majority of its members.
 *
 *     EtcdStore.probe → EtcdProbe → EtcdClient
 */
import { errorText } from "@drover/machinery";
import type { Clock } from "@drover/machinery";
import type { EtcdClient } from "./etcd-client.ts";

/** kube-apiserver's `--etcd-healthcheck-timeout` and `--etcd-readycheck-timeout`. */
const probeMs = 2000;
/** Checks that come sooner share an answer, so that probes are no load. */
const freshMs = 1000;

export class EtcdProbe {
  readonly #client: EtcdClient;
  readonly #clock: Clock;
  readonly #key: string;
  #last: { readonly at: number; readonly done: Promise<void> } | undefined;
  #problem: string | undefined;

  /** `key` is what kube-apiserver reads too; it need not exist. */
  constructor(client: EtcdClient, clock: Clock, key: string) {
    this.#client = client;
    this.#clock = clock;
    this.#key = key;
  }

  /** What the last probe found; undefined if etcd answered. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Probes etcd, or waits for the probe that began a moment ago. */
  async run(): Promise<void> {
    const now = this.#clock.monotonic();
    if (this.#last === undefined || now - this.#last.at >= freshMs) this.#last = { at: now, done: this.#ask() };
    await this.#last.done;
  }

  async #ask(): Promise<void> {
    try {
      await this.#client.range({ key: this.#key, isCountOnly: true }, { timeoutMs: probeMs });
      this.#problem = undefined;
    } catch (error) {
      this.#problem = `etcd at ${this.#client.endpoints} does not answer: ${errorText(error)}`;
    }
  }
}
