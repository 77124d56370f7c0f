/**
 * Registers this process as a LeaseCandidate, so that the API server can choose the leader (coordinated leader election), and answers the
 * server's pings.
 *
 *     LeaderElector → LeaseCandidacy → client (LeaseCandidate) ↔ the election controller of kube-apiserver
 *
 * The candidate is polled instead of watched: the server waits five seconds for the answer to a ping, and one GET every two seconds needs
 * no handling of expired watches.
 */
import type { Client } from "@drover/client";
import { abortable, deadline, errorText, formatMicroTime, isConflict, isNotFound, millisToMicros, sleep } from "@drover/machinery";
import type { Clock, Kind, Log, MicroTime, ObjectMeta } from "@drover/machinery";

/** Options of coordinated leader election. */
export interface CoordinatedElectionOptions {
  /** Version of this program, "1.4.0": a semantic version without a leading "v". */
  readonly binaryVersion: string;
  /** Version that this program behaves as; at most `binaryVersion`. @default `binaryVersion` */
  readonly emulationVersion?: string;
  /**
   * How the server chooses. "OldestEmulationVersion" is the only strategy of kube-apiserver 1.36; another one, "example.com/name", needs
   * a controller that assigns the lease. @default "OldestEmulationVersion"
   */
  readonly strategy?: string;
}

/** A registered candidate, as `coordination.k8s.io/v1beta1` stores it. */
export interface LeaseCandidate {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: {
    readonly leaseName: string;
    readonly binaryVersion: string;
    readonly emulationVersion?: string;
    readonly strategy: string;
    readonly pingTime?: MicroTime;
    readonly renewTime?: MicroTime;
  };
}

/** Not among the generated kinds: servers with default settings do not serve it. */
export const LeaseCandidate: Kind<LeaseCandidate, "Namespaced", never> = {
  group: "coordination.k8s.io",
  version: "v1beta1",
  kind: "LeaseCandidate",
  listKind: "LeaseCandidateList",
  plural: "leasecandidates",
  singular: "leasecandidate",
  shortNames: [],
  categories: [],
  scope: "Namespaced",
  verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
  subresources: {},
};

export interface LeaseCandidacyOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Log;
  readonly lease: { readonly namespace: string; readonly name: string };
  /** Name of the candidate; the server writes it as holder of the lease. */
  readonly identity: string;
  readonly coordinated: CoordinatedElectionOptions;
}

/** The server assigns a lease for 5 s and waits as long for answers to pings: two attempts must fit. */
export const assignmentPollMaxMs = 2500;
const pollMs = 2000;
/** The server deletes candidates that were not renewed for 30 minutes. */
const renewEveryMs = 5 * 60_000;
const requestMs = 4000;

/** Keeps one LeaseCandidate. Guarantees: `run` never rejects; it deletes the candidate when it ends, if the server answers. */
export class LeaseCandidacy {
  readonly #options: LeaseCandidacyOptions;
  #problem: string | undefined;
  #renewedMs = -Infinity;

  /** Throws a `RangeError` for versions and strategies that the server would refuse. */
  constructor(options: LeaseCandidacyOptions) {
    checkCoordinated(options.coordinated, options.identity);
    this.#options = options;
  }

  /** Why the candidate is not registered or not renewed; undefined if it is. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Registers the candidate and renews it until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, client, lease, identity } = this.#options;
    while (!signal.aborted) {
      await this.#attempt(signal, (within) => this.#keep(within));
      await sleep(clock, pollMs, { signal }).catch(() => undefined);
    }
    const over = new AbortController().signal;
    await this.#attempt(over, (within) =>
      client.delete(LeaseCandidate, identity, { namespace: lease.namespace, signal: within }).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      }),
    );
  }

  async #keep(signal: AbortSignal): Promise<void> {
    const { client, clock, lease, identity } = this.#options;
    const { namespace } = lease;
    const found = await client.get(LeaseCandidate, identity, { namespace, signal }).catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
    if (found === undefined) {
      await client.create(LeaseCandidate, this.#candidate(), { namespace, signal });
    } else {
      const { pingTime = "", renewTime = "" } = found.spec ?? {};
      const isPinged = pingTime > renewTime;
      if (!isPinged && clock.monotonic() - this.#renewedMs < renewEveryMs) return;
      // The server compares the two times, and its clock may be ahead of ours.
      const now = this.#now();
      const spec = { ...this.#candidate().spec, ...found.spec, renewTime: pingTime > now ? pingTime : now };
      await client.update(LeaseCandidate, { ...found, spec } as LeaseCandidate, { namespace, signal });
    }
    this.#renewedMs = clock.monotonic();
  }

  #candidate(): LeaseCandidate {
    const { lease, identity, coordinated } = this.#options;
    const { binaryVersion, emulationVersion = binaryVersion, strategy = defaultStrategy } = coordinated;
    return {
      metadata: { namespace: lease.namespace, name: identity },
      spec: { leaseName: lease.name, binaryVersion, emulationVersion, strategy, renewTime: this.#now() },
    };
  }

  #now(): MicroTime {
    return formatMicroTime(millisToMicros(this.#options.clock.now()));
  }

  /** Logs a new problem once. A conflict is no problem: the server has just written a ping, which the next attempt answers. */
  async #attempt(outer: AbortSignal, send: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
    const { clock, log } = this.#options;
    const { signal, release } = deadline(clock, requestMs, { signal: outer });
    try {
      await abortable(send(signal), signal);
      this.#problem = undefined;
    } catch (error) {
      if (outer.aborted || isConflict(error)) return;
      const problem = isNotFound(error) ? this.#notServed() : `cannot register the LeaseCandidate: ${errorText(error)}`;
      if (problem !== this.#problem) log.error("coordinated leader election does not work", { problem, error, code: "DRV0366" });
      this.#problem = problem;
    } finally {
      release();
    }
  }

  #notServed(): string {
    const { namespace } = this.#options.lease;
    return (
      `the server does not serve leasecandidates of coordination.k8s.io/v1beta1, or there is no namespace ${namespace}: start kube-apiserver ` +
      "with --feature-gates=CoordinatedLeaderElection=true --runtime-config=coordination.k8s.io/v1beta1=true, or remove leaderElection.coordinated"
    );
  }
}

const defaultStrategy = "OldestEmulationVersion";
const semver = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/;

function checkCoordinated({ binaryVersion, emulationVersion, strategy }: CoordinatedElectionOptions, identity: string): void {
  for (const [field, version] of Object.entries({ binaryVersion, emulationVersion: emulationVersion ?? binaryVersion })) {
    if (typeof version !== "string" || version.length > 256 || !semver.test(version))
      throw new RangeError(
        `leaderElection.coordinated.${field} must be a semantic version without a leading "v", such as "1.4.0", not ${JSON.stringify(version)}`,
      );
  }
  if (emulationVersion !== undefined && isOlder(binaryVersion, emulationVersion))
    throw new RangeError(
      `leaderElection.coordinated.emulationVersion, ${emulationVersion}, must not be newer than binaryVersion, ${binaryVersion}`,
    );
  if (strategy !== undefined && strategy !== defaultStrategy && !/^[^/]+\/[^/]+$/.test(strategy))
    throw new RangeError(
      `leaderElection.coordinated.strategy must be "${defaultStrategy}" or a qualified name such as "example.com/name", not ${JSON.stringify(strategy)}`,
    );
  if (/[/%]/.test(identity) || identity === "." || identity === "..")
    throw new RangeError(`the identity, ${JSON.stringify(identity)}, is the name of the LeaseCandidate and must not contain "/" or "%"`);
}

/** Compares the three numbers; the server compares prereleases as well. */
function isOlder(one: string, other: string): boolean {
  const numbers = (version: string): readonly number[] => (semver.exec(version) ?? []).slice(1, 4).map(Number);
  const [a, b] = [numbers(one), numbers(other)];
  const at = a.findIndex((part, index) => part !== b[index]);
  return at >= 0 && (a[at] ?? 0) < (b[at] ?? 0);
}
