/** A real etcd of three members on loopback, whose members can be killed, paused and cut off from each other. */
import { join } from "node:path";
import { mkdirSync } from "node:fs";
import { PeerProxy } from "./peer-proxy.ts";
import { RealProgram, freePorts, temporaryFolder, until } from "./real-program.ts";

interface Member {
  readonly name: string;
  readonly url: string;
  readonly folder: string;
  readonly flags: readonly string[];
  program: RealProgram;
  /** Hexadecimal, as members write it in their requests. */
  id: string;
}

const size = 3;

/** The caller must stop it. */
export class EtcdCluster {
  readonly #members: readonly Member[];
  readonly #proxies: PeerProxy[] = [];
  readonly #remove: () => void;
  /** Index of the member that is cut off. */
  #cut: number | undefined;

  static async start(): Promise<EtcdCluster> {
    const { path, remove } = temporaryFolder("etcd-cluster");
    const ports = await freePorts(3 * size);
    const portOf = (index: number, use: number): number => ports[use * size + index] ?? 0;
    const names = Array.from({ length: size }, (_, index) => `m${index}`);
    const peers = names.map((name, index) => `${name}=http://127.0.0.1:${portOf(index, 1)}`).join(",");
    const members = names.map((name, index): Member => {
      const folder = join(path, name);
      mkdirSync(folder);
      const [url, peer] = [`http://127.0.0.1:${portOf(index, 0)}`, `http://127.0.0.1:${portOf(index, 1)}`];
      const flags = [
        `--name=${name}`,
        `--data-dir=${join(folder, "data")}`,
        `--listen-client-urls=${url}`,
        `--advertise-client-urls=${url}`,
        `--listen-peer-urls=http://127.0.0.1:${portOf(index, 2)}`,
        `--initial-advertise-peer-urls=${peer}`,
        `--initial-cluster=${peers}`,
        "--heartbeat-interval=50",
        "--election-timeout=500",
        "--log-level=error",
      ];
      return { name, url, folder, flags, program: new RealProgram("etcd", flags, folder), id: "" };
    });
    const cluster = new EtcdCluster(members, remove);
    for (const [index] of members.entries())
      cluster.#proxies.push(
        new PeerProxy({ port: portOf(index, 1), target: portOf(index, 2), isCut: (from) => cluster.#isCut(index, from) }),
      );
    try {
      for (const member of members)
        await until([member.program], `${member.name} of etcd was`, async () => (await leaderSeenBy(member)) > 0n);
      for (const member of members) member.id = ((await statusOf(member))?.id ?? 0n).toString(16);
    } catch (error) {
      await cluster.stop();
      throw error;
    }
    return cluster;
  }

  private constructor(members: readonly Member[], remove: () => void) {
    this.#members = members;
    this.#remove = remove;
  }

  get urls(): readonly string[] {
    return this.#members.map(({ url }) => url);
  }

  /** Returns the index of the leader; undefined during an election. */
  async leader(): Promise<number | undefined> {
    for (const [index, member] of this.#members.entries()) {
      const status = index === this.#cut ? undefined : await statusOf(member);
      if (status !== undefined && status.id === status.leader) return index;
    }
    return undefined;
  }

  /** Kills a member without notice. */
  async kill(index: number): Promise<void> {
    await this.#member(index).program.signal("SIGKILL");
  }

  /** Starts a killed member again. */
  restart(index: number): void {
    const member = this.#member(index);
    member.program = new RealProgram("etcd", member.flags, member.folder);
  }

  async pause(index: number): Promise<void> {
    await this.#member(index).program.signal("SIGSTOP");
  }

  async resume(index: number): Promise<void> {
    await this.#member(index).program.signal("SIGCONT");
  }

  /** Cuts a member off from the others; clients still reach it. Undefined heals the network. */
  cut(index: number | undefined): void {
    this.#cut = index;
    for (const proxy of this.#proxies) proxy.update();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#members.map(({ program }) => program.end()));
    for (const proxy of this.#proxies) proxy.close();
    this.#remove();
  }

  #isCut(to: number, from: string): boolean {
    return this.#cut !== undefined && (to === this.#cut || this.#member(this.#cut).id === from);
  }

  #member(index: number): Member {
    const member = this.#members[index];
    if (member === undefined) throw new RangeError(`etcd has no member ${index}`);
    return member;
  }
}

async function statusOf({ url }: Member): Promise<{ readonly id: bigint; readonly leader: bigint } | undefined> {
  try {
    const answer = await fetch(`${url}/v3/maintenance/status`, { method: "POST", body: "{}", signal: AbortSignal.timeout(1000) });
    const { header, leader = "0" } = (await answer.json()) as { readonly header: { readonly member_id: string }; readonly leader?: string };
    return { id: BigInt(header.member_id), leader: BigInt(leader) };
  } catch {
    return undefined;
  }
}

const leaderSeenBy = async (member: Member): Promise<bigint> => (await statusOf(member))?.leader ?? 0n;
